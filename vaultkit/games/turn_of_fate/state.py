"""A game of Turn of Fate in progress: the cards on the table, and the stack of what is still to be done."""

from dataclasses import dataclass
from typing import NamedTuple

from vaultkit.games.base import State
from vaultkit.games.turn import Chance, IllegalMove, Move, Pile, Prompt, Turn
from vaultkit.games.turn_of_fate.facts import RIVAL, Rules, Stack
from vaultkit.games.turn_of_fate.step import Step
from vaultkit.games.turn_of_fate.view import FateView
from vaultkit.games.words import Event, Outcome, Seat, Sentence

SEATS = 2


class End(NamedTuple):
    """How the game ended: `no-fate`, `stalled` or `nobody-left`, and the seat that could do nothing more."""

    kind: str
    seat: Seat | None = None


class Tally(NamedTuple):
    """What a seat has done so far: Fates played, Moments of Truth caused, wild Crowns among them."""

    played: int = 0
    moments: int = 0
    wild: int = 0


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


class FateState(State[FateView]):
    """The position and the stack of pending steps; the top of the stack says whose turn it is."""

    __slots__ = ("_told", "_turn", "at", "rules", "seats", "stack")

    def __init__(self, rules: Rules, position: Position, stack: list[Step]) -> None:
        """A game standing at `position` with `stack` still to be done, the last step first."""
        self.rules = rules
        self.seats = SEATS
        self.at = position
        self.stack = stack
        self._turn: Turn = None
        self._told: list[Event] = []
        self._settle()

    @property
    def turn(self) -> Turn:
        return self._turn

    def apply(self, move: Move) -> tuple[Event, ...]:
        self._check(move)
        self._told = []
        self.stack.pop().take(self, move)
        self._settle()
        told, self._told = self._told, []
        return tuple(told)

    def _check(self, move: Move) -> None:
        turn = self._turn
        if isinstance(turn, Chance):
            turn.check(move)
        elif turn is None:
            raise IllegalMove(f"The game is over; '{move.id}' comes too late.")
        elif move not in turn.moves:
            raise IllegalMove(
                f"'{move.id}' cannot be played now.", hint=f"Possible: {', '.join(m.id for m in turn.moves)}."
            )

    def _settle(self) -> None:
        """Do all that needs no decision, until somebody must decide or the game is over."""
        while self.at.end is None:
            step = self.stack.pop()
            turn = step.begin(self)
            if turn is not None:
                self.stack.append(step)
                self._turn = turn
                return
        self.stack.clear()
        self._turn = None

    def clone(self) -> "FateState":
        at = self.at
        copy = object.__new__(FateState)
        copy.rules = self.rules
        copy.seats = SEATS
        copy.at = Position(
            at.citizens,
            at.fates,
            at.hands.copy(),
            at.known.copy(),
            at.congregations.copy(),
            at.vowed.copy(),
            at.tallies.copy(),
            at.agora,
            at.removed,
            at.player_1,
            at.temples,
            at.mover,
            at.number,
            at.active,
            at.idle,
            at.end,
        )
        copy.stack = self.stack.copy()
        copy._turn = self._turn
        copy._told = []
        return copy

    def view(self, seat: Seat) -> FateView:
        at, turn = self.at, self._turn
        to_act = turn.seat if isinstance(turn, Prompt) else None
        known, rivals = at.known[seat], at.known[1 - seat]
        return FateView(
            seat=seat,
            seats=SEATS,
            prompt=turn if isinstance(turn, Prompt) and to_act == seat else None,
            to_act=to_act,
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

    def outcome(self) -> Outcome | None:
        from vaultkit.games.turn_of_fate.ending import outcome

        return outcome(self) if self.at.end else None

    # What steps ask and do.

    def rival_suit(self, seat: Seat) -> str:
        """The suit that the seat has no power over."""
        return RIVAL[self.at.temples[seat]]

    def in_play(self) -> tuple[Stack, ...]:
        """Every Citizen in the Congregations and the Agora (TF-6)."""
        at = self.at
        return (*at.congregations[0], *at.congregations[1], *at.agora)

    def then(self, *steps: Step) -> None:
        """Do these steps next, in this order."""
        self.stack.extend(reversed(steps))

    def finish(self, kind: str, seat: Seat | None = None) -> None:
        """End the game; all stays where it lies."""
        self.at.end = End(kind, seat)

    def tell(
        self,
        kind: str,
        words: str,
        rule: str,
        rulings: tuple[str, ...],
        *,
        seats: tuple[Seat, ...] = (),
        cards: tuple[str, ...] = (),
        values: tuple[str | int, ...] = (),
        seen_by: frozenset[Seat] | None = None,
        reveals: bool = False,
        notable: bool = False,
    ) -> None:
        """Report an event; its seat is the first of `seats`."""
        sentence = Sentence(words, seats, cards, values)
        seat = seats[0] if seats else None
        self._told.append(
            Event(kind, sentence, rule, rulings, seat, cards, seen_by, reveals, auto=False, notable=notable)
        )
