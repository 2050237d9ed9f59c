"""The base class of games that are a stack of tasks, in a minimal game that counts down."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from tests.games.citadel import position as citadel
from tests.games.conformance import answer
from tests.games.fate import position as fate
from tests.games.gambit import position as gambit
from vaultkit.games.game import Rules
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.task_stack import Position, StackState, Task
from vaultkit.games.turn import Chance, IllegalMove, Move, Pile, Prompt, Turn, draw_move

AnyState = StackState[Any, Any]

GO, STOP = Move("go"), Move("stop")


@dataclass(slots=True)
class Said(Position):
    """A position: the numbers said so far."""

    numbers: list[int] = field(default_factory=list)

    def cards(self) -> Iterator[str]:
        return map(str, self.numbers)


class Countdown(StackState[Rules[None], Said]):
    __slots__ = ()

    def mask(self, seat: Seat) -> Said:
        return self.at.copy()


Step = Task[Countdown]


class Say(Step):
    """A task without a decision."""

    number: int

    def begin(self, state: Countdown) -> Turn:
        state.at.numbers.append(self.number)
        state.tell("say", "{s0} says {v0}.", "Counting", ("X-1",), seats=(1, 0), values=(self.number,))
        return None


class Ask(Step):
    """A task in which seat 1 may go on, so that 2 and 1 are said, or stop."""

    def begin(self, state: Countdown) -> Turn:
        return Prompt(1, Sentence("Go on?"), "Counting", ("X-2",), (GO, STOP))

    def take(self, state: Countdown, move: Move) -> None:
        if move == GO:
            state.push_tasks(Say(2), Say(1))
        else:
            state.stack.clear()


class Turned(Step):
    """A task in which chance names the last number."""

    def begin(self, state: Countdown) -> Turn:
        return Chance("last", Sentence("The last one"), ("X-3",), Pile(("0", "7")))

    def take(self, state: Countdown, move: Move) -> None:
        state.at.numbers.append(int(move.operands[0]))


def countdown() -> Countdown:
    """Return a countdown in which 3 is said before anybody is asked."""
    return Countdown(Rules(2, {}, frozenset(), None), Said(), [Turned(), Ask(), Say(3)])


def test_tasks_are_executed_in_order_until_a_decision_is_needed() -> None:
    state = countdown()
    assert state.at.numbers == [3] and isinstance(state.turn, Prompt)
    told = state.apply(GO)
    assert state.at.numbers == [3, 2, 1] and isinstance(state.turn, Chance)
    assert [(event.kind, event.seat, event.sentence.values) for event in told] == [("say", 1, (2,)), ("say", 1, (1,))]
    assert state.apply(draw_move("7")) == () and state.turn is None


def test_game_is_over_when_no_task_is_left() -> None:
    state = countdown()
    state.apply(STOP)
    assert state.turn is None and state.view(1).to_act is None
    with pytest.raises(IllegalMove, match="over"):
        state.apply(GO)


def test_unlisted_move_changes_nothing() -> None:
    state = countdown()
    with pytest.raises(IllegalMove, match="stay") as refused:
        state.apply(Move("stay"))
    assert refused.value.hint == "Possible: go, stop."
    state.apply(GO)
    with pytest.raises(IllegalMove):
        state.apply(draw_move("5"))
    assert state.at.numbers == [3, 2, 1] and len(state.stack) == 1


def test_only_the_deciding_seat_has_a_prompt() -> None:
    state = countdown()
    other, own = state.view(0), state.view(1)
    assert other.prompt is None and own.prompt is state.turn is state.prompt
    assert other.to_act == own.to_act == 1
    state.apply(GO)
    assert state.view(1).to_act is None and state.view(1).prompt is None


def test_task_without_a_question_accepts_no_answer() -> None:
    with pytest.raises(NotImplementedError, match="Say asks nobody"):
        Say(1).take(countdown(), GO)


def test_clone_is_independent() -> None:
    state = countdown()
    other = state.clone()
    other.apply(GO)
    assert type(other) is Countdown and other.at.numbers == [3, 2, 1]
    assert state.at.numbers == [3] and isinstance(state.turn, Prompt) and len(state.stack) == 2


def test_events_are_equal_whether_cached_or_new() -> None:
    """Events are equal whether their cards are cached, as short tuples are, or new."""
    for cards in ((), ("a",), ("a", "b", "c", "d")):
        first, second = countdown(), countdown()
        for state in (first, second):
            state.stack.append(Telling(cards))
            state.run_until_turn()
        assert first._events == second._events and first._events[-1].cards == cards


def test_partly_visible_information_is_separate() -> None:
    """A secret is told with its cards to those who know it, here the first seat alone, and without them to others."""
    state = countdown()
    words = "{s0} takes the {c0}.", "{s0} takes a card."
    state.tell_in_two_versions("take", words, "Counting", ("X-5",), seats=(1,), cards=("a",))
    own, others = state._events[-2:]
    assert (own.seen_by, own.cards, own.reveals) == (frozenset({1}), ("a",), True)
    assert (others.seen_by, others.cards, others.reveals) == (frozenset({0}), (), False)


class Telling(Step):
    """A task that tells about cards."""

    cards: tuple[str, ...]

    def begin(self, state: Countdown) -> Turn:
        state.tell("tell", "{cards}", "Counting", ("X-4",), cards=self.cards)
        return None


STARTS: dict[str, Callable[[], AnyState]] = {
    "dragon-citadel": lambda: citadel.arrange_game("5-swords", ("6-swords", "", "seer")).state,
    "prophets-gambit": lambda: gambit.new_game().state,
    "turn-of-fate": lambda: fate.begin("0 9lk").state,
}


@pytest.mark.parametrize("game", STARTS)
def test_a_copy_of_the_position_has_every_part_and_shares_no_list(game: str) -> None:
    """A copy of a position has all parts and shares no list, since games change lists in place."""
    state, rng = STARTS[game](), Random(game)
    for _ in range(30):
        copy = state.at.copy()
        assert copy == state.at
        parts = [(getattr(state.at, name), getattr(copy, name)) for name in state.at.__slots__]
        assert all(own is not other for own, other in parts if isinstance(own, list))
        if state.turn is None:
            return
        state.apply(answer(state, rng))
