"""Pauses between the moves of bots, so that people can follow them; Enter ends a pause."""

import sys
import time
from collections.abc import Callable

from vaultkit.terminal import commands
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.line_editing import read_unedited_line
from vaultkit.terminal.terminal_mode import hide_typing

WaitFunction = Callable[[float], str]


def wait_for_enter(seconds: float) -> str:
    """Wait so long, or until a line is typed, which does not show; that line. Raises EOFError at the end of input."""
    if sys.platform == "win32" or not sys.stdin.isatty():
        time.sleep(seconds)
        return ""
    import select

    with hide_typing(line_ends=False):
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        return read_unedited_line() if ready else ""


class BotDelay:
    """Gives people time to read. What takes a while by itself, such as a bot that thinks, counts."""

    def __init__(
        self, seconds: float = 0, clock: Callable[[], float] = time.monotonic, wait: WaitFunction = wait_for_enter
    ) -> None:
        self._seconds, self._clock, self._wait = seconds, clock, wait
        self._until = 0.0

    def begin(self) -> None:
        """Something stands on the screen that people want to read."""
        self._until = self._clock() + self._seconds

    def end(self) -> None:
        """Wait until they had the time for it. Raises Leave where they leave instead."""
        left, self._until = self._until - self._clock(), 0.0
        if left > 0 and commands.is_leaving(self._wait(left)):
            raise PlayerQuit
