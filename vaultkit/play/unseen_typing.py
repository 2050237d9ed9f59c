"""Typing that does not show: a move typed too early must not stand on the screen that everybody sees."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from vaultkit.play.terminating import before_death


@contextmanager
def unseen_typing(*, line_ends: bool = True) -> Iterator[None]:
    """Within this block a terminal shows nothing of what is typed, where it can be told so, but ends of lines."""
    try:
        import termios
    except ImportError:  # Windows has none
        yield
        return
    try:
        terminal = sys.stdin.fileno()
        old = termios.tcgetattr(terminal)
    except (OSError, ValueError, termios.error):  # a file, or nothing at all
        yield
        return
    new = old[:]
    new[3] = (new[3] & ~(termios.ECHO | termios.ECHONL)) | (termios.ECHONL if line_ends else 0)
    restore = partial(termios.tcsetattr, terminal, termios.TCSADRAIN, old)
    termios.tcsetattr(terminal, termios.TCSADRAIN, new)
    try:
        with before_death(restore):
            yield
    finally:
        restore()
