"""What one seat knows of a game of Prophet's Gambit."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.games.base import View
from vaultkit.games.prophets_gambit.rules import Rules
from vaultkit.games.prophets_gambit.step import Step
from vaultkit.games.words import Seat

if TYPE_CHECKING:
    from vaultkit.games.prophets_gambit.state import Judged


@dataclass(frozen=True)
class GambitView(View):
    """The table as `seat` knows it.

    `hands` holds the known cards of each hand, all of one's own; `fates` each seat's Fate, None where it is unknown
    or not dealt yet, which `dealt` tells apart. `remembered` are the cards in other hands and Fates that the seat has
    seen. `shown` are the piles in front of the players, the top card last. `waiting` are the seats whose turn is
    still to come in this round, `forced` a marionette and which card it was told to play.
    """

    rules: Rules
    dealer: Seat | None
    round: int
    hands: tuple[tuple[str, ...], ...]
    hand_sizes: tuple[int, ...]
    fates: tuple[str | None, ...]
    dealt: tuple[bool, ...]
    remembered: frozenset[str]
    shown: tuple[tuple[str, ...], ...]
    kept: tuple[tuple[str, ...], ...]
    focus: str | None
    common_size: int
    discard: tuple[str, ...]
    high_size: int
    high_discard: tuple[str, ...]
    turned: str | None
    waiting: tuple[Seat, ...]
    forced: tuple[Seat, str] | None
    risks: tuple[tuple[Seat, str], ...]
    reshuffles: int
    judged: "Judged | None"
    donjon: Seat | None
    over: bool
    pending: tuple[Step, ...]

    @property
    def hand(self) -> tuple[str, ...]:
        """The seat's own hand."""
        return self.hands[self.seat]

    @property
    def fate(self) -> str | None:
        """The seat's own Fate."""
        return self.fates[self.seat]

    @property
    def seen(self) -> frozenset[str]:
        """Every card whose place the seat knows."""
        piles = (*self.hands, *self.shown, *self.kept, self.discard, self.high_discard)
        cards = {card for pile in piles for card in pile}
        cards.update(card for card in (*self.fates, self.focus, self.turned) if card is not None)
        return frozenset(cards)
