"""Whose turn it is: a seat's decision (Prompt), or something that only luck can answer (Chance)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from vaultkit.errors import UsageError
from vaultkit.games.messages import Seat, Sentence, Zone, ZoneKind


class IllegalMove(UsageError):
    """A move that is not one of those that the turn lists."""


@dataclass(frozen=True, slots=True)
class Move:
    """One decision, or one answer of chance. `id` is stable text for journals and people: `play 6-swords`."""

    verb: str
    operands: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return " ".join((self.verb, *self.operands))

    @classmethod
    def parse(cls, text: str) -> "Move":
        """Return the move whose id is `text`."""
        verb, *operands = text.split()
        return cls(verb, tuple(operands))


class _CardMoves(dict[str, Move]):
    """A cache of the moves with one verb, by card. A move is created when it is first looked up."""

    def __init__(self, verb: str) -> None:
        self._verb = verb

    def __missing__(self, card: str) -> Move:
        self[card] = move = Move(self._verb, (card,))
        return move


_card_moves_of = cache(_CardMoves)


def card_moves(verb: str, cards: Iterable[str]) -> tuple[Move, ...]:
    """Return a move with this verb for each of the cards."""
    return tuple(map(_card_moves_of(verb).__getitem__, cards))


def draw_move(*cards: str) -> Move:
    """Return the answer to a Chance: the cards drawn, in order, or the one option picked."""
    return Move("draw", cards)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A decision of one seat.

    `text` is the question, `rule` the heading of the rule note that explains it, `rulings` are numbers such as `DC-7`.
    `secret` marks a simultaneous, face-down choice (G-3). `ask_always` forbids making the only possible move without a
    question, because that would tell others something (G-6). `party` marks a decision that all make together; `seat`
    only answers for them. `ends` has the moves that end the game at once, each with a sentence on what comes of it;
    front-ends ask a person to confirm them.
    """

    seat: Seat
    text: Sentence
    rule: str
    rulings: tuple[str, ...]
    moves: tuple[Move, ...]
    secret: bool = False
    ask_always: bool = False
    party: bool = False
    ends: tuple[tuple[Move, Sentence], ...] = ()


HIDDEN = ""
"""Placeholder for a card of which only the back is visible."""


def mask_cards(cards: Iterable[str], known_cards: Collection[str]) -> tuple[str, ...]:
    """Return cards as a viewer sees them: the ones in `known_cards` first, then HIDDEN for each of the others."""
    all_cards = tuple(cards)
    visible_cards = [card for card in all_cards if card in known_cards]
    return (*visible_cards, *[HIDDEN] * (len(all_cards) - len(visible_cards)))


def masked_zone(title: str, cards: tuple[str, ...], owner: Seat | None = None, kind: ZoneKind = "row") -> Zone:
    """Return a zone with the visible cards and the number of HIDDEN ones."""
    visible_cards = tuple(card for card in cards if card != HIDDEN)
    return Zone(Sentence(title), visible_cards, len(cards) - len(visible_cards), owner, kind)


@dataclass(frozen=True, slots=True)
class Pile:
    """A face-down pile: `unknown` cards, whose order nobody knows, on top of `bottom` cards in the order of drawing."""

    unknown: tuple[str, ...]
    bottom: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.unknown) + len(self.bottom)

    def remove_cards(self, cards: tuple[str, ...]) -> "Pile":
        """Return the pile after `cards` were drawn from its top, in this order.

        Raises IllegalMove if that is impossible.
        """
        unknown = self.unknown
        if len(cards) == 1 and cards[0] in unknown:
            index = unknown.index(cards[0])
            return Pile(unknown[:index] + unknown[index + 1 :], self.bottom)
        unknown_cards = cards[: len(unknown)]
        bottom_cards = cards[len(unknown) :]
        remaining_cards = list(unknown)
        try:
            for card in unknown_cards:
                remaining_cards.remove(card)
        except ValueError:
            raise IllegalMove("A card was drawn twice, or does not lie in that pile.") from None
        if bottom_cards != self.bottom[: len(bottom_cards)]:
            raise IllegalMove("The known cards at the bottom of the pile come in their known order.")
        return Pile(tuple(remaining_cards), self.bottom[len(bottom_cards) :])

    def with_bottom_cards(self, *cards: str) -> "Pile":
        """Return the pile with `cards` put under it, in a known order."""
        return Pile(self.unknown, (*self.bottom, *cards))

    def hide_cards(self) -> "Pile":
        """Return the pile as players see it: with HIDDEN for each unknown card, and with the known bottom."""
        return Pile((HIDDEN,) * len(self.unknown), self.bottom)


@dataclass(frozen=True, slots=True)
class Chance:
    """A turn that luck decides: `count` cards from `pile`, or one of `options`. Its answer is a `draw_move`.

    `name` is a stable word for the journal. `seat` is the seat that gets the cards, None for the table; `open` says
    whether everybody sees them. `gm` marks a choice that a GM without a seat may make in place of luck: `rule` is the
    heading of the rules for it, and `gm_facts` say what the GM aims at.
    """

    name: str
    text: Sentence
    rulings: tuple[str, ...]
    pile: Pile = Pile(())
    count: int = 1
    options: tuple[str, ...] = ()
    seat: Seat | None = None
    open: bool = True
    gm: bool = False
    rule: str = ""
    gm_facts: tuple[Sentence, ...] = ()

    def check(self, move: Move) -> tuple[str, ...]:
        """Return the drawn cards. Raises IllegalMove if chance cannot answer with this move."""
        cards = move.operands
        if move.verb != "draw" or len(cards) != self.count:
            raise IllegalMove(f"'{move.id}' does not answer '{self.name}': {self.count} to draw.")
        if self.options:
            if cards[0] not in self.options:
                raise IllegalMove(f"'{cards[0]}' is none of {', '.join(self.options)}.")
        elif len(cards) != 1 or cards[0] not in self.pile.unknown:
            self.pile.remove_cards(cards)
        return cards


Turn = Prompt | Chance | None
"""A seat's decision, or a turn of luck; None when the game is over."""


def check_move(turn: Turn, move: Move) -> None:
    """Raise IllegalMove unless `move` answers `turn`."""
    if isinstance(turn, Chance):
        turn.check(move)
    elif turn is None:
        raise IllegalMove(f"The game is over; '{move.id}' comes too late.")
    elif move not in turn.moves:
        legal_moves = ", ".join(legal_move.id for legal_move in turn.moves)
        raise IllegalMove(f"'{move.id}' cannot be played now.", hint=f"Possible: {legal_moves}.")


class Rng(Protocol):
    """The part of `random.Random` that samplers need. It is always passed in; games never import it."""

    def shuffle(self, x: list[str], /) -> None: ...

    def randrange(self, n: int, /) -> int: ...
