"""The properties that identify our notes and hold their scores: `vaultkit-session`, `score-ysolde-marr`."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from vaultkit.vault.writing.escape import clean_line

SESSION = "vaultkit-session"
"""The property that identifies the note of a game; its value is the session's id."""
DEFINITION = "vaultkit-definition"
"""The property of a game defined by a score sheet: the id of the definition with which it was logged."""
READING = "vaultkit-reading"
"""The property that identifies the note of a reading; its value is the reading's id."""
MATCH = "match"
"""The property that marks the note of a match; its value is the match's highest number of games."""
SCORE_PREFIX = "score-"
"""The prefix of the properties that hold scores."""


def block_id(session: str) -> str:
    """Return the block id, without `^`, of the line of a game or a reading in the campaign note."""
    return f"vk-{session}"


def game_key(number: int) -> str:
    """Return the property with the winners of one game of a match: `game-1`.

    Other properties about the same game begin with it, such as `game-1-scores`.
    """
    return f"game-{number}"


def score_keys(names: Iterable[str]) -> list[str]:
    """Return a property for the score of each player, from the names of their notes, in the order of seats."""
    return [f"{SCORE_PREFIX}{key}" for key in player_keys(names)]


def player_keys(names: Iterable[str]) -> list[str]:
    """Return a distinct key for each player, for the names of properties: `ysolde-marr`, `ysolde-marr-2`, `seat-3`."""
    keys: list[str] = []
    for number, name in enumerate(names, 1):
        key = _slug(name) or f"seat-{number}"
        copies = (f"{key}-{copy}" for copy in range(2, 100))
        keys.append(key if key not in keys else next(copy for copy in copies if copy not in keys))
    return keys


@lru_cache(maxsize=1_000)
def _slug(name: str) -> str:
    """Return the letters, digits and emoji of a name in lower case, with hyphens between words.

    It is in Unicode's form NFC, so that file names from all systems give the same key.
    """
    text = unicodedata.normalize("NFC", clean_line(name)).casefold()
    slug = "".join(char if char.isalnum() or ord(char) > 0x2190 else "-" for char in text)
    return re.sub("-+", "-", slug).strip("-")
