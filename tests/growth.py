"""How the time of a task grows with what it is given, as a ratio in one run: no machine is too slow for that."""

from collections.abc import Callable
from time import process_time

TIMES = 4


def growth(task: Callable[[int], object], size: int) -> float:
    """CPU time of `task(size)`, by that of a quarter: about 4 where each thing takes its time, 16 where each pair does.

    The best of three. What takes less than a chore of some milliseconds has not grown.
    """
    small, large = (min(_seconds(lambda n=part: task(n)) for _ in range(3)) for part in (size // TIMES, size))
    chore = min(_seconds(lambda: sum(range(300_000))) for _ in range(3))
    return (large + chore) / (small + chore)


def _seconds(task: Callable[[], object]) -> float:
    started = process_time()
    task()
    return process_time() - started
