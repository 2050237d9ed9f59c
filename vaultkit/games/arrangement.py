"""Cards that lie on the table as somebody wants them: where examples in notes begin, and tests of the rules."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from vaultkit.cards import Deck
from vaultkit.games.base import State
from vaultkit.games.options import Options
from vaultkit.games.words import Seat

Place = tuple[str, Seat | None]
"""A zone by its name, of a seat or, with None, of the table."""
Stack = tuple[str, ...]
"""A card with those that lie on it, the lowest first."""


@dataclass
class Arrangement:
    """The cards of some zones, and the others as they would be dealt, the first of `left` first.

    `turn` is whose turn it is, and `at` where the game stands, in the words of its `Arranger`. A zone that is named
    holds exactly its cards.
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
        """Whether somebody has said what lies there."""
        return (zone, seat) in self.zones

    def stacks(self, zone: str, seat: Seat | None = None) -> tuple[Stack, ...]:
        """The cards of a zone with those that lie on them."""
        return self.zones.get((zone, seat), ())

    def cards(self, zone: str, seat: Seat | None = None) -> tuple[str, ...]:
        """The cards of a zone, one after the other."""
        return tuple(card for stack in self.stacks(zone, seat) for card in stack)

    def each(self, zone: str) -> list[tuple[str, ...]]:
        """The cards of the zone of every seat."""
        return [self.cards(zone, seat) for seat in range(self.seats)]

    def dealt(self, zone: str, seat: Seat | None, count: int, among: Collection[str] | None = None) -> tuple[str, ...]:
        """The cards of a zone; of one that nobody has named so many of those left, as far as they are `among` these."""
        return self.cards(zone, seat) if self.names(zone, seat) else self.deal(count, among)

    def deal(self, count: int, among: Collection[str] | None = None) -> tuple[str, ...]:
        """So many of the cards left, which lie somewhere then."""
        drawn = tuple(card for card in self.left if among is None or card in among)[:count]
        self.left = [card for card in self.left if card not in drawn]
        return drawn

    def rest(self, among: Collection[str] | None = None) -> tuple[str, ...]:
        """All the cards left, in the order of the deck."""
        drawn = {*self.deal(len(self.left), among)}
        return tuple(card.id for card in self.deck if card.id in drawn)


class Arranger(NamedTuple):
    """How a game is set up: the zones of a seat, those of the table, the words for where it may stand, and its state.

    `make` has all that is named in the right places.
    """

    of_seats: tuple[str, ...]
    of_table: tuple[str, ...]
    moments: tuple[str, ...]
    make: Callable[[Arrangement], State[Any]]

    def __call__(self, laid: Arrangement) -> State[Any]:
        """The state in which the cards lie so. Raises IllegalMove or UsageError where they cannot."""
        return self.make(laid)
