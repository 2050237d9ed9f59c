"""Base classes for games whose course is a stack of small tasks: the task on top says whose turn it is."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, Generic, Self, TypeVar, dataclass_transform

from vaultkit.games.concession import CONCEDE, Concessions
from vaultkit.games.game import Rules, State, View
from vaultkit.games.messages import SINGLE_SEAT_SETS, Event, Seat, Sentence, other_seats
from vaultkit.games.turn import HIDDEN, IllegalMove, Move, Prompt, Rng, Turn, check_move

MIN_UNCACHED_CARDS = 3
"""The number of cards from which an event is not cached, since the same cards hardly ever come together again."""

SeatChoices = tuple[tuple[Seat, Move | None], ...]
"""The choices that seats have made so far, as pairs of seat and move; None is one that the viewer may not know."""


class Position(ABC):
    """Everything that lies on the table: tasks change it, and a seat's view holds a masked copy.

    Games extend it as dataclasses with slots. Lists have one entry for each seat; all other values, such as tuples, are
    never changed, so copies share them. `concessions` are the seats that have given up (G-14).
    """

    __slots__ = ()
    concessions: Concessions

    @abstractmethod
    def cards(self) -> Iterator[str]:
        """Yield every card, wherever it lies; HIDDEN for each one that is masked."""

    @property
    def seen(self) -> frozenset[str]:
        """Every card that is not masked."""
        return frozenset(self.cards()) - {HIDDEN}

    def copy(self) -> Self:
        """Return an independent copy, quickly: search copies states by the thousand."""
        copy_class, *values = _field_getter(type(self))(self)
        copy: Self = copy_class(*[value.copy() if type(value) is list else value for value in values])
        return copy


@cache
def _field_getter(position_class: Any) -> "attrgetter[tuple[Any, ...]]":
    """Return a function that takes a position of this class and returns its class and the values of all its fields."""
    return attrgetter("__class__", *(field.name for field in fields(position_class)))


RulesT = TypeVar("RulesT", bound=Rules[Any])
PositionT = TypeVar("PositionT", bound=Position)
StateT = TypeVar("StateT", bound="StackState[Any, Any]")


@dataclass_transform(frozen_default=True)
class Task(ABC, Generic[StateT]):
    """One small thing that is still to be done.

    Every subclass is a frozen dataclass, since copies of a state share tasks.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True)(cls)

    @abstractmethod
    def begin(self, state: StateT) -> Turn:
        """Return the turn if the task needs a decision, changing nothing; otherwise do the task and return None."""

    def take(self, state: StateT, move: Move) -> None:
        """Carry out the move that answers the task's turn. The task is off the stack by then and may push others."""
        raise NotImplementedError(f"{type(self).__name__} asks nobody, so '{move.id}' answers nothing.")

    def mask(self, state: StateT, seat: Seat) -> Self:  # noqa: ARG002
        """Return the task without what `seat` does not know of it."""
        return self

    def unmask(self, state: StateT, rng: Rng) -> Self:  # noqa: ARG002
        """Return a masked task with its unknown parts chosen at random, consistent with the cards of `state`."""
        return self

    def remove_seat(self, seat: Seat) -> "Task[StateT] | None":
        """Return the task after `seat` has conceded, or None if it is no longer to be done (G-14)."""
        if hasattr(self, "waiting"):
            changes: Any = {"waiting": tuple(other for other in self.waiting if other != seat)}
            return type(self)(**{**vars(self), **changes})
        return None if seat in (getattr(self, "seat", None), getattr(self, "target", None)) else self


class SecretChoices(Task[StateT]):
    """A task in which several seats choose in secret, one after the other, before all choices are carried out.

    The seats in `waiting` still have to choose, in this order; those in `made` have chosen.
    """

    waiting: tuple[Seat, ...]
    made: SeatChoices = ()

    @abstractmethod
    def moves(self, state: StateT, seat: Seat) -> tuple[Move, ...]:
        """Return the moves that the seat may choose, which depend only on its own hand and on what all have seen."""

    @abstractmethod
    def ask(self, state: StateT, seat: Seat) -> Prompt:
        """Return the prompt that asks the seat for its choice."""

    @abstractmethod
    def finish(self, state: StateT) -> None:
        """Carry out the choices of all seats."""

    @property
    def chosen(self) -> tuple[tuple[Seat, Move], ...]:
        """The choices made so far, without those that the viewer may not know."""
        return tuple([(seat, move) for seat, move in self.made if move is not None])

    def begin(self, state: StateT) -> Turn:
        if self.waiting:
            return self.ask(state, self.waiting[0])
        self.finish(state)
        return None

    def remove_seat(self, seat: Seat) -> Self:
        waiting = tuple(other for other in self.waiting if other != seat)
        return replace(self, waiting=waiting, made=tuple(choice for choice in self.made if choice[0] != seat))

    def record_choice(self, move: Move) -> Self:
        """Return the task that is left when the first of `waiting` has chosen this move."""
        return replace(self, waiting=self.waiting[1:], made=(*self.made, (self.waiting[0], move)))

    def mask(self, state: StateT, seat: Seat) -> Self:  # noqa: ARG002
        return replace(self, made=tuple((who, move if who == seat else None) for who, move in self.made))

    def unmask(self, state: StateT, rng: Rng) -> Self:
        return replace(self, made=tuple((who, move or self._guess(state, who, rng)) for who, move in self.made))

    def _guess(self, state: StateT, seat: Seat, rng: Rng) -> Move:
        """Return a random choice for a seat whose choice is not known."""
        moves = self.moves(state, seat)
        return moves[rng.randrange(len(moves))]


