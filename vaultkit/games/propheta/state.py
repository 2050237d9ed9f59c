"""A game of Propheta in progress: the position of the cards, and the phase of the deal."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from vaultkit.games.concession import NO_CONCESSIONS, Concessions
from vaultkit.games.messages import Seat
from vaultkit.games.propheta.rules import ProphetaCards, Sheet
from vaultkit.games.task_stack import Position
from vaultkit.games.turn import Move


class Trick(NamedTuple):
    """A finished trick: its cards in the order of play, which are empty or HIDDEN if they are not known."""

    leader: Seat
    cards: tuple[str, ...]
    winner: Seat


class Fulfilled(NamedTuple):
    """A prophecy that was turned up, and the number in the deal, from 1, of the trick that fulfilled it."""

    card: str
    trick: int


DEAL, PREDICT, LOT, PLAY, REVEAL, OVER = "deal", "predict", "lot", "play", "reveal", "over"
"""The phases of a deal in their order; `OVER` is the end of the game."""


@dataclass(slots=True)
class ProphetaPosition(Position):
    """The places of all cards, and whose turn it is.

    `actor` is the seat that is dealt to, decides or is shown something now; `first` led the deal's first trick, None
    before it is settled. `predictions` are the prophecies still face down; `tricks` are those of the present deal.
    `shared` is what the cards of the last trick have in common (`ProphetaCards.traits`). `committed` are the choices in
    a simultaneous reveal, from the trick's winner on, None for one that the viewer does not know. `aside` are the cards
    that were not dealt, all of them before a deal. `deals` are the sheets of finished deals; between two deals the last
    one lies open and is `shown` to all.
    """

    hands: list[tuple[str, ...]]
    predictions: list[tuple[str, ...]]
    fulfilled: list[tuple[Fulfilled, ...]]
    aside: tuple[str, ...]
    first: Seat | None
    phase: str = DEAL
    actor: Seat = 0
    leader: Seat = 0
    tricks: tuple[Trick, ...] = ()
    trick: tuple[str, ...] = ()
    shared: int = 0
    committed: tuple[Move | None, ...] = ()
    deals: tuple[tuple[Sheet, ...], ...] = ()
    shown: bool = False
    concessions: Concessions = NO_CONCESSIONS

    def cards(self) -> Iterator[str]:
        turned_up = (prophecy.card for seat in self.fulfilled for prophecy in seat)
        tricks = (trick.cards for trick in self.tricks)
        return chain(*self.hands, *self.predictions, *tricks, self.trick, self.aside, turned_up)

    def sheet(self, seat: Seat, cards: ProphetaCards) -> Sheet:
        """Return the score sheet of the seat for the present deal so far."""
        won = sum(trick.winner == seat for trick in self.tricks)
        return Sheet.from_prophecies(won, (prophecy.card for prophecy in self.fulfilled[seat]), cards)

    def seats_from(self, first: Seat, card_count: int | None = None) -> tuple[Seat, ...]:
        """Return the seats clockwise from `first` that have not conceded (G-14).

        With `card_count`, the number of cards in a full trick, also seats that conceded after that trick.
        """
        seat_count, conceded_seats = len(self.hands), self.concessions.seats
        if not conceded_seats:
            return (*range(first, seat_count), *range(first))
        left_out = conceded_seats if card_count is None else conceded_seats[: seat_count - card_count]
        return tuple(seat for seat in (*range(first, seat_count), *range(first)) if seat not in left_out)

    def left_of(self, seat: Seat) -> Seat:
        """Return the next seat clockwise that plays, which is `seat` itself if it is the only one."""
        return (*self.seats_from(seat + 1), seat)[0]

    def remove_from_hand(self, seat: Seat, card: str) -> None:
        self.hands[seat] = tuple([held for held in self.hands[seat] if held != card])

    def clear_deal(self, cards: tuple[str, ...]) -> None:
        """Remove everything of the last deal, and set aside `cards`, which are to be dealt next."""
        seats = len(self.hands)
        self.hands, self.predictions, self.fulfilled = [()] * seats, [()] * seats, [()] * seats
        self.tricks, self.aside, self.shared, self.shown = (), cards, 0, False
