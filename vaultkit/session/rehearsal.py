"""An example played: from the cards as it lays them out, move by move."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from vaultkit import __version__
from vaultkit.bots.registry import make
from vaultkit.cards import Deck
from vaultkit.games.turn import Chance, Move, Prompt, drawn
from vaultkit.games.words import Seat
from vaultkit.session import dealing
from vaultkit.session.card_names import cards_meant, nearest_card, words_of
from vaultkit.session.example_start import ON, begin
from vaultkit.session.examples import Example
from vaultkit.session.history import History, Step
from vaultkit.session.journal import Journal
from vaultkit.session.records import AnyRecord, Header
from vaultkit.session.session import Session
from vaultkit.session.undo import Undo, UndoRefused
from vaultkit.sorting import name_key
from vaultkit.spelling import did_you_mean

MOST_STEPS = 1_000
"""Moves and deals of one example, those that need nobody included."""
_FEW = 6
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class _Unkept(Journal):
    """A journal of what need not be kept."""

    def __init__(self) -> None:
        self.path = Path()

    def append(self, record: AnyRecord, *, waits: bool = True) -> None:
        """Nothing is written."""

    def close(self) -> None:
        """Nobody else waits for it."""


class Rehearsal(Session):
    """The game of an example. `coming` are the cards that it says come next.

    `slip` is the number of the move before which its mistake is made, from 0 on, once it has been played; -1 for none.
    `played` are the steps of its own moves. `due` is the move that a learner is to find.
    """

    example: Example
    played: list[Step]
    coming: tuple[str, ...] = ()
    slip: int = -1
    due: Move | None = None

    @classmethod
    def of(cls, example: Example, deck: Deck, options: Mapping[str, object]) -> Self:
        """The game where the example begins, under house rules and then its own.

        Raises InvalidError with note and line for what cannot be.
        """
        first = begin(example, deck, options)
        header = Header(
            game=first.game.id, version=__version__, session=f"{first.game.id}-example", seed=example.content.seed,
            seats=first.seats, options=dict(first.options), deck=deck.kind, fingerprint=deck.fingerprint,
            started=_LONG_AGO,
        )  # fmt: skip
        history = History(first.game, deck, first.seats, first.options, first.state)
        game, clock = first.game, lambda: _LONG_AGO
        session = cls(game, deck, header, history=history, journal=_Unkept(), bots=make, clock=clock)
        session.example, session.played = example, []
        session.coming = first.coming
        return session

    def _luck(self, chance: Chance, step: int) -> Move | None:
        """The cards that the example says come next, as far as they can be drawn here; the others by the seed."""
        there, since = {*chance.options, *chance.pile.unknown, *chance.pile.bottom}, self._drawn()
        ours = tuple(card for card in self.coming if card not in since)
        cards = tuple(card for card in ours if card in there)[: chance.count]
        if not cards:
            return dealing.deal(chance, self.header.seed, step)
        more = [card for card in chance.pile.unknown if card not in ours]
        return drawn(*cards, *dealing.shuffle(more, self.header.seed, step)[: chance.count - len(cards)])

    def plan_undo(self, seat: Seat | None) -> Undo:  # noqa: ARG002
        """Nothing is taken back by its players."""
        raise UndoRefused("There is nothing to take back in an example: a move that is no part of it does not count.")

    def _drawn(self) -> set[str]:
        return {card for step in self.steps if step.chance for card in step.move.operands}

    def settle(self, wanted: str = "") -> None:
        """Take the steps that need nobody, up to a decision, or to a lone move that the example has next.

        After its last move that is luck, and lone moves without a card: the next turn is not begun.
        """
        while len(self.steps) < MOST_STEPS:
            turn = self.turn
            if isinstance(turn, Prompt) and (self.is_meant(turn, wanted) or self._is_left(turn, wanted)):
                return
            answer = self._own_answer()
            if answer is None:
                return
            self._take(*answer)
        raise self.example.error(f"This example has no end after {MOST_STEPS:,} steps.")

    def _is_left(self, turn: Prompt, wanted: str) -> bool:
        """Whether a lone move with a card is left to its seat: no move is to come, or one of its own."""
        own = name_key(wanted.partition(":")[0]) in ("", name_key(self.name(turn.seat)))
        return own and bool(turn.moves[0].operands)

    def _own_answer(self) -> tuple[Move, bool] | None:
        """Lone moves are made even where a game asks so as not to tell anything: in an example nothing is secret."""
        turn = self.turn
        lone = isinstance(turn, Prompt) and len(turn.moves) == 1
        return (turn.moves[0], True) if isinstance(turn, Prompt) and lone else super()._own_answer()

    def is_meant(self, turn: Prompt, wanted: str) -> bool:
        """Whether a line of the example is a move of this decision."""
        name, _, words = wanted.partition(":")
        asked = turn.party or name_key(name) == name_key(self.name(turn.seat))
        return asked and bool(self.meant(words, turn))

    def move_of(self, wanted: str) -> Move:
        """The move that words of the example mean now. Raises InvalidError with the line where nothing is."""
        turn, (name, _, words) = self.turn, wanted.partition(":")
        seat = self.seat_of(name, wanted)
        if not isinstance(turn, Prompt):
            raise self.example.error(f"The game is over before '{wanted}'.", word=wanted)
        if turn.seat != seat and not turn.party:
            asks = self.words(turn.text)
            raise self.example.error(f"{self.name(turn.seat)} is asked before {self.name(seat)}: {asks}", word=wanted)
        found = self.meant(words, turn)
        if len(found) != 1:
            raise self.example.error(*self.unclear(words.strip(), turn, found), word=wanted)
        return found[0]

    def unclear(self, words: str, turn: Prompt, found: Collection[Move]) -> tuple[str, str]:
        labels = [self.label(move) for move in found or turn.moves]
        if found:
            return f"'{words}' could be: {'; '.join(labels)}.", "Write more of it, or the move's id."
        reason = next((why for card in self.cards_of(words) if (why := self.refusal(card, turn))), "")
        message = f"'{words}' cannot be played here. {reason}".strip()
        return message, did_you_mean(words, labels, then=f"Possible: {'; '.join(labels[:_FEW])}.")

    def meant(self, words: str, turn: Prompt) -> tuple[Move, ...]:
        """The moves that some words may mean: an id, or words of what is offered in their order."""
        exact = [move for move in turn.moves if move.id == words.strip()]
        wanted = words_of(words)
        said = ((move, words_of(f"{move.verb} {self.label(move)}")) for move in turn.moves if wanted)
        fits = [move for move, offered in said if _in_order(wanted, offered)]
        whole = [move for move in fits if len(move.operands) == min(len(one.operands) for one in fits)]
        return tuple(exact or whole)

    def seat_of(self, name: str, line: str) -> Seat:
        """The seat of that name. Raises InvalidError."""
        names = self.header.names
        found = [seat for seat, known in enumerate(names) if name_key(known) == name_key(name)]
        if not found:
            hint = did_you_mean(name, names, then=f'Write "{names[0]}: ...". The seats: {", ".join(names)}.')
            raise self.example.error(f"'{line}' begins with the name of no seat.", hint, line)
        return found[0]

    def label(self, move: Move) -> str:
        return self.words(self.game.label(move))

    def refusal(self, card: str, turn: Prompt) -> str:
        """The reason why a card cannot be played now, "" where the game tells none."""
        why = self.game.why_not(self.view(turn.seat), card)
        return self.words(why) if why else ""

    def cards_of(self, words: str) -> tuple[str, ...]:
        """The cards in the words of a move, without its verb; none where a name is not one card's alone."""
        names = words.strip().partition(" ")[2].split(ON)
        found = [cards_meant(name, self.deck, self.deck.by_id) for name in names]
        return tuple(card.id for cards in found for card in cards) if all(len(cards) == 1 for cards in found) else ()

    def play(self) -> None:
        """All moves of the example, up to the next decision after them. Raises InvalidError for one that cannot be."""
        mistake, offered, refused = self.example.content.mistake, list[int](), list[int]()
        for number, wanted in enumerate(self.example.content.moves):
            self.settle(wanted)
            move, turn = self.move_of(wanted), self.prompt
            if mistake and turn and (turn.party or turn.seat == self.seat_of_line(mistake)):
                (offered if self.is_meant(turn, mistake) else refused).append(number)
            self.played.append(self._take(move))
        if mistake:
            self.slip = self._slip(offered, refused)
        self.settle()

    def _slip(self, offered: list[int], refused: list[int]) -> int:
        """Before which move the mistake is made: the first at which it can be, or the last at which it is refused.

        Where a party is asked, the last of its own seat.
        """
        mistake, moves = self.example.content.mistake, self.example.content.moves
        if not offered:
            self.understand(mistake.partition(":")[2].strip(), mistake)
        if not offered and not refused:
            raise self.example.error("Whoever makes the mistake has no move in this example.", "", mistake)
        seat = self.seat_of_line(mistake)
        own = [number for number in refused if self.seat_of_line(moves[number]) == seat]
        return (*offered[:1], *own[-1:], *refused[-1:])[0]

    def seat_of_line(self, line: str) -> Seat:
        """The seat whose move a line of an example is."""
        return self.seat_of(line.partition(":")[0], line)

    def understand(self, words: str, line: str) -> None:
        """Raises InvalidError for words that are no move of the game at all: a slip of the pen is no refusal."""
        verb, _, named = words.partition(" ")
        cards = self.cards_of(words)
        with suppress(KeyError, IndexError, ValueError):
            self.game.label(Move(verb.casefold(), cards))
            if cards:
                return
        hint = nearest_card(named, self.deck) or "Write the verb of a move and one card: refused: play 7 of Swords"
        raise self.example.error(f"'{words}' is no move of this game.", hint, line)


def _in_order(words: Collection[str], said: Collection[str]) -> bool:
    left = iter(said)
    return all(word in left for word in words)