@dataclass(frozen=True)
class TableView(View, Generic[RulesT, PositionT]):
    """The table as `seat` knows it.

    In `at`, HIDDEN stands for every card that the seat does not know, unless the game itself says otherwise. `pending`
    is the masked stack of tasks that are still to be done. A view shares its lists with nothing, and nobody changes
    them.
    """

    rules: RulesT
    at: PositionT
    pending: tuple[Task[Any], ...]

    @property
    def seen(self) -> frozenset[str]:
        return self.at.seen


class TableState(State[TableView[RulesT, PositionT]], Generic[RulesT, PositionT]):
    """The state of a game: the cards lie as in `at`, and it is played by `rules`."""

    __slots__ = ("_turn", "at", "rules", "seats")

    def __init__(self, rules: RulesT, at: PositionT) -> None:
        self.rules = rules
        self.seats = rules.seats
        self.at = at
        self._turn: Turn = None

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.rules = self.rules
        copy.seats = self.seats
        copy.at = self.at.copy()
        copy._turn = self._turn
        return copy

    def cards(self) -> Iterator[str]:
        return self.at.cards()

    def view(self, seat: Seat) -> TableView[RulesT, PositionT]:
        turn = self.turn
        prompt = turn if isinstance(turn, Prompt) else None
        acting_seat = prompt.seat if prompt else None
        own_prompt = prompt if acting_seat == seat else None
        known_cards, tasks = self.mask(seat), self.pending_tasks(seat)
        return TableView(seat, self.seats, own_prompt, acting_seat, self.rules, known_cards, tasks)

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that still play: those that have not conceded (G-14)."""
        conceded_seats = self.at.concessions.seats
        return tuple(seat for seat in range(self.seats) if seat not in conceded_seats)

    def record_concession(self, move: Move) -> Event:
        """Record the concession of a seat, and return its event (G-14).

        It ends the game if the party plays together, or if then nobody, one seat or no person plays on. Raises
        IllegalMove, changing nothing, if it is not the seat's own turn.
        """
        turn, is_party, seat = self.turn, self.rules.options.get("mode") == "coop", int(move.operands[0])
        if seat not in self.deciding_seats:
            raise IllegalMove("A seat can concede only when it is its own turn (G-14).")
        remaining_seats = () if is_party else tuple(other for other in self.playing if other != seat)
        is_end = len(remaining_seats) <= 1 or self.rules.people.isdisjoint(remaining_seats)
        conceded_seats = self.playing if is_party else (*self.at.concessions.seats, seat)
        self.at.concessions = Concessions(conceded_seats, is_end)
        words = "The party gives up: {s0} says so for all." if is_party else "{s0} concedes."
        rule = turn.rule if isinstance(turn, Prompt) else ""
        return Event(CONCEDE, Sentence(words, (seat,)), rule, ("G-14",), seat)

    @abstractmethod
    def mask(self, seat: Seat) -> PositionT:
        """Return a copy of `at` in which all that `seat` does not know is masked."""

    def pending_tasks(self, seat: Seat) -> tuple[Task[Any], ...]:  # noqa: ARG002
        """Return the tasks that are still to be done, as `seat` knows them."""
        return ()


class StackState(TableState[RulesT, PositionT]):
    """A game with a stack of tasks, which is over when none is left.

    Tasks change what lies on the table, put further tasks on the stack with `push_tasks`, and report events with
    `tell`.
    """

    __slots__ = ("_events", "stack")

    def __init__(self, rules: RulesT, at: PositionT, stack: list[Task[Any]]) -> None:
        """Start at the position `at` with the tasks in `stack`, of which the last one is done first."""
        super().__init__(rules, at)
        self.stack = stack
        self._events: list[Event] = []
        self.run_until_turn()

    @classmethod
    def from_view(cls, view: TableView[RulesT, PositionT], at: PositionT, rng: Rng) -> Self:
        """Return a state that could be behind a view, with `at` as the position of all cards.

        `at` has no hidden cards and must agree with the view. What the view hides of tasks is chosen at random.
        """
        state = cls(view.rules, at, [])
        state.stack = [task.unmask(state, rng) for task in view.pending]
        state.run_until_turn()
        return state

    @property
    def turn(self) -> Turn:
        return self._turn

    def apply(self, move: Move) -> tuple[Event, ...]:
        events: list[Event] = []
        if move.verb == CONCEDE:
            events.append(self.record_concession(move))
            self._events = events
            self.settle_concession()
        else:
            check_move(self._turn, move)
            self._events = events
            self.stack.pop().take(self, move)
        self.run_until_turn()
        return tuple(events)

    def run_until_turn(self) -> None:
        """Do the tasks on the stack that need no decision, until one needs a turn or the game is over."""
        stack = self.stack
        while stack:
            task = stack.pop()
            turn = task.begin(self)
            if turn is not None:
                stack.append(task)
                self._turn = turn
                return
        self._turn = None

    @property
    def deciding_seats(self) -> tuple[Seat, ...]:
        task = self.stack[-1] if self.stack else None
        if isinstance(task, SecretChoices) and isinstance(self._turn, Prompt) and self._turn.secret:
            return (*task.waiting, *(seat for seat, _ in task.made))
        return super().deciding_seats

    def settle_concession(self) -> None:
        """End the game after a concession, or take the seat that has conceded out of the tasks to come (G-14)."""
        concessions = self.at.concessions
        remaining_tasks = (task.remove_seat(concessions.seats[-1]) for task in self.stack)
        self.stack = [] if concessions.is_end else [task for task in remaining_tasks if task is not None]

    @property
    def reported(self) -> tuple[Event, ...]:
        """The events reported so far for the move that is being carried out."""
        return tuple(self._events)

    def carry_out(self, deed: Callable[[Self], object]) -> tuple[Event, ...]:
        """Call a function that does what happened at a real table, and return the events that it reports.

        No turns are taken, and the stack is empty afterwards.
        """
        events: list[Event] = []
        self._events = events
        deed(self)
        self.stack.clear()
        return tuple(events)

    def clone(self) -> Self:
        copy = super().clone()
        copy.stack = self.stack.copy()
        copy._events = []
        return copy

    def pending_tasks(self, seat: Seat) -> tuple[Task[Any], ...]:
        return tuple([task.mask(self, seat) for task in self.stack])

    # Methods for tasks.

    @property
    def prompt(self) -> Prompt:
        """The prompt that the present move answers."""
        assert isinstance(self._turn, Prompt), "only a decision has a text and a rule"
        return self._turn

    def push_tasks(self, *tasks: Task[Any]) -> None:
        """Push tasks on the stack so that they are done next, in this order."""
        self.stack += tasks[::-1]

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
        detail: str = "",
    ) -> None:
        """Report an event of the present move, which `words` describe; its seat is the first of `seats`.

        `rule` is a heading of the rule note. `seen_by` are the seats that may know of it, None for all. `reveals` means
        that it shows something hidden, `notable` that a story of the game tells it. `detail` tells events of one kind
        apart.
        """
        make_event = _make_event if len(cards) < MIN_UNCACHED_CARDS else _make_event.__wrapped__
        seat, sentence_parts = seats[0] if seats else None, (words, seats, cards, values)
        event = make_event(sentence_parts, kind, rule, rulings, seat, cards, seen_by, reveals, notable, detail)
        self._events.append(event)

    def tell_in_two_versions(
        self,
        kind: str,
        words: tuple[str, str],
        rule: str,
        rulings: tuple[str, ...],
        *,
        seats: tuple[Seat, ...],
        cards: tuple[str, ...],
        values: tuple[str | int, ...] = (),
        knowing: frozenset[Seat] | None = None,
    ) -> None:
        """Report one event in two versions: to the seats that may know the cards, and to all others.

        Seats in `knowing`, by default only the first of `seats`, get the first of `words` with the cards; the others
        get the second without them.
        """
        knowing = knowing or SINGLE_SEAT_SETS[seats[0]]
        own, others = words
        self.tell(kind, own, rule, rulings, seats=seats, cards=cards, values=values, seen_by=knowing, reveals=True)
        unknowing = other_seats(knowing, self.seats)
        self.tell(kind, others, rule, rulings, seats=seats, values=values, seen_by=unknowing)


@lru_cache(maxsize=1 << 13)
def _make_event(sentence_parts: tuple[Any, ...], kind: str, *details: Any) -> Event:
    """Return an event; events that occur again and again are made once and shared."""
    return Event(kind, Sentence(*sentence_parts), *details)
