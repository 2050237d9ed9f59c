"""The setup of positions by hand, from which examples in notes and tests of the rules begin."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from vaultkit.cards import Deck
from vaultkit.games.game import State
from vaultkit.games.messages import Seat
from vaultkit.games.options import Options

ZoneKey = tuple[str, Seat | None]
"""The key of a zone: its name, and the seat that owns it, or None for a zone of the table."""
Stack = tuple[str, ...]
"""A card followed by the cards that lie on it, from bottom to top."""


@dataclass
class Arrangement:
    """The given cards of some zones, and in `left` the cards to deal to the other zones, in the order of dealing.

    A zone in `zones` has exactly the cards given there. `turn` is the seat whose turn it is, None for the default, and
    `at` is one of the `moments` of the game's `Arranger`, "" for the default.
    """

    options: Options
    deck: Deck
    seats: int
    zones: Mapping[ZoneKey, tuple[Stack, ...]] = field(default_factory=dict)
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
        """Return, for each seat, the given cards of its zone of this name."""
        return [self.cards(zone, seat) for seat in range(self.seats)]

    def given_or_dealt_cards(
        self, zone: str, seat: Seat | None, card_count: int, allowed_cards: Collection[str] | None = None
    ) -> tuple[str, ...]:
        """Return the given cards of a zone or, if the zone is not given, deal `card_count` cards to it.

        Only cards in `allowed_cards` are dealt, unless it is None.
        """
        return self.cards(zone, seat) if self.names(zone, seat) else self.deal(card_count, allowed_cards)

    def deal(self, card_count: int, allowed_cards: Collection[str] | None = None) -> tuple[str, ...]:
        """Remove and return the first `card_count` cards of `left`, only cards in `allowed_cards` unless it is None."""
        dealt_cards = tuple(card for card in self.left if allowed_cards is None or card in allowed_cards)[:card_count]
        self.left = [card for card in self.left if card not in dealt_cards]
        return dealt_cards

    def deal_rest(self, allowed_cards: Collection[str] | None = None) -> tuple[str, ...]:
        """Remove the cards of `left` and return them in the order of the deck.

        Only cards in `allowed_cards` are removed, unless it is None.
        """
        dealt_cards = {*self.deal(len(self.left), allowed_cards)}
        return tuple(card.id for card in self.deck if card.id in dealt_cards)


class Arranger(NamedTuple):
    """The function `make` that sets up positions of a game, and the names that an arrangement for it may use.

    `of_seats` are the zones of each seat, `of_table` those of the table, `moments` the values of `Arrangement.at`.
    `make` raises IllegalMove or UsageError if the cards cannot lie so.
    """

    of_seats: tuple[str, ...]
    of_table: tuple[str, ...]
    moments: tuple[str, ...]
    make: Callable[[Arrangement], State[Any]]
