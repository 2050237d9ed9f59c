"""What one seat knows of a game of Turn of Fate."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.base import View
from vaultkit.games.turn_of_fate.facts import Rules, Stack
from vaultkit.games.turn_of_fate.step import Step
from vaultkit.games.words import Seat

if TYPE_CHECKING:
    from vaultkit.games.turn_of_fate.state import End, Tally


@dataclass(frozen=True)
class FateView(View):
    """The table as `seat` knows it.

    `hands` holds the known cards of each hand: all of one's own, and those of the rival's that the seat has once put
    under the deck. `fates_unknown` is how many Fates nobody knows lie on top of the known bottom of the deck, which
    is `under`, next card first, None for what the rival put there unseen (TF-9). `shown` names those
    of the own hand and under the deck that the rival has seen as well. `citizens_unknown` and
    `citizens_under` say the same of the Citizen Deck. `temples` is empty until the temples are settled. What lies in
    the Temple piles was seen by both, so it is here whatever the option `memory` says of looking it up (TF-28).
    """

    rules: Rules
    player_1: Seat
    temples: tuple[str, ...]
    mover: Seat
    number: int
    idle: int
    active: bool
    citizens_unknown: int
    citizens_under: tuple[str, ...]
    fates_unknown: int
    under: tuple[str | None, ...]
    hands: tuple[tuple[str, ...], ...]
    hand_sizes: tuple[int, ...]
    congregations: tuple[tuple[Stack, ...], ...]
    agora: tuple[Stack, ...]
    vowed: tuple[tuple[Stack, ...], ...]
    removed: tuple[str, ...]
    shown: frozenset[str]
    tallies: "tuple[Tally, ...]"
    end: "End | None"
    pending: tuple[Step, ...]

    @property
    def hand(self) -> tuple[str, ...]:
        """The seat's own hand."""
        return self.hands[self.seat]

    @property
    def rival(self) -> Seat:
        """The other seat."""
        return 1 - self.seat

    @property
    def in_play(self) -> tuple[Stack, ...]:
        """Every Citizen in the Congregations and the Agora."""
        return (*self.congregations[0], *self.congregations[1], *self.agora)

    @property
    def seen(self) -> frozenset[str]:
        """Every card whose place the seat knows."""
        stacks = (*self.in_play, *self.vowed[0], *self.vowed[1])
        cards = {card for stack in stacks for card in stack}
        cards.update(self.removed, self.citizens_under, *self.hands)
        cards.update(card for card in self.under if card is not None)
        cards.update(card for step in self.pending for card in step.cards)
        return frozenset(cards)
