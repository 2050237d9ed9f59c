"""Positions set up by hand: where examples in notes and tests of the rules begin."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from vaultkit.cards import Deck
from vaultkit.games.game import State
from vaultkit.games.messages import Seat
from vaultkit.games.options import Options

Place = tuple[str, Seat | None]
"""A zone's name, and the seat that it belongs to, or None for a zone of the table."""
Stack = tuple[str, ...]
"""A card followed by the cards that lie on it, from bottom to top."""


@dataclass
class Arrangement:
    """The cards of some zones, and in `left` the cards that are dealt to the other zones, the first one first.

    `turn` is the seat whose turn it is, and `at` names the moment of the game in the words of its `Arranger`. A zone in
    `zones` holds exactly its cards.
    """

    options: Options
    deck: Deck
    seats: int
    zones: Mapping[Place, tuple[Stack, ...]] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    turn: Seat | None = None
    at: str = ""
    people: frozenset[Seat] = frozenset()

    def names(self, zone: str, seat: Seat | None = None) -> bool:
        """Return whether the cards of this zone are given."""
        return (zone, seat) in self.zones

    def stacks(self, zone: str, seat: Seat | None = None) -> tuple[Stack, ...]:
        """Return the given cards of a zone, each with the cards that lie on it; empty if none are given."""
        return self.zones.get((zone, seat), ())

    def cards(self, zone: str, seat: Seat | None = None) -> tuple[str, ...]:
        """Return the given cards of a zone in one sequence; empty if none are given."""
        return tuple(card for stack in self.stacks(zone, seat) for card in stack)

    def cards_by_seat(self, zone: str) -> list[tuple[str, ...]]:
        """Return the given cards of this zone of each seat."""
        return [self.cards(zone, seat) for seat in range(self.seats)]

    def cards_or_deal(
        self, zone: str, seat: Seat | None, count: int, among: Collection[str] | None = None
    ) -> tuple[str, ...]:
        """Return the given cards of a zone; if none are given, deal `count` cards.

        Only cards in `among` are dealt, unless it is None.
        """
        return self.cards(zone, seat) if self.names(zone, seat) else self.deal(count, among)

    def deal(self, count: int, among: Collection[str] | None = None) -> tuple[str, ...]:
        """Remove and return the first `count` cards of `left`, only cards in `among` unless it is None."""
        drawn = tuple(card for card in self.left if among is None or card in among)[:count]
        self.left = [card for card in self.left if card not in drawn]
        return drawn

    def deal_rest(self, among: Collection[str] | None = None) -> tuple[str, ...]:
        """Remove all cards of `left`, or all that are in `among`, and return them in the order of the deck."""
        drawn = {*self.deal(len(self.left), among)}
        return tuple(card.id for card in self.deck if card.id in drawn)


class Arranger(NamedTuple):
    """How positions of a game are set up: zones of a seat, zones of the table, words for its moments, and its state.

    `make` expects an arrangement that uses only the zones and moments listed here.
    """

    of_seats: tuple[str, ...]
    of_table: tuple[str, ...]
    moments: tuple[str, ...]
    make: Callable[[Arrangement], State[Any]]

    def __call__(self, arrangement: Arrangement) -> State[Any]:
        """Return the state in which the cards lie as arranged. Raises IllegalMove or UsageError if they cannot."""
        return self.make(arrangement)
