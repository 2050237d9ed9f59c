"""How the terminal takes typing: without showing a move that was typed too early, and in the end as it was before."""

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType, ModuleType
from typing import Any

_KEY_CHECK_SECONDS = 0.05
_KEY_PREFIXES = ("\x00", "\xe0")
"""The first of the two characters of an arrow or function key in the console of Windows."""
_console_keys: list[str] = []
"""The keys of a line that is not ended yet, in the console of Windows."""
_COLOUR_ESCAPE = re.compile("\x1b\\[[0-9;]*m")
"""Colours of a prompt, of which the line editor must know that they take no room."""


@contextmanager
def restore_terminal() -> Iterator[tuple[int, list[Any]] | None]:
    """Restore the terminal's mode after the block, also when a signal ends the program in it.

    Yields the terminal and its mode; None on Windows and where stdin is no terminal.
    """
    if sys.platform == "win32":
        yield None
        return
    import termios

    try:
        terminal = sys.stdin.fileno()
        mode = termios.tcgetattr(terminal)
    except (OSError, ValueError, termios.error):  # a file, or nothing at all
        yield None
        return
    restore = partial(termios.tcsetattr, terminal, termios.TCSADRAIN, mode)
    try:
        with run_before_sigterm(restore):
            yield terminal, mode[:]
    finally:
        restore()


@contextmanager
def hide_typing(*, line_ends: bool = True) -> Iterator[None]:
    """Hide typing within the block, except line ends, if the terminal supports it."""
    with restore_terminal() as saved_terminal:
        if saved_terminal and sys.platform != "win32":
            import termios

            terminal, mode = saved_terminal
            mode[3] = (mode[3] & ~(termios.ECHO | termios.ECHONL)) | (termios.ECHONL if line_ends else 0)
            termios.tcsetattr(terminal, termios.TCSADRAIN, mode)
        yield


@contextmanager
def discard_typing() -> Iterator[None]:
    """Hide and discard everything typed at a terminal within the block."""
    with hide_typing(line_ends=False):
        try:
            yield
        finally:
            if sys.stdin.isatty():
                _flush_input()


def _flush_input() -> None:
    if sys.platform == "win32":
        _flush_console()
    else:
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


@contextmanager
def run_before_sigterm(do: Callable[[], None]) -> Iterator[None]:
    """Call a function before SIGTERM has its usual effect within this block. Windows has no such signal."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    old = signal.getsignal(signal.SIGTERM)

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        signal.signal(signal.SIGTERM, old)
        do()
        os.kill(os.getpid(), signal.SIGTERM)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, old)


def ask_line(prompt: str, words: Sequence[str]) -> str:
    """Return a typed line, which can be edited; Tab completes to any of `words`, anew after each comma.

    Raises EOFError at the end of input.
    """
    readline = _import_readline()
    if readline is None:
        return input(prompt)
    with restore_terminal(), _enable_completion(readline, words):
        return input(_COLOUR_ESCAPE.sub("\x01\\g<0>\x02", prompt))


def wait_for_enter(seconds: float) -> str:
    """Wait that long, or until a line is typed, which does not show; return that line. Raises EOFError.

    What is typed without Enter stays for the next wait, until `discard_typing` ends.
    """
    if not sys.stdin.isatty():
        time.sleep(seconds)
        return ""
    if sys.platform == "win32":
        return _wait_for_console_line(time.monotonic() + seconds)
    import select

    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    return read_unedited_line() if ready else ""


def _wait_for_console_line(until: float) -> str:
    """Return the line typed in the console of Windows, "" if there is none in time. Raises KeyboardInterrupt."""
    import msvcrt

    while time.monotonic() < until:
        if not msvcrt.kbhit():  # type: ignore[attr-defined, unused-ignore]
            time.sleep(_KEY_CHECK_SECONDS)
            continue
        key = msvcrt.getwch()  # type: ignore[attr-defined, unused-ignore]
        if key == "\x03":
            raise KeyboardInterrupt
        if key in "\r\n":
            line = "".join(_console_keys) + "\n"
            _console_keys.clear()
            return line
        if key in _KEY_PREFIXES:
            msvcrt.getwch()  # type: ignore[attr-defined, unused-ignore]
        elif key == "\b":
            del _console_keys[-1:]
        else:
            _console_keys.append(key)
    return ""


def _flush_console() -> None:
    """Discard the keys typed in the console of Windows and not read."""
    import msvcrt

    _console_keys.clear()
    while msvcrt.kbhit():  # type: ignore[attr-defined, unused-ignore]
        msvcrt.getwch()  # type: ignore[attr-defined, unused-ignore]


def read_unedited_line() -> str:
    """Return a typed line without editing of our own. Raises EOFError at the end of input."""
    sys.stdout.flush()
    if line := sys.stdin.readline():
        return line
    raise EOFError


def can_edit_lines() -> bool:
    """Return whether lines can be edited and completed in this terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty() and _import_readline() is not None


def completions(text: str, words: Sequence[str]) -> list[str]:
    """Return the words that begin with `typed` in any case; a blank after a comma is kept."""
    stripped_text = text.lstrip()
    blanks = text[: len(text) - len(stripped_text)]
    return [blanks + word for word in words if word.casefold().startswith(stripped_text.casefold())]


@contextmanager
def _enable_completion(readline: ModuleType, words: Sequence[str]) -> Iterator[None]:
    old, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_auto_history(False)
    readline.set_completer_delims(",")
    readline.set_completer(lambda text, place: dict(enumerate(completions(text, words))).get(place))
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(old)
        readline.set_completer_delims(delimiters)


def _import_readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:  # Windows has none
        return None
    return readline
