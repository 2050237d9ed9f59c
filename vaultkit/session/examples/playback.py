"""The playback of an example of a rule note, move by move from its starting position."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from vaultkit import __version__
from vaultkit.bots.registry import make_bot
from vaultkit.cards import Deck
from vaultkit.games.messages import Seat
from vaultkit.games.turn import Chance, Move, Prompt, draw_move
from vaultkit.session import seeded_choices
from vaultkit.session.card_names import find_cards, suggest_card, words_of
from vaultkit.session.examples.parser import Example
from vaultkit.session.examples.start import ON_SEPARATOR, begin
from vaultkit.session.history import GameHistory, Step, Undo, UndoRefused
from vaultkit.session.journal import Journal
from vaultkit.session.journal_records import AnyRecord, Header
from vaultkit.session.session import Session
from vaultkit.spelling import did_you_mean
from vaultkit.text import name_key

MAX_STEPS = 1_000
"""The maximum number of moves and deals of an example, including those that need no player."""
_MAX_LISTED_MOVES = 6
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class _NullJournal(Journal):
    """A journal that stores nothing."""

    def __init__(self) -> None:
        self.path = Path()

    def append(self, record: AnyRecord, *, waits: bool = True) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class ExampleSession(Session):
    """The game of an example in a rule note.

    `next_cards` are the ids of the cards that the example says are drawn next. `played` are the steps of the example's
    moves. `mistake_index` is the index of the move before which the mistake of the example is made, which `play` sets;
    it is -1 if there is none. `expected_move` is the move that a learner must find next.
    """

    example: Example
    played: list[Step]
    next_cards: tuple[str, ...] = ()
    mistake_index: int = -1
    expected_move: Move | None = None

    @classmethod
    def from_example(cls, example: Example, deck: Deck, options: Mapping[str, object]) -> Self:
        """Return the game at the start of the example.

        `options` are house rules; the options of the example override them. Raises InvalidError with note and line if
        the example cannot begin as it says.
        """
        start = begin(example, deck, options)
        header = Header(
            game=start.game.id, version=__version__, session=f"{start.game.id}-example", seed=example.content.seed,
            seats=start.seats, options=dict(start.options), deck=deck.kind, fingerprint=deck.fingerprint,
            started=_LONG_AGO,
        )  # fmt: skip
        history = GameHistory(start.game, deck, start.seats, start.options, start.state)
        game, clock = start.game, lambda: _LONG_AGO
        session = cls(game, deck, header, history=history, journal=_NullJournal(), make_bot=make_bot, clock=clock)
        session.example, session.played = example, []
        session.next_cards = start.next_cards
        return session

    def _luck(self, chance: Chance, step: int) -> Move | None:
        """Return the answer to a chance turn: the drawable cards of `next_cards`, and then cards by the seed."""
        possible_cards = {*chance.options, *chance.pile.unknown, *chance.pile.bottom}
        drawn_cards = {card for step in self.steps if step.chance for card in step.move.operands}
        remaining_cards = tuple(card for card in self.next_cards if card not in drawn_cards)
        cards = tuple(card for card in remaining_cards if card in possible_cards)[: chance.count]
        if not cards:
            return seeded_choices.deal(chance, self.header.seed, step)
        other_cards = [card for card in chance.pile.unknown if card not in remaining_cards]
        shuffled_cards = seeded_choices.shuffle(other_cards, self.header.seed, step)
        return draw_move(*cards, *shuffled_cards[: chance.count - len(cards)])

    def plan_undo(self, seat: Seat | None) -> Undo:  # noqa: ARG002
        """Raise UndoRefused, because the moves of an example cannot be undone."""
        raise UndoRefused("There is nothing to take back in an example: a move that is not part of it does not count.")

    def settle(self, next_line: str = "") -> None:
        """Take steps that need no player, until a decision or until `next_line` is due.

        `next_line` is the next move of the example, "" after the last one. Only luck and single moves without a card
        are then played, so that the next turn does not begin. Raises InvalidError if there are more than `MAX_STEPS`
        steps.
        """
        while len(self.steps) < MAX_STEPS:
            turn = self.turn
            if isinstance(turn, Prompt) and (
                self.matches_turn(turn, next_line) or self._is_card_move_due(turn, next_line)
            ):
                return
            answer = self._own_answer()
            if answer is None:
                return
            self._take_step(*answer)
        raise self.example.error(f"This example has no end after {MAX_STEPS:,} steps.")

    def _is_card_move_due(self, turn: Prompt, next_line: str) -> bool:
        """Return whether the only move of a turn waits for the next line of the example.

        That is a move with a card, if `next_line` is a move of the seat or there is no next line.
        """
        is_own_line = name_key(next_line.partition(":")[0]) in ("", name_key(self.name(turn.seat)))
        return is_own_line and bool(turn.moves[0].operands)

    def _own_answer(self) -> tuple[Move, bool] | None:
        """Return the next move that needs no player and whether it was the only one, or None.

        The only possible move always needs no player. Some games ask for it to keep a secret, but an example has none.
        """
        turn = self.prompt
        return (turn.moves[0], True) if turn and len(turn.moves) == 1 else super()._own_answer()

    def matches_turn(self, turn: Prompt, line: str) -> bool:
        """Return whether a line of the example names the asked seat and matches at least one of its moves."""
        name, _, words = line.partition(":")
        is_asked = turn.party or name_key(name) == name_key(self.name(turn.seat))
        return is_asked and bool(self.find_moves(words, turn))

    def move_of(self, line: str) -> Move:
        """Return the move of the current turn that a line of the example means.

        Raises InvalidError with the line if no move or several moves match, if it names no seat or a seat that is not
        asked, or if the game is over.
        """
        turn, (name, _, words) = self.turn, line.partition(":")
        seat = self.seat_of(name, line)
        if not isinstance(turn, Prompt):
            raise self.example.error(f"The game is over before '{line}'.", word=line)
        if turn.seat != seat and not turn.party:
            asks = self.words(turn.text)
            raise self.example.error(f"{self.name(turn.seat)} is asked before {self.name(seat)}: {asks}", word=line)
        moves = self.find_moves(words, turn)
        if len(moves) != 1:
            raise self.example.error(*self.explain_unclear(words.strip(), turn, moves), word=line)
        return moves[0]

    def explain_unclear(self, words: str, turn: Prompt, moves: Collection[Move]) -> tuple[str, str]:
        """Return a message and a hint about words that mean no single move of a turn.

        `moves` are the moves that match the words: several or none.
        """
        labels = [self.label(move) for move in moves or turn.moves]
        if moves:
            return f"'{words}' could be: {'; '.join(labels)}.", "Write more of it, or the move's id."
        reason = next((why for card in self.cards_of(words) if (why := self.refusal(card, turn))), "")
        message = f"'{words}' cannot be played here. {reason}".strip()
        return message, did_you_mean(words, labels, suffix=f"Possible: {'; '.join(labels[:_MAX_LISTED_MOVES])}.")

    def find_moves(self, words: str, turn: Prompt) -> tuple[Move, ...]:
        """Return the move with the id `words`, or else the moves whose labels contain the words in the same order.

        Of the moves with matching labels, only those with the fewest cards are returned.
        """
        moves_by_id = [move for move in turn.moves if move.id == words.strip()]
        query_words = words_of(words)
        labelled_moves = ((move, words_of(f"{move.verb} {self.label(move)}")) for move in turn.moves if query_words)
        moves_by_label = [move for move, label_words in labelled_moves if _occur_in_order(query_words, label_words)]
        fewest = min((len(move.operands) for move in moves_by_label), default=0)
        shortest_moves = [move for move in moves_by_label if len(move.operands) == fewest]
        return tuple(moves_by_id or shortest_moves)

    def seat_of(self, name: str, line: str) -> Seat:
        """Return the seat with the given name. Raises InvalidError for `line` if there is none."""
        names = self.header.names
        seats = [seat for seat, seat_name in enumerate(names) if name_key(seat_name) == name_key(name)]
        if not seats:
            hint = did_you_mean(name, names, suffix=f'Write "{names[0]}: ...". The seats: {", ".join(names)}.')
            raise self.example.error(f"'{line}' does not begin with the name of a seat.", hint, line)
        return seats[0]

    def label(self, move: Move) -> str:
        return self.words(self.game.label(move))

    def refusal(self, card: str, turn: Prompt) -> str:
        """Return the reason why a card cannot be played now, or "" if the game gives none."""
        why = self.game.why_not(self.view(turn.seat), card)
        return self.words(why) if why else ""

    def cards_of(self, words: str) -> tuple[str, ...]:
        """Return the ids of the cards that the words of a move name after the verb.

        Returns an empty tuple if one of the names does not match exactly one card.
        """
        names = words.strip().partition(" ")[2].split(ON_SEPARATOR)
        matches = [find_cards(name, self.deck, self.deck.by_id) for name in names]
        is_clear = all(len(cards) == 1 for cards in matches)
        return tuple(card.id for cards in matches for card in cards) if is_clear else ()

    def play(self) -> None:
        """Play all moves of the example, and then the steps that need no player.

        Sets `mistake_index` if the example has a mistake. Raises InvalidError with the line of a move that is not
        possible.
        """
        mistake, offered_indexes, refused_indexes = self.example.content.mistake, list[int](), list[int]()
        for move_index, line in enumerate(self.example.content.moves):
            self.settle(line)
            move, turn = self.move_of(line), self.prompt
            if mistake and turn and (turn.party or turn.seat == self.seat_of_line(mistake)):
                (offered_indexes if self.matches_turn(turn, mistake) else refused_indexes).append(move_index)
            self.played.append(self._take_step(move))
        if mistake:
            self.mistake_index = self._find_mistake_index(offered_indexes, refused_indexes)
        self.settle()

    def _find_mistake_index(self, offered_indexes: list[int], refused_indexes: list[int]) -> int:
        """Return the index of the move before which the mistake of the example is made.

        That is the first move at which the rules offer the mistake, or else the last move at which they refuse it, if
        possible one of the seat that makes the mistake. The arguments are the indexes of both kinds of moves. Raises
        InvalidError if both are empty, or if the mistake is no move of the game.
        """
        mistake, moves = self.example.content.mistake, self.example.content.moves
        if not offered_indexes:
            self.check_move_words(mistake.partition(":")[2].strip(), mistake)
        if not offered_indexes and not refused_indexes:
            raise self.example.error("The player who makes the mistake has no move in this example.", "", mistake)
        seat = self.seat_of_line(mistake)
        own_indexes = [move_index for move_index in refused_indexes if self.seat_of_line(moves[move_index]) == seat]
        return (*offered_indexes[:1], *own_indexes[-1:], *refused_indexes[-1:])[0]

    def seat_of_line(self, line: str) -> Seat:
        """Return the seat that a line of the example names. Raises InvalidError if it names none."""
        return self.seat_of(line.partition(":")[0], line)

    def check_move_words(self, words: str, line: str) -> None:
        """Raise InvalidError with the line unless some words are a move of this game with at least one card.

        Otherwise a typing error would pass as a move that the rules refuse.
        """
        verb, _, card_text = words.partition(" ")
        cards = self.cards_of(words)
        with suppress(KeyError, IndexError, ValueError):
            self.game.label(Move(verb.casefold(), cards))
            if cards:
                return
        hint = suggest_card(card_text, self.deck) or "Write the verb of a move and one card: refused: play 7 of Swords"
        raise self.example.error(f"'{words}' is not a move of this game.", hint, line)


def _occur_in_order(words: Collection[str], all_words: Collection[str]) -> bool:
    """Return whether all of `words` occur in `all_words`, in the same order."""
    remaining_words = iter(all_words)
    return all(word in remaining_words for word in words)
