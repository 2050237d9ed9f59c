"""A bar while many notes are read: on a terminal, and only once that has taken a second."""

import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds before there is anything to see."""


class ReadingBar:
    """Called with how many notes were read, of how many; draws on stderr, and is gone when all are read."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int) -> None:
        if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
            return
        if self._bar is None and done < total and time.monotonic() - self._began > PATIENCE:
            self._start(total)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done)
            if done >= total:
                self._bar.stop()
                self._bar = None

    def _start(self, total: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        from vaultkit.cli.output import terminal

        columns = (TextColumn("Reading notes"), BarColumn(), MofNCompleteColumn())
        self._bar = Progress(*columns, console=terminal(stderr=True), transient=True)
        self._task = self._bar.add_task("Reading notes", total=total)
        self._bar.start()
