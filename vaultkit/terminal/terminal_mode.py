"""How the terminal takes typing: without showing a move that was typed too early, and in the end as it was before."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any


@contextmanager
def restore_terminal() -> Iterator[tuple[int, list[Any]] | None]:
    """After this block, and where the system ends the program in it, the terminal takes typing as before.

    Yields the terminal and its mode, None where there is none that can be told.
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
    """Within this block a terminal shows nothing of what is typed, where it can be told so, but ends of lines."""
    with restore_terminal() as saved_terminal:
        if saved_terminal and sys.platform != "win32":
            import termios

            terminal, mode = saved_terminal
            mode[3] = (mode[3] & ~(termios.ECHO | termios.ECHONL)) | (termios.ECHONL if line_ends else 0)
            termios.tcsetattr(terminal, termios.TCSADRAIN, mode)
        yield


@contextmanager
def discard_typing() -> Iterator[None]:
    """Words typed at a terminal within this block do not show, and answer nothing that is asked after it."""
    with hide_typing(line_ends=False):
        try:
            yield
        finally:
            if sys.stdin.isatty():
                _flush_input()


def _flush_input() -> None:
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
    else:
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


@contextmanager
def run_before_sigterm(do: Callable[[], None]) -> Iterator[None]:
    """Within this block SIGTERM does that first, and then what it would have done. Windows has no such signal."""
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
