"""A game of Propheta in progress: what lies where, and in which phase the deal is."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from vaultkit.games.base import State, View
from vaultkit.games.propheta.rules import Rules
from vaultkit.games.propheta.scoring import Sheet
from vaultkit.games.propheta.told import Told
from vaultkit.games.turn import IllegalMove, Move, Prompt, Turn, refused
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


DEAL, PREDICT, LOT, PLAY, REVEAL, OVER = "deal", "predict", "lot", "play", "reveal", "over"
"""The phases of a deal in their order; a state goes from one to the next by its name."""


class Phase(ABC):
    """Without any state of its own. Phases know each other by name only."""

    @abstractmethod
    def turn(self, state: "ProphetaState") -> Turn:
        """Whose turn it is."""

    @abstractmethod
    def take(self, state: "ProphetaState", move: Move) -> Told:
        """Carry out the answer. Raises IllegalMove, changing nothing, unless the turn lists it."""


class ProphetaState(State[ProphetaView]):
    """Tuples are shared by copies; lists have one entry for each seat.

    `actor` is the seat that is dealt to, decides or is shown something now; `first` led the deal's first trick, None
    before that is settled. `shared` is what the cards of the last trick have in common (`Facts.traits`). `aside` are
    the cards that were not dealt, all of them before a deal. `committed` are the choices in a simultaneous reveal,
    from the trick's winner on. `deals` are the sheets of finished deals; between two deals the last one lies open
    and is `shown` to all.
    """

    __slots__ = (
        "_turn",
        "actor",
        "aside",
        "committed",
        "deals",
        "first",
        "fulfilled",
        "hands",
        "leader",
        "phase",
        "phases",
        "predictions",
        "rules",
        "seats",
        "shared",
        "shown",
        "trick",
        "tricks",
    )

    def __init__(self, rules: Rules, phases: "Mapping[str, Phase]") -> None:
        """A game before its first deal, which goes through `phases` by their names."""
        self.phases = phases
        self.rules = rules
        self.seats = rules.seats
        self.deals: tuple[tuple[Sheet, ...], ...] = ()
        self.leader: Seat = 0
        first = rules.options["first"]
        self.first: Seat | None = first if isinstance(first, int) else None
        self.gather()

    def gather(self) -> None:
        """Put all cards back together for the next deal."""
        seats = self.seats
        self.phase = DEAL
        self.actor: Seat = 0
        self.hands: list[tuple[str, ...]] = [()] * seats
        self.predictions: list[tuple[str, ...]] = [()] * seats
        self.fulfilled: list[tuple[Fulfilled, ...]] = [()] * seats
        self.tricks: tuple[Trick, ...] = ()
        self.trick: tuple[str, ...] = ()
        self.shared = 0
        self.committed: tuple[Move, ...] = ()
        self.aside: tuple[str, ...] = self.rules.cards.ids
        self.shown = False
        self._turn: Turn = None

    @property
    def turn(self) -> Turn:
        if self._turn is None and self.phase != OVER:
            self._turn = self.phases[self.phase].turn(self)
        return self._turn

    def apply(self, move: Move) -> Told:
        if self.phase == OVER:
            raise refused(None, move)
        told = self.phases[self.phase].take(self, move)
        self._turn = None
        return told

    def refused(self, move: Move) -> IllegalMove:
        """What to raise for a move that the prompt does not list."""
        return refused(self.turn, move)

    def clone(self) -> "ProphetaState":
        copy = object.__new__(ProphetaState)
        copy.rules = self.rules
        copy.phases = self.phases
        copy.seats = self.seats
        copy.phase = self.phase
        copy.actor = self.actor
        copy.hands = self.hands.copy()
        copy.predictions = self.predictions.copy()
        copy.fulfilled = self.fulfilled.copy()
        copy.tricks = self.tricks
        copy.trick = self.trick
        copy.leader = self.leader
        copy.first = self.first
        copy.shared = self.shared
        copy.committed = self.committed
        copy.aside = self.aside
        copy.deals = self.deals
        copy.shown = self.shown
        copy._turn = self._turn
        return copy

    def view(self, seat: Seat) -> ProphetaView:
        turn = self.turn
        to_act = turn.seat if isinstance(turn, Prompt) else None
        hands, predictions, shown = self.hands, self.predictions, self.shown
        return ProphetaView(
            seat=seat,
            seats=self.seats,
            prompt=turn if isinstance(turn, Prompt) and to_act == seat else None,
            to_act=to_act,
            rules=self.rules,
            phase=self.phase,
            hands=tuple([hand if owner == seat else () for owner, hand in enumerate(hands)]),
            hand_sizes=tuple(map(len, hands)),
            predictions=tuple([laid if owner == seat or shown else () for owner, laid in enumerate(predictions)]),
            face_down=tuple(map(len, predictions)),
            fulfilled=tuple(self.fulfilled),
            tricks=self.tricks if self.rules.remembers_all else self._last_trick_only(),
            trick=self.trick,
            actor=self.actor,
            leader=self.leader,
            first=self.first,
            shared=self.shared,
            committed=self._own_choice(seat) if self.committed else (),
            aside=self.aside if shown else None,
            aside_size=len(self.aside),
            deals=self.deals,
            shown=shown,
        )

    def _last_trick_only(self) -> tuple[Trick, ...]:
        """VA-22: older tricks lie face down beside their winners."""
        return (*(Trick(old.leader, (), old.winner) for old in self.tricks[:-1]), *self.tricks[-1:])

    def _own_choice(self, seat: Seat) -> tuple[Move | None, ...]:
        """G-3: what others have chosen is sealed."""
        place = (seat - self.leader) % self.seats
        return tuple(move if at == place else None for at, move in enumerate(self.committed))

    def sheet(self, seat: Seat) -> Sheet:
        """What the seat has scored in the present deal so far."""
        won = sum(trick.winner == seat for trick in self.tricks)
        return Sheet.of(won, (one.card for one in self.fulfilled[seat]), self.rules.cards)
