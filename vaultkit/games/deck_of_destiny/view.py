"""What the player knows of an encounter: everything but the order of the veiled deck."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.base import View
from vaultkit.games.deck_of_destiny.rules import Rules
from vaultkit.games.deck_of_destiny.step import Step

if TYPE_CHECKING:
    from vaultkit.games.deck_of_destiny.state import Position


@dataclass(frozen=True)
class DestinyView(View):
    """The table. Cards are dealt when they are turned up, so that there is nothing on it that could be hidden."""

    rules: Rules
    at: "Position"
    step: Step

    @property
    def inventory(self) -> tuple[str, ...]:
        """The cards that the character still owns."""
        return self.at.inventory

    @property
    def own(self) -> tuple[str, ...]:
        """The cards laid before the player so far."""
        return self.at.own

    @property
    def board(self) -> tuple[str, ...]:
        """The cards of the board that are turned up."""
        return self.at.shown

    @property
    def seen(self) -> frozenset[str]:
        """Every card that has been seen; those of the table go back to the veiled deck at the end."""
        at = self.at
        ends = () if at.end is None else (*at.end.own, *at.end.board, *at.end.opponent)
        tied = (card for tie in at.ties for card in (*tie.board, *tie.opponent))
        return frozenset((*at.inventory, *at.elsewhere, *at.own, *at.shown, *at.opponent, *ends, *tied))
