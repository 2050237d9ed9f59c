"""Waiting for a program that holds a file open, as Windows lets it: a virus scanner, Obsidian, a sync tool."""

import os
import time
from collections.abc import Callable
from typing import TypeVar

Done = TypeVar("Done")

WAITS = os.name == "nt"
"""Elsewhere an open file is in nobody's way, and a refusal is one for good."""


def retrying(action: Callable[[], Done], pause: float, attempts: int = 6) -> Done:
    """What `action` returns, tried again on Windows while that is refused: after `pause` seconds, then twice that.

    Raises the PermissionError of the last attempt, and any other error at once.
    """
    for attempt in range(attempts - 1 if WAITS else 0):
        try:
            return action()
        except PermissionError:
            time.sleep(pause * 2**attempt)
    return action()
