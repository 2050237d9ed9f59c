"""A line on the terminal that says which file is worked on, once a command has been silent for two seconds.

It does not appear while people have the terminal for themselves, as in a game or at a question.
"""

import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import TypeVar

from vaultkit import files, stdio
from vaultkit.cli.output import BEFORE_OUTPUT, are_notes_printed
from vaultkit.terminal.safe_text import strip_controls

Thing = TypeVar("Thing")
FILE_COMMANDS = frozenset({"ask", "check", "doctor", "games", "links", "log", "notes", "print", "sessions", "stats"})
"""The commands that say which file they work on if they take long."""
DELAY_SECONDS = 2.0
"""The time without output before the line appears."""
_REDRAW_SECONDS = 0.2
_LOCK_TIMEOUT_SECONDS = 0.5


class ProgressLine:
    """The line at the bottom of the terminal, which a thread redraws until the command prints something or ends."""

    def __init__(self) -> None:
        self.work = ""
        self._stopped: Event | None = None
        self._quiet_since, self._text, self._old_file = 0.0, "", ""

    def start(self) -> None:
        """Begin to watch the command, if stderr is a terminal and messages are printed."""
        if self._stopped is None and are_notes_printed(redraws_lines=True):
            self._stopped, self._lock, self._quiet_since = Event(), Lock(), time.monotonic()
            for functions in (BEFORE_OUTPUT, stdio.BEFORE_HOLD):
                functions.append(self.erase)
            with suppress(RuntimeError):  # the system starts no more threads
                Thread(target=self._redraw, args=(self._stopped,), daemon=True).start()

    def stop(self) -> None:
        """Erase the line, and let it not come again."""
        if self._stopped is not None:
            self._stopped.set()
            self._stopped = None
            for functions in (BEFORE_OUTPUT, stdio.BEFORE_HOLD):
                functions.remove(self.erase)
            self.erase()

    def erase(self) -> None:
        """Erase the line before other output or a question; it comes again when another file is worked on."""
        self._set_text("", restarts=True)

    def _redraw(self, stopped: Event) -> None:
        while not stopped.wait(_REDRAW_SECONDS):
            if time.monotonic() - self._quiet_since > DELAY_SECONDS and (text := self._describe_work()):
                self._set_text(text)

    def _describe_work(self) -> str:
        file = str(files.LAST_READ[0])
        file = "" if file == self._old_file else file
        with suppress(OSError, ValueError):  # the current folder is gone, or on another drive
            file = os.path.relpath(file) if file else ""
        file = strip_controls(file)
        work = self.work or ("Working on" if file else "")
        text = f"{self.work}: {file}" if self.work and file else f"{work} {file}".strip()
        width = max(shutil.get_terminal_size().columns - 1, 20)
        width = width if text.isascii() else width // 2  # other characters may be two columns wide
        return text if len(text) <= width else f"{text[: width // 2 - 1]}…{text[-(width // 2) :]}"

    def _set_text(self, text: str, *, restarts: bool = False) -> None:
        if not self._lock.acquire(timeout=_LOCK_TIMEOUT_SECONDS):  # a process that was forked in this moment
            return
        try:
            if restarts:
                self._quiet_since, self._old_file = time.monotonic(), str(files.LAST_READ[0])
            elif self._stopped is None or self._stopped.is_set() or stdio.is_terminal_held():
                return
            if text != self._text:
                blanks = " " * (len(self._text) if self._text.isascii() else 2 * len(self._text))
                data = f"\r{blanks}\r{text}".encode(errors="replace")
                console = getattr(getattr(sys.stderr.buffer, "raw", None), "console", None)  # of Windows
                console.write(data) if console else os.write(sys.stderr.fileno(), data)
                self._text = text
        except (OSError, ValueError):  # nobody can read it
            pass
        finally:
            self._lock.release()


LINE = ProgressLine()


class Bar:
    """The progress of work on many items, called with the number of finished items and the total."""

    def __init__(self, description: str = "Reading notes") -> None:
        self._description = description

    def __call__(self, done_count: int, total: int) -> None:
        LINE.start()
        LINE.work = f"{self._description}, {done_count:,} of {total:,}" if done_count < total else ""

    def track(self, things: Iterable[Thing], total: int) -> Iterator[Thing]:
        """Yield the things from an iterable of `total` things, and report the progress after each."""
        for done_count, thing in enumerate(things, 1):
            yield thing
            self(done_count, total)
