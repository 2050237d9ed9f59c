"""A progress bar for work on many notes, which appears on a terminal once the work has taken a second."""

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from vaultkit.cli.output import are_notes_printed

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Thing = TypeVar("Thing")
BAR_DELAY_SECONDS = 1.0
"""The time before a progress bar appears."""

_shown_bars: "list[Progress]" = []
"""The progress bar that is on the screen, or an empty list."""


class Bar:
    """A progress bar on stderr, called with the number of finished items and the total.

    It disappears when all items are finished. If `shows_numbers`, it shows the numbers and the remaining time,
    else only the percentage.
    """

    def __init__(self, description: str = "Reading notes", *, shows_numbers: bool = False) -> None:
        self._description, self._shows_numbers = description, shows_numbers
        self._start_time = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __call__(self, done_count: int, total: int) -> None:
        if not are_notes_printed(redraws_lines=True):
            return
        if self._bar is None and done_count < total and time.monotonic() - self._start_time > BAR_DELAY_SECONDS:
            self._start(total)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done_count)
            if done_count >= total:
                remove_bar()
                self._bar = None

    def track(self, things: Iterable[Thing], total: int) -> Iterator[Thing]:
        """Yield the things from an iterable of `total` things, and update the bar after each."""
        for done_count, thing in enumerate(things, 1):
            yield thing
            self(done_count, total)

    def _start(self, total: int) -> None:
        from rich import progress

        from vaultkit.cli.output import terminal

        remove_bar()
        numbers = (progress.MofNCompleteColumn(), progress.TimeRemainingColumn())
        amount = numbers if self._shows_numbers else (progress.TaskProgressColumn(),)
        columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), *amount)
        self._bar = progress.Progress(*columns, console=terminal(stderr=True), transient=True)
        self._task = self._bar.add_task(self._description, total=total)
        _shown_bars.append(self._bar)  # before the start, so that Ctrl+C during the start removes the bar
        self._bar.start()


def remove_bar() -> None:
    """Remove the progress bar from the screen, if there is one, as before an error is printed."""
    while _shown_bars:
        _shown_bars.pop().stop()
