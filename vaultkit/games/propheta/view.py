"""What one seat knows of a game of Propheta."""

from dataclasses import dataclass
from typing import NamedTuple

from vaultkit.games.base import View
from vaultkit.games.propheta.rules import Rules
from vaultkit.games.propheta.scoring import Sheet
from vaultkit.games.turn import Move
from vaultkit.games.words import Seat


class Trick(NamedTuple):
    """A trick that was played: its cards from the lead on, none of them where they are no longer known."""

    leader: Seat
    cards: tuple[str, ...]
    winner: Seat


class Fulfilled(NamedTuple):
    """A prophecy that was turned up, after which trick of the deal (from 1)."""

    card: str
    trick: int


@dataclass(frozen=True)
class ProphetaView(View):
    """The table as `seat` knows it.

    `hands` and `predictions` (those still face down) hold the known cards of each seat: one's own, and at the end of
    a deal everybody's prophecies. `tricks` are those of this deal, cards left out where the memory is short (VA-22).
    `shared` are the traits that the cards of the last trick share. `committed` are the choices in a simultaneous
    reveal so far, from the trick's winner on, None for another seat's. `deals` are the sheets of finished deals;
    `shown` says that the last of them still lies open. `aside` is None while it is unseen.
    """

    rules: Rules
    phase: str
    hands: tuple[tuple[str, ...], ...]
    hand_sizes: tuple[int, ...]
    predictions: tuple[tuple[str, ...], ...]
    face_down: tuple[int, ...]
    fulfilled: tuple[tuple[Fulfilled, ...], ...]
    tricks: tuple[Trick, ...]
    trick: tuple[str, ...]
    actor: Seat
    leader: Seat
    first: Seat | None
    shared: int
    committed: tuple[Move | None, ...]
    aside: tuple[str, ...] | None
    aside_size: int
    deals: tuple[tuple[Sheet, ...], ...]
    shown: bool

    @property
    def hand(self) -> tuple[str, ...]:
        """The seat's own hand."""
        return self.hands[self.seat]

    @property
    def seen(self) -> frozenset[str]:
        """Every card whose place the seat knows."""
        piles = (*self.hands, *self.predictions, *(trick.cards for trick in self.tricks), self.trick, self.aside or ())
        cards = {card for pile in piles for card in pile}
        cards.update(one.card for turned_up in self.fulfilled for one in turned_up)
        return frozenset(cards)

    def sheet(self, seat: Seat) -> Sheet:
        """What the seat has scored in the present deal so far."""
        won = sum(trick.winner == seat for trick in self.tricks)
        return Sheet.of(won, (one.card for one in self.fulfilled[seat]), self.rules.cards)
