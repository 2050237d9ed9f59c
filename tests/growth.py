"""How the time of a task grows with what it is given, as a ratio in one run: no machine is too slow for that."""

import gc
from collections.abc import Callable
from time import process_time

TIMES = 8
IN_STEP = 24
"""More than TIMES, for what is done once and for a machine that is busy, and less than its square."""


def growth(task: Callable[[int], object], size: int) -> float:
    """CPU time of `task(size)`, by that of an eighth: about 8 where each thing takes its time, 64 where each pair does.

    The best of three. What takes less than a chore of some milliseconds has not grown.
    """
    small, large = (min(_seconds(lambda n=part: task(n)) for _ in range(3)) for part in (size // TIMES, size))
    chore = min(_seconds(lambda: sum(range(300_000))) for _ in range(3))
    return (large + chore) / (small + chore)


def _seconds(task: Callable[[], object]) -> float:
    """Without the garbage collector, which takes the longer the more the tests before have left."""
    gc.collect()
    gc.disable()
    try:
        started = process_time()
        task()
        return process_time() - started
    finally:
        gc.enable()
