"""What one seat knows of a game of Dragon Citadel."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.base import View
from vaultkit.games.dragon_citadel.rules import Rules
from vaultkit.games.dragon_citadel.step import Step
from vaultkit.games.words import Seat

if TYPE_CHECKING:
    from vaultkit.games.dragon_citadel.state import End, Forfeit


@dataclass(frozen=True)
class CitadelView(View):
    """The table as `seat` knows it.

    `hands` holds the known cards of each hand: all of them in co-op, else one's own and what was shown of others'.
    `pending` is the stack of what is still to be done, others' sealed cards left out. `rounds` names the kind of
    every round so far, the present one last.
    """

    rules: Rules
    hands: tuple[tuple[str, ...], ...]
    hand_sizes: tuple[int, ...]
    crowns: tuple[tuple[str, ...], ...]
    won: tuple[tuple[str, ...], ...]
    active: tuple[Seat, ...]
    deck_size: int
    bottom: tuple[str, ...]
    discard: tuple[str, ...]
    dealer_hand_size: int
    dealer_card: str | None
    played: tuple[tuple[Seat, str], ...]
    covered: tuple[tuple[Seat, str], ...]
    shown: frozenset[str]
    rounds: tuple[str, ...]
    forfeits: "tuple[Forfeit, ...]"
    end: "End | None"
    pending: tuple[Step, ...]

    @property
    def hand(self) -> tuple[str, ...]:
        """The seat's own hand."""
        return self.hands[self.seat]

    @property
    def seen(self) -> frozenset[str]:
        """Every card whose place the seat knows."""
        piles = (*self.hands, *self.crowns, *self.won, self.discard, self.bottom)
        cards = {card for pile in piles for card in pile}
        cards.update(card for _, card in (*self.played, *self.covered))
        if self.dealer_card is not None:
            cards.add(self.dealer_card)
        return frozenset(cards)
