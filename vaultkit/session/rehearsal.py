"""Playing an example of a rule note move by move, from the cards that it places."""

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
"""The maximum number of moves and deals of an example, including those that need no player."""
_FEW = 6
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class _Unkept(Journal):
    """A journal that stores nothing."""

    def __init__(self) -> None:
        self.path = Path()

    def append(self, record: AnyRecord, *, waits: bool = True) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Rehearsal(Session):
    """The game of an example.

    `coming` are the cards that the example says luck brings next. `slip` is the index of the move before which the
    mistake of the example is made, set by `play`; -1 for none. `played` are the steps of the moves in the example.
    `due` is the move that a learner must find.
    """

    example: Example
    played: list[Step]
    coming: tuple[str, ...] = ()
    slip: int = -1
    due: Move | None = None

    @classmethod
    def of(cls, example: Example, deck: Deck, options: Mapping[str, object]) -> Self:
        """Return the game at the start of the example.

        `options` are house rules; the options of the example override them. Raises InvalidError with note and line if
        the example cannot begin as it says.
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
        """Return the cards that the example says come next, as far as they can be drawn here.

        The seed decides about all further cards.
        """
        there, since = {*chance.options, *chance.pile.unknown, *chance.pile.bottom}, self._drawn()
        ours = tuple(card for card in self.coming if card not in since)
        cards = tuple(card for card in ours if card in there)[: chance.count]
        if not cards:
            return dealing.deal(chance, self.header.seed, step)
        more = [card for card in chance.pile.unknown if card not in ours]
        return drawn(*cards, *dealing.shuffle(more, self.header.seed, step)[: chance.count - len(cards)])

    def plan_undo(self, seat: Seat | None) -> Undo:  # noqa: ARG002
        """Raise UndoRefused, since the moves of an example cannot be undone."""
        raise UndoRefused("There is nothing to take back in an example: a move that is no part of it does not count.")

    def _drawn(self) -> set[str]:
        return {card for step in self.steps if step.chance for card in step.move.operands}

    def settle(self, wanted: str = "") -> None:
        """Take the steps that need no player, up to a decision, or to the only move if it is next in the example.

        `line` is the next move of the example. After the last one, "", only luck and single moves without a card are
        played, so that the next turn does not begin. Raises InvalidError if the example does not end.
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
        """Return whether a single move with a card is left to its seat.

        It is if `line` is a move of that seat, or if no move follows.
        """
        own = name_key(wanted.partition(":")[0]) in ("", name_key(self.name(turn.seat)))
        return own and bool(turn.moves[0].operands)

    def _own_answer(self) -> tuple[Move, bool] | None:
        """Return the next step that needs no player, or None.

        The only possible move is always made. A game may ask for it to keep a secret, but in an example nothing is
        secret.
        """
        turn = self.turn
        lone = isinstance(turn, Prompt) and len(turn.moves) == 1
        return (turn.moves[0], True) if isinstance(turn, Prompt) and lone else super()._own_answer()

    def is_meant(self, turn: Prompt, wanted: str) -> bool:
        """Return whether a line of the example is a possible move of this decision."""
        name, _, words = wanted.partition(":")
        asked = turn.party or name_key(name) == name_key(self.name(turn.seat))
        return asked and bool(self.meant(words, turn))

    def move_of(self, wanted: str) -> Move:
        """Return the move that a line of the example means now.

        Raises InvalidError with the line if no move or several moves match, or if another seat must decide first.
        """
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
        """Return a message and a hint about words that match several of `moves`, or none."""
        labels = [self.label(move) for move in found or turn.moves]
        if found:
            return f"'{words}' could be: {'; '.join(labels)}.", "Write more of it, or the move's id."
        reason = next((why for card in self.cards_of(words) if (why := self.refusal(card, turn))), "")
        message = f"'{words}' cannot be played here. {reason}".strip()
        return message, did_you_mean(words, labels, then=f"Possible: {'; '.join(labels[:_FEW])}.")

    def meant(self, words: str, turn: Prompt) -> tuple[Move, ...]:
        """Return the moves that match some words: the id of a move, or words of its label in the same order.

        Of the moves whose labels match, only those with the fewest cards are returned.
        """
        exact = [move for move in turn.moves if move.id == words.strip()]
        wanted = words_of(words)
        said = ((move, words_of(f"{move.verb} {self.label(move)}")) for move in turn.moves if wanted)
        fits = [move for move, offered in said if _in_order(wanted, offered)]
        whole = [move for move in fits if len(move.operands) == min(len(one.operands) for one in fits)]
        return tuple(exact or whole)

    def seat_of(self, name: str, line: str) -> Seat:
        """Return the seat with the given name. Raises InvalidError with the line if there is none."""
        names = self.header.names
        found = [seat for seat, known in enumerate(names) if name_key(known) == name_key(name)]
        if not found:
            hint = did_you_mean(name, names, then=f'Write "{names[0]}: ...". The seats: {", ".join(names)}.')
            raise self.example.error(f"'{line}' begins with the name of no seat.", hint, line)
        return found[0]

    def label(self, move: Move) -> str:
        return self.words(self.game.label(move))

    def refusal(self, card: str, turn: Prompt) -> str:
        """Return the reason why a card cannot be played now, or "" if the game gives none."""
        why = self.game.why_not(self.view(turn.seat), card)
        return self.words(why) if why else ""

    def cards_of(self, words: str) -> tuple[str, ...]:
        """Return the ids of the cards in the words of a move, without its verb.

        Returns none if a name does not match exactly one card.
        """
        names = words.strip().partition(" ")[2].split(ON)
        found = [cards_meant(name, self.deck, self.deck.by_id) for name in names]
        return tuple(card.id for cards in found for card in cards) if all(len(cards) == 1 for cards in found) else ()

    def play(self) -> None:
        """Play all moves of the example, up to the next decision.

        Raises InvalidError with the line of a move that is not possible.
        """
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
        """Return the index of the move before which the mistake is made.

        That is the first move at which the mistake is possible, or else the last one at which the rules refuse it. When
        a group of seats is asked, it is the last move of the seat that makes the mistake. Raises InvalidError if that
        seat has no move in the example.
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
        """Return the seat whose move a line of an example is. Raises InvalidError if there is none."""
        return self.seat_of(line.partition(":")[0], line)

    def understand(self, words: str, line: str) -> None:
        """Raise InvalidError unless some words can be a move of this game.

        A typing error must not pass as a move that the rules refuse.
        """
        verb, _, named = words.partition(" ")
        cards = self.cards_of(words)
        with suppress(KeyError, IndexError, ValueError):
            self.game.label(Move(verb.casefold(), cards))
            if cards:
                return
        hint = nearest_card(named, self.deck) or "Write the verb of a move and one card: refused: play 7 of Swords"
        raise self.example.error(f"'{words}' is no move of this game.", hint, line)


def _in_order(words: Collection[str], said: Collection[str]) -> bool:
    """Return whether all of `words` occur in the other words in the same order."""
    left = iter(said)
    return all(word in left for word in words)
