"""Typing in the console of Windows during a bot's pause, with a keyboard that stands in for the module `msvcrt`."""

import sys
import time
from collections import deque
from types import ModuleType

import pytest

from vaultkit.terminal import terminal_mode


class Keyboard(ModuleType):
    """A stand-in for `msvcrt` whose keys were all pressed before."""

    def __init__(self, keys: str) -> None:
        super().__init__("msvcrt")
        self.keys = deque(keys)

    def kbhit(self) -> bool:
        """Return whether a key waits."""
        return bool(self.keys)

    def getwch(self) -> str:
        """Return the next key, without showing it."""
        return self.keys.popleft()


def press(monkeypatch: pytest.MonkeyPatch, keys: str) -> Keyboard:
    """Return a keyboard on which these keys were pressed, which the program reads from now on."""
    keyboard = Keyboard(keys)
    monkeypatch.setitem(sys.modules, "msvcrt", keyboard)
    return keyboard


def wait(seconds: float = 5) -> str:
    """Return the line that ends a pause."""
    return terminal_mode._wait_for_console_line(time.monotonic() + seconds)


def test_enter_ends_a_pause_and_gives_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = time.monotonic()
    keyboard = press(monkeypatch, "q\rb")
    assert wait() == "q\n" and "".join(keyboard.keys) == "b"
    assert time.monotonic() - begin < 4


def test_backspace_deletes_and_arrow_keys_type_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    press(monkeypatch, "\b\xe0Hqx\b\x00;\r")
    assert wait() == "q\n"


def test_line_is_ended_in_a_later_pause_unless_it_was_dropped_before(monkeypatch: pytest.MonkeyPatch) -> None:
    press(monkeypatch, "q")
    assert wait(0.1) == ""
    press(monkeypatch, "\r")
    assert wait() == "q\n"
    press(monkeypatch, "q")
    assert wait(0.1) == ""
    keyboard = press(monkeypatch, "ab")
    terminal_mode._flush_console()
    assert not keyboard.keys, "what was typed too early answers nothing"
    press(monkeypatch, "\r")
    assert wait() == "\n"


def test_ctrl_c_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    press(monkeypatch, "a\x03")
    with pytest.raises(KeyboardInterrupt):
        wait()
    terminal_mode._flush_console()
