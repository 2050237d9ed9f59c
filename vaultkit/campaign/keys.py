"""The names of properties that hold one number for each player: `score-ysolde-marr`."""

import re
from collections.abc import Iterable
from functools import lru_cache

from vaultkit.vault.writing.escape import clean


def score_keys(names: Iterable[str]) -> list[str]:
    """A property for the score of each player, by the names of their notes, in the order of seats."""
    return [f"score-{key}" for key in player_keys(names)]


def player_keys(names: Iterable[str]) -> list[str]:
    """A different part of a property's name for each player: `ysolde-marr`, `ysolde-marr-2`, `seat-3`."""
    return _distinct(_slug(name) or f"seat-{number}" for number, name in enumerate(names, 1))


@lru_cache(maxsize=1_000)
def _slug(name: str) -> str:
    """Letters and digits of any script, and emoji, joined by hyphens."""
    kept = "".join(char if char.isalnum() or ord(char) > 0x2190 else "-" for char in clean(name).casefold())
    return re.sub("-+", "-", kept).strip("-")


def _distinct(keys: Iterable[str]) -> list[str]:
    found: list[str] = []
    for key in keys:
        copies = (f"{key}-{number}" for number in range(2, 100))
        found.append(key if key not in found else next(copy for copy in copies if copy not in found))
    return found
