"""Typing that does not show: a move typed too early must not stand on the screen that everybody sees."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from vaultkit.play.terminating import before_death


@contextmanager
def unseen_typing() -> Iterator[None]:
    """Within this block a terminal shows nothing of what is typed but the ends of lines, where it can be told so."""
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
    new[3] = (new[3] & ~termios.ECHO) | termios.ECHONL
    restore = partial(termios.tcsetattr, terminal, termios.TCSADRAIN, old)
    termios.tcsetattr(terminal, termios.TCSADRAIN, new)
    try:
        with before_death(restore):
            yield
    finally:
        restore()
