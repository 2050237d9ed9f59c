"""A bar while many notes are gone through: on a terminal, and only once that has taken a second."""

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from vaultkit.cli.output import is_talkative

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Thing = TypeVar("Thing")
PATIENCE = 1.0
"""Seconds before there is anything to see."""

_shown: "list[Progress]" = []
"""The bars that are on the screen now, at most one."""


class Bar:
    """Called with how many notes are done, of how many; draws on stderr, and is gone when all are done.

    `counted` says whether it shows these numbers and how long it will take, or only the share.
    """

    def __init__(self, doing: str = "Reading notes", *, counted: bool = False) -> None:
        self._doing, self._counted = doing, counted
        self._began = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int) -> None:
        if not is_talkative(drawing=True):
            return
        if self._bar is None and done < total and time.monotonic() - self._began > PATIENCE:
            self._start(total)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done)
            if done >= total:
                take_away()
                self._bar = None

    def over(self, things: Iterable[Thing], total: int) -> Iterator[Thing]:
        """The things as they come, of which there will be `total`."""
        for done, thing in enumerate(things, 1):
            yield thing
            self(done, total)

    def _start(self, total: int) -> None:
        from rich import progress

        from vaultkit.cli.output import terminal

        take_away()
        numbers = (progress.MofNCompleteColumn(), progress.TimeRemainingColumn())
        amount = numbers if self._counted else (progress.TaskProgressColumn(),)
        columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), *amount)
        self._bar = progress.Progress(*columns, console=terminal(stderr=True), transient=True)
        self._task = self._bar.add_task(self._doing, total=total)
        _shown.append(self._bar)  # first, so that Ctrl+C while it starts takes it away
        self._bar.start()


def take_away() -> None:
    """Clears the bar that is on the screen, if there is one, as before an error is told."""
    while _shown:
        _shown.pop().stop()
