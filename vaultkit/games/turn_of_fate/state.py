"""A game of Turn of Fate in progress: the cards on the table, and what tasks do with them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias

from vaultkit.games.stack import Position, StackState, TableView, Task
from vaultkit.games.turn import HIDDEN, Pile, face_up
from vaultkit.games.turn_of_fate.rules import RIVAL, FateRules, Stack
from vaultkit.games.words import Seat


class End(NamedTuple):
    """How the game ended: `no-fate`, `stalled` or `nobody-left`, and the seat that could do nothing more."""

    kind: str
    seat: Seat | None = None


class Deeds(NamedTuple):
    """The deeds of a seat so far: Fates played, Moments of Truth caused, wild Crowns among them."""

    played: int = 0
    moments: int = 0
    wild: int = 0

    def with_play(self, moment: bool, wild: bool) -> "Deeds":
        """The same with one more Fate."""
        return Deeds(self.played + 1, self.moments + moment, self.wild + wild)


@dataclass(slots=True)
class FatePosition(Position):
    """Everything that lies on the table.

    `known` holds for each seat every Fate that it has ever seen; nothing is shuffled during the game, so it knows
    where each of them lies.
    """

    citizens: Pile
    fates: Pile
    hands: list[tuple[str, ...]]
    known: list[frozenset[str]]
    congregations: list[tuple[Stack, ...]]
    vowed: list[tuple[Stack, ...]]
    deeds: list[Deeds]
    agora: tuple[Stack, ...] = ()
    removed: tuple[str, ...] = ()
    turned_up: str = ""
    """The Sailor, as long as Player 1 chooses a temple (TF-1)."""
    player_1: Seat = 0
    temples: tuple[str, ...] = ()
    """The suit of each seat's temple; empty until that is settled."""
    mover: Seat = 0
    number: int = 0
    """Of the turn, from 1; 0 while the table is set up."""
    active: bool = False
    """Whether anybody has played, drawn or introduced in this turn (TF-23)."""
    idle: int = 0
    """Turns in a row, up to the last finished one, in which nobody did."""
    end: End | None = None

    @property
    def in_play(self) -> tuple[Stack, ...]:
        """Every Citizen in the Congregations and the Agora (TF-6)."""
        return (*self.congregations[0], *self.congregations[1], *self.agora)

    def cards(self) -> Iterator[str]:
        yield from chain(*self.in_play, *self.vowed[0], *self.vowed[1], *self.hands, self.removed)
        for pile in (self.fates, self.citizens):
            yield from (*pile.unknown, *pile.bottom)
        if self.turned_up:
            yield self.turned_up


class FateState(StackState[FateRules, FatePosition]):
    """A game whose tasks change the position themselves."""

    __slots__ = ()

    def mask(self, seat: Seat) -> FatePosition:
        """One's own hand, and what the seat has once put under the deck, wherever that is by now (TF-9).

        What lies in the Temple piles was seen by both, so it is there whatever the option `memory` says of looking it
        up (TF-28). Of the rival's knowledge only that is known which is about cards that the seat can place.
        """
        at, rival = self.at.copy(), 1 - seat
        known, bottom = at.known[seat], at.fates.bottom
        at.citizens = at.citizens.hidden()
        at.fates = Pile(face_up(at.fates.unknown, ()), tuple([card if card in known else HIDDEN for card in bottom]))
        at.hands[rival] = face_up(sorted(at.hands[rival]), known)
        at.known[rival] = at.known[rival].intersection((*at.hands[seat], *known.intersection(bottom)))
        return at

    # What tasks ask and do.

    def rival_suit(self, seat: Seat) -> str:
        """The suit that the seat has no power over."""
        return RIVAL[self.at.temples[seat]]

    def finish(self, kind: str, seat: Seat | None = None) -> None:
        """End the game; all stays where it lies."""
        self.stack.clear()
        self.at.end = End(kind, seat)


FateTask: TypeAlias = Task[FateState]
FateView: TypeAlias = TableView[FateRules, FatePosition]
