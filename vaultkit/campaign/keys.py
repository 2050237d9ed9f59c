"""The names of properties by which our notes are known and read back: `vaultkit-session`, `score-ysolde-marr`."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from vaultkit.vault.writing.escape import clean

SESSION = "vaultkit-session"
"""The property by which the note of a game is known; its value is the session's id."""
DEFINITION = "vaultkit-definition"
"""The property of a game that is known by its score sheet: the id of the definition by which it was logged."""
READING = "vaultkit-reading"
"""The same of a reading."""
MATCH = "match"
"""The property of the note of a match; its value is how many games there were at most."""
SCORE = "score-"
"""The beginning of the properties of scores."""


def block_id(session: str) -> str:
    """The block id, without `^`, by which the campaign note knows the line of a game or a reading."""
    return f"vk-{session}"


def game_key(number: int) -> str:
    """The property with the winners of a game of a match; what it ends in besides is about the same game."""
    return f"game-{number}"


def score_keys(names: Iterable[str]) -> list[str]:
    """A property for the score of each player, by the names of their notes, in the order of seats."""
    return [f"{SCORE}{key}" for key in player_keys(names)]


def player_keys(names: Iterable[str]) -> list[str]:
    """A different part of a property's name for each player: `ysolde-marr`, `ysolde-marr-2`, `seat-3`."""
    found: list[str] = []
    for number, name in enumerate(names, 1):
        key = _slug(name) or f"seat-{number}"
        copies = (f"{key}-{copy}" for copy in range(2, 100))
        found.append(key if key not in found else next(copy for copy in copies if copy not in found))
    return found


@lru_cache(maxsize=1_000)
def _slug(name: str) -> str:
    """Letters and digits of any script, and emoji, joined by hyphens; the same for a file's name on every system."""
    said = unicodedata.normalize("NFC", clean(name)).casefold()
    kept = "".join(char if char.isalnum() or ord(char) > 0x2190 else "-" for char in said)
    return re.sub("-+", "-", kept).strip("-")
