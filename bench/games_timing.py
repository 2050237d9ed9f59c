"""What both sides of the games bench share: processor seconds of one thing done again and again, and one JSON object.

It runs under the Python of the peers, too, so that it imports nothing but the standard library.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T")

STATES = 20
"""So many games half played are copied, in turns."""

ITERATIONS = 100
"""Of each measured search."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Processor `seconds` for doing something so many `times`, with so many `actions` (moves and deals) in all."""

    seconds: float
    times: int
    actions: int


def repeated(work: Callable[[], int], seconds: float) -> Spent:
    """Do `work`, which returns the number of its actions, until that many processor seconds are spent.

    The first time is left out: it fills caches. The garbage collector runs as it would in life.
    """
    work()
    times = actions = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds or not times:
        actions += work()
        times += 1
    return Spent(spent, times, actions)


def copied(clones: Sequence[Callable[[], object]], seconds: float) -> Spent:
    """Make copies, of each in turn, until a fifth of that many processor seconds is spent: they are very many."""

    def once() -> int:
        for clone in clones:
            clone()
        return len(clones)

    spent = repeated(once, seconds / 5)
    return Spent(spent.seconds, spent.actions, spent.actions)


def once_each(works: Sequence[Callable[[], object]]) -> float:
    """Processor seconds of doing each of `works` once; the first is done once more before, to fill caches."""
    works[0]()
    begun = time.process_time()
    for work in works:
        work()
    return time.process_time() - begun


def searched(seconds: float) -> int:
    """How many positions are searched: the same whatever the machine, since the later ones have less to search."""
    return max(2, round(10 * seconds))


class Pick(Generic[T]):
    """One position out of a game of unknown length, each as likely as the others.

    `kept` is the position and the number of actions before it; None in a game without a choice.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._offered = 0
        self.kept: tuple[T, int] | None = None

    def wants(self) -> bool:
        """Whether to keep the next thing, in place of the one that is kept."""
        self._offered += 1
        return not self._rng.randrange(self._offered)


Measure = Callable[[float], Mapping[str, Spent | list[float]]]


def answer(measures: Mapping[str, Measure]) -> None:
    """Print as JSON what the measure named on the command line found, in about the given seconds for each game."""
    found = measures[sys.argv[1]](float(sys.argv[2]))
    print(json.dumps({name: asdict(one) if isinstance(one, Spent) else one for name, one in found.items()}))
