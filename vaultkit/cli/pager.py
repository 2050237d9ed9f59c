"""A pager for long help texts, on terminals only."""

import io
import os
import pydoc
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from vaultkit.cli.output import can_draw
from vaultkit.stdio import hold_terminal

_LESS_OPTIONS = "FRX"
"""The options of less if `LESS` is not set: leave a short text on the screen, and show colours."""


class _TerminalText(io.StringIO):
    """A text that is printed as if on the terminal."""

    def isatty(self) -> bool:
        return True


@contextmanager
def paged_output() -> Iterator[None]:
    """Show the text printed on stdout in a pager if it does not fit the terminal.

    `PAGER` names the pager; an empty `PAGER` means none. A dumb terminal has none.
    """
    command = _pager_command()
    if not command:
        yield
        return
    text_file = _TerminalText()
    with redirect_stdout(text_file):
        yield
    text = text_file.getvalue()
    if text.count("\n") < shutil.get_terminal_size().lines:
        sys.stdout.write(text)
        return
    with hold_terminal():
        if sys.platform == "win32":
            from rich.text import Text

            pydoc.tempfilepager(Text.from_ansi(text).plain, command)
        else:
            os.environ.setdefault("LESS", _LESS_OPTIONS)
            pydoc.pipepager(text, command)


def _pager_command() -> str:
    """Return the command of the pager, "" without a terminal that can use one or if no pager is installed."""
    if not (can_draw() and sys.stdin.isatty()):
        return ""
    if "PAGER" in os.environ:
        words = shlex.split(os.environ["PAGER"], posix=sys.platform != "win32")
        return os.environ["PAGER"] if words and shutil.which(words[0].strip('"')) else ""
    if sys.platform == "win32":
        return "more <"
    return next((name for name in ("less", "more") if shutil.which(name)), "")
