"""A terminal of fixed size that runs a command, types lines at its questions, and keeps the text that it shows."""

import os
import re
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

import pexpect

COLUMNS, LINES = 92, 50
_QUIET = 0.1
"""Seconds without output after which a line that ends like a question is taken for one, not for half a line."""
_PATIENCE = 60
"""Seconds without output after which a program that has asked nothing is given up."""
_QUESTION = re.compile(r"(?:[›:]|Enter\.|seen it\.|go on\.|nothing\)|= yes\)) ?$")
"""The end of every question; the cursor stays on the question's line."""
_HIDING = re.compile(r"(?:\x1b\[\?1049h|\x1b\[2J|\x1b\[H)+")
_UNCOVERING = re.compile(r"(?:\x1b\[2J|\x1b\[H)*\x1b\[\?1049l")
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\]8;;[^\x1b]*\x1b\\|\x1b[=>]|\x07")
_LAST_COLUMN = re.compile(r". \r\x1b\[A(?:\x1b\[C)+\x1b\[K")
"""The sequence with which the line editor draws a letter in the last column, before it draws it again."""
_ERASED = re.compile(r"[^\r\n]*\r +\r")
"""A line of progress that blanks were written over."""
_TWICE = re.compile(r"\(The screen is cleared\.\)\n+(?=\(The screen is cleared)")


class Terminal:
    """A shell command that runs in a terminal of its own, started in `folder`."""

    def __init__(self, command: str, folder: Path, environment: Mapping[str, str]) -> None:
        size = {"TERM": "xterm", "COLUMNS": str(COLUMNS), "LINES": str(LINES)}
        self._program = pexpect.spawn(
            "/bin/sh", ["-c", command], cwd=folder, env={**environment, **size},
            dimensions=(LINES, COLUMNS), encoding="utf-8",
        )  # fmt: skip
        self._program.delaybeforesend = None
        self._shown = ""
        self._new = ""

    def waits(self) -> bool:
        """Read on until the program asks something (True) or has ended (False). Raises TimeoutError if it does neither.

        A question is recognised by the form of the last line, and by no output after it.
        """
        while not self._program.closed:
            asked = bool(_QUESTION.search(self._new.rpartition("\n")[2]))
            try:
                self._new += self._program.read_nonblocking(4096, _QUIET if asked else _PATIENCE)
            except pexpect.TIMEOUT:
                if asked:
                    return True
                raise TimeoutError(f"The program does not go on: {self.last_line}") from None
            except pexpect.EOF:
                self._program.close()
        return False

    def type(self, line: str) -> None:
        """Type a line and Enter."""
        self._shown, self._new = self._shown + self._new, ""
        self._program.sendline(line)

    def kill(self) -> None:
        """Kill the program's process group with SIGKILL, and note it in the text."""
        if sys.platform != "win32":  # for mypy: pexpect has no terminals on Windows
            os.killpg(self._program.pid, signal.SIGKILL)
        self._program.close()
        self._new += "\r\nKilled\r\n"

    @property
    def last_line(self) -> str:
        """The last line of the output, up to the cursor."""
        return self._new.rpartition("\n")[2]

    @property
    def text(self) -> str:
        """The whole output so far, without control sequences."""
        return readable(self._shown + self._new)


def readable(shown: str) -> str:
    """Return terminal output as plain text; notes in parentheses mark where the screen is cleared or restored."""
    text = shown.replace("\r\n", "\n")
    text = _UNCOVERING.sub("\n(The screen is cleared, and what all have seen is back on it.)\n", text)
    text = _HIDING.sub("\n(The screen is cleared.)\n", text)
    text = _LAST_COLUMN.sub("", text)
    text = _ERASED.sub("", text)
    text = _CONTROL.sub("", text).replace("\r", "")
    text = _TWICE.sub("", "\n".join(line.rstrip() for line in text.splitlines()))
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n")
