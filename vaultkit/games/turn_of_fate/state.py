"""A game of Turn of Fate in progress: the cards on the table, and the stack of what is still to be done."""

from dataclasses import dataclass
from typing import NamedTuple

from vaultkit.games import stack
from vaultkit.games.base import View
from vaultkit.games.stack import StackState
from vaultkit.games.turn import Pile
from vaultkit.games.turn_of_fate.facts import RIVAL, Rules, Stack
from vaultkit.games.words import Seat


class Step(stack.Step["FateState"]):
    """One small thing that is still to be done. All that a step holds is known to both players."""

    __slots__ = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that lie with this step, and in no place on the table."""
        return ()


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


class End(NamedTuple):
    """How the game ended: `no-fate`, `stalled` or `nobody-left`, and the seat that could do nothing more."""

    kind: str
    seat: Seat | None = None


class Tally(NamedTuple):
    """What a seat has done so far: Fates played, Moments of Truth caused, wild Crowns among them."""

    played: int = 0
    moments: int = 0
    wild: int = 0

    def with_play(self, moment: bool, wild: bool) -> "Tally":
        """The same with one more Fate."""
        return Tally(self.played + 1, self.moments + moment, self.wild + wild)


@dataclass(slots=True)
class Position:
    """Everything that lies on the table; tuples are shared by copies, lists have one entry for each seat.

    `known` holds for each seat every Fate that it has ever seen; nothing is shuffled during the game, so it knows
    where each of them lies.
    """

    citizens: Pile
    fates: Pile
    hands: list[tuple[str, ...]]
    known: list[frozenset[str]]
    congregations: list[tuple[Stack, ...]]
    vowed: list[tuple[Stack, ...]]
    tallies: list[Tally]
    agora: tuple[Stack, ...] = ()
    removed: tuple[str, ...] = ()
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

    def copy(self) -> "Position":
        """An independent copy, written by hand because search copies states by the thousand."""
        return Position(
            self.citizens,
            self.fates,
            self.hands.copy(),
            self.known.copy(),
            self.congregations.copy(),
            self.vowed.copy(),
            self.tallies.copy(),
            self.agora,
            self.removed,
            self.player_1,
            self.temples,
            self.mover,
            self.number,
            self.active,
            self.idle,
            self.end,
        )


class FateState(StackState[FateView, Rules, Position, Step]):
    """A game whose steps change the position themselves."""

    __slots__ = ()

    def view(self, seat: Seat) -> FateView:
        at = self.at
        known, rivals = at.known[seat], at.known[1 - seat]
        return FateView(
            seat=seat,
            seats=self.seats,
            prompt=self.prompt_for(seat),
            to_act=self.to_act,
            rules=self.rules,
            player_1=at.player_1,
            temples=at.temples,
            mover=at.mover,
            number=at.number,
            idle=at.idle,
            active=at.active,
            citizens_unknown=len(at.citizens.unknown),
            citizens_under=at.citizens.bottom,
            fates_unknown=len(at.fates.unknown),
            under=tuple(card if card in known else None for card in at.fates.bottom),
            hands=tuple(
                hand if owner == seat else tuple(sorted(known.intersection(hand)))
                for owner, hand in enumerate(at.hands)
            ),
            hand_sizes=tuple(map(len, at.hands)),
            congregations=tuple(at.congregations),
            agora=at.agora,
            vowed=tuple(at.vowed),
            removed=at.removed,
            shown=rivals.intersection((*at.hands[seat], *known.intersection(at.fates.bottom))),
            tallies=tuple(at.tallies),
            end=at.end,
            pending=tuple(self.stack),
        )

    # What steps ask and do.

    def rival_suit(self, seat: Seat) -> str:
        """The suit that the seat has no power over."""
        return RIVAL[self.at.temples[seat]]

    def in_play(self) -> tuple[Stack, ...]:
        """Every Citizen in the Congregations and the Agora (TF-6)."""
        at = self.at
        return (*at.congregations[0], *at.congregations[1], *at.agora)

    def finish(self, kind: str, seat: Seat | None = None) -> None:
        """End the game; all stays where it lies."""
        self.stack.clear()
        self.at.end = End(kind, seat)
