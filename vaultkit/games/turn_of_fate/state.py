"""A game of Turn of Fate in progress: where every card is, and the state of the turn."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias

from vaultkit.games.concession import NO_CONCESSIONS, Concessions
from vaultkit.games.messages import Seat
from vaultkit.games.task_stack import Position, StackState, TableView, Task
from vaultkit.games.turn import HIDDEN, Pile, mask_cards
from vaultkit.games.turn_of_fate.rules import RIVAL, FateRules, Stack


class FateEnd(NamedTuple):
    """The end of the game: `no-fate`, `stalled` or `nobody-left`, and for `no-fate` the seat that was stuck."""

    kind: str
    seat: Seat | None = None


class Deeds(NamedTuple):
    """The deeds of a seat so far: Fates played, and among them Moments of Truth and wild Crowns."""

    played: int = 0
    moments: int = 0
    wild: int = 0


@dataclass(slots=True)
class FatePosition(Position):
    """The places of all cards, and the state of the turn.

    `vowed` holds the Citizens in each seat's Temple. `known` holds for each seat every Fate that it has ever seen;
    since nothing is shuffled during the game, the seat knows where each of them lies.
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
    """The Sailor while Player 1 chooses a temple, else "" (TF-1)."""
    player_1: Seat = 0
    temples: tuple[str, ...] = ()
    """The suit of each seat's temple; empty until the temples are settled."""
    mover: Seat = 0
    number: int = 0
    """The number of the turn, from 1; 0 during the setup."""
    active: bool = False
    """Whether anything was played, drawn or introduced in this turn (TF-23)."""
    idle: int = 0
    """The number of turns in a row, up to the last finished one, in which nothing was played, drawn or introduced."""
    end: FateEnd | None = None
    concessions: Concessions = NO_CONCESSIONS

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
    """A game of Turn of Fate whose tasks change the position themselves."""

    __slots__ = ()

    def mask(self, seat: Seat) -> FatePosition:
        """Return the position as `seat` knows it: all open cards, its own hand, and the Fates that it has seen (TF-9).

        Both players have seen the cards in the Temples, so they stay, even if by the option `memory` nobody may look at
        them (TF-28). Of what the rival knows, only cards stay of which the seat knows where they lie.
        """
        at, rival = self.at.copy(), 1 - seat
        known_fates, bottom = at.known[seat], at.fates.bottom
        at.citizens = at.citizens.hide_cards()
        bottom_cards = tuple(card if card in known_fates else HIDDEN for card in bottom)
        at.fates = Pile(mask_cards(at.fates.unknown, ()), bottom_cards)
        at.hands[rival] = mask_cards(sorted(at.hands[rival]), known_fates)
        at.known[rival] = at.known[rival].intersection((*at.hands[seat], *known_fates.intersection(bottom)))
        return at

    # Methods for tasks.

    def rival_suit(self, seat: Seat) -> str:
        """Return the suit of the rival's temple, whose Fates the seat may not take."""
        return RIVAL[self.at.temples[seat]]

    def finish(self, kind: str, seat: Seat | None = None) -> None:
        """End the game; all cards stay where they lie."""
        self.stack.clear()
        self.at.end = FateEnd(kind, seat)


FateTask: TypeAlias = Task[FateState]
FateView: TypeAlias = TableView[FateRules, FatePosition]
