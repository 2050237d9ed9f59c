"""Games that are a stack of small steps: the top of the stack says whose turn it is."""

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Any, Generic, Protocol, Self, TypeVar

from vaultkit.games.base import State, View
from vaultkit.games.turn import Move, Prompt, Rng, Turn, check
from vaultkit.games.words import Event, Seat, Sentence


class SeatedRules(Protocol):
    """The rules of one game, which know for how many seats they are."""

    @property
    def seats(self) -> int: ...


class Position(Protocol):
    """Everything that lies on the table."""

    def copy(self) -> Self:
        """An independent copy; what cannot change is shared."""


MANY = 3
"""So many cards hardly ever come together again, so that an event about them is not worth keeping."""

StateT = TypeVar("StateT", bound="StackState[Any, Any, Any, Any]")
ViewT = TypeVar("ViewT", bound=View)
RulesT = TypeVar("RulesT", bound=SeatedRules)
PositionT = TypeVar("PositionT", bound=Position)
StepT = TypeVar("StepT", bound="Step[Any]")


class Step(ABC, Generic[StateT]):
    """One small thing that is still to be done. Immutable, so that copies of a state share their steps."""

    __slots__ = ()

    @abstractmethod
    def begin(self, state: StateT) -> Turn:
        """Whose turn it is in this step, changing nothing; or None after doing all that needs no decision."""

    def take(self, state: StateT, move: Move) -> None:
        """Carry out the answer to the turn. The step has left the stack; it may put others there."""
        raise NotImplementedError(f"{type(self).__name__} asks nobody, so '{move.id}' answers nothing.")

    def masked(self, seat: Seat) -> Self:  # noqa: ARG002
        """The step as `seat` knows it."""
        return self

    def unmasked(self, state: StateT, rng: Rng) -> Self:  # noqa: ARG002
        """A masked step with its unknown parts chosen at random, consistent with the cards of `state`."""
        return self


class StackState(State[ViewT], Generic[ViewT, RulesT, PositionT, StepT]):
    """What lies on the table, `at`, and the stack of pending steps. The game is over when none is left.

    Steps change what lies there, put further steps on the stack with `then`, and tell what happened with `tell`.
    """

    __slots__ = ("_told", "_turn", "at", "rules", "seats", "stack")

    def __init__(self, rules: RulesT, at: PositionT, stack: list[StepT]) -> None:
        """A game standing at `at` with `stack` still to be done, the last step first."""
        self.rules = rules
        self.seats = rules.seats
        self.at = at
        self.stack = stack
        self._turn: Turn = None
        self._told: list[Event] = []
        self._settle()

    @property
    def turn(self) -> Turn:
        return self._turn

    def apply(self, move: Move) -> tuple[Event, ...]:
        check(self._turn, move)
        told: list[Event] = []
        self._told = told
        self.stack.pop().take(self, move)
        self._settle()
        return tuple(told)

    def _settle(self) -> None:
        """Do all that needs no decision, until somebody must decide or the game is over."""
        stack = self.stack
        while stack:
            step = stack.pop()
            turn = step.begin(self)
            if turn is not None:
                stack.append(step)
                self._turn = turn
                return
        self._turn = None

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.rules = self.rules
        copy.seats = self.seats
        copy.at = self.at.copy()
        copy.stack = self.stack.copy()
        copy._turn = self._turn
        copy._told = []
        return copy

    @property
    def to_act(self) -> Seat | None:
        """Whoever decides now, None for chance or at the end."""
        turn = self._turn
        return turn.seat if isinstance(turn, Prompt) else None

    def prompt_for(self, seat: Seat) -> Prompt | None:
        """The seat's own decision, if it has one now."""
        turn = self._turn
        return turn if isinstance(turn, Prompt) and turn.seat == seat else None

    # What steps ask and do.

    @property
    def asked(self) -> Prompt:
        """The decision that is being answered."""
        assert isinstance(self._turn, Prompt), "only a decision has a text and a rule"
        return self._turn

    def then(self, *steps: StepT) -> None:
        """Do these steps next, in this order."""
        self.stack += steps[::-1]

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
        make = _event if len(cards) < MANY else _event.__wrapped__
        self._told.append(make(kind, words, rule, rulings, seats, cards, values, seen_by, reveals, notable))


@lru_cache(maxsize=1 << 13)
def _event(  # noqa: PLR0917 - by position, as keys of a cache are twice as fast
    kind: str,
    words: str,
    rule: str,
    rulings: tuple[str, ...],
    seats: tuple[Seat, ...],
    cards: tuple[str, ...],
    values: tuple[str | int, ...],
    seen_by: frozenset[Seat] | None,
    reveals: bool,
    notable: bool,
) -> Event:
    """Events that come up again and again are made once and shared."""
    seat = seats[0] if seats else None
    sentence = Sentence(words, seats, cards, values)
    return Event(kind, sentence, rule, rulings, seat, cards, seen_by, reveals, auto=False, notable=notable)
