"""Arrow keys and Tab where the terminal can, and no memory of what was typed: hands are typed here too."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

from vaultkit.terminal.terminal_mode import restore_terminal

_COLOUR_ESCAPE = re.compile("\x1b\\[[0-9;]*m")
"""Colours of a prompt, of which the line editor must know that they take no room."""


def ask_line(prompt: str, words: Sequence[str]) -> str:
    """One typed line, which can be edited; Tab completes to any of `words`, anew after each comma, if there are any.

    Raises EOFError at the end of input.
    """
    readline = _import_readline()
    if readline is None:
        return input(prompt)
    with restore_terminal(), _enable_completion(readline, words):
        return input(_COLOUR_ESCAPE.sub("\x01\\g<0>\x02", prompt))


def read_unedited_line() -> str:
    """One typed line as the terminal itself takes it. Raises EOFError at the end of input."""
    sys.stdout.flush()
    if line := sys.stdin.readline():
        return line
    raise EOFError


def can_edit_lines() -> bool:
    """Whether a line can be edited and completed here."""
    return sys.stdin.isatty() and sys.stdout.isatty() and _import_readline() is not None


def completions(text: str, words: Sequence[str]) -> list[str]:
    """The words that go on as `typed` does, in any case; a blank after a comma stays."""
    stripped_text = text.lstrip()
    blanks = text[: len(text) - len(stripped_text)]
    return [blanks + word for word in words if word.casefold().startswith(stripped_text.casefold())]


@contextmanager
def _enable_completion(readline: ModuleType, words: Sequence[str]) -> Iterator[None]:
    old, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_auto_history(False)
    readline.set_completer_delims(",")
    readline.set_completer(_make_completer(words))
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(old)
        readline.set_completer_delims(delimiters)


def _make_completer(words: Sequence[str]) -> Callable[[str, int], str | None]:
    def complete(text: str, place: int) -> str | None:
        return dict(enumerate(completions(text, words))).get(place)

    return complete


def _import_readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:  # Windows has none
        return None
    return readline
