"""Arrow keys and Tab where the terminal can, and no memory of what was typed: hands are typed here too."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

from vaultkit.play.terminal_mode import restored_terminal

_ESCAPES = re.compile("\x1b\\[[0-9;]*m")
"""Colours of a prompt, of which the line editor must know that they take no room."""


def ask(prompt: str, words: Sequence[str]) -> str:
    """One typed line, which can be edited; Tab completes to any of `words`, anew after each comma, if there are any.

    Raises EOFError at the end of input.
    """
    readline = _readline()
    if readline is None:
        return input(prompt)
    with restored_terminal(), _completing(readline, words):
        return input(_ESCAPES.sub("\x01\\g<0>\x02", prompt))


def unedited() -> str:
    """One typed line as the terminal itself takes it. Raises EOFError at the end of input."""
    sys.stdout.flush()
    if typed := sys.stdin.readline():
        return typed
    raise EOFError


def available() -> bool:
    """Whether a line can be edited and completed here."""
    return sys.stdin.isatty() and sys.stdout.isatty() and _readline() is not None


def completions(typed: str, words: Sequence[str]) -> list[str]:
    """The words that go on as `typed` does, in any case; a blank after a comma stays."""
    bare = typed.lstrip()
    blanks = typed[: len(typed) - len(bare)]
    return [blanks + word for word in words if word.casefold().startswith(bare.casefold())]


@contextmanager
def _completing(readline: ModuleType, words: Sequence[str]) -> Iterator[None]:
    old, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_auto_history(False)
    readline.set_completer_delims(",")
    readline.set_completer(_completer(words))
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(old)
        readline.set_completer_delims(delimiters)


def _completer(words: Sequence[str]) -> Callable[[str, int], str | None]:
    def complete(typed: str, place: int) -> str | None:
        return dict(enumerate(completions(typed, words))).get(place)

    return complete


def _readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:  # Windows has none
        return None
    return readline
