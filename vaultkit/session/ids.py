"""Names of sessions: `20261103-dragon-citadel-k3f9`, safe as file names and as block ids in notes."""

import re
from datetime import datetime

from vaultkit.errors import UsageError
from vaultkit.games.turn import Rng

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike in a terminal
_SHAPE = re.compile(r"\d{8}-[a-z0-9]+(?:-[a-z0-9]+)*-[a-z0-9]{4}")


def new_id(game: str, now: datetime, rng: Rng) -> str:
    """A fresh session id for the game with id `game`, begun at `now`."""
    tail = "".join(_LETTERS[rng.randrange(len(_LETTERS))] for _ in range(4))
    return f"{now:%Y%m%d}-{game}-{tail}"


def is_id(text: str) -> bool:
    """Whether `text` has the shape of a session id; anything else is never used as a file name."""
    return _SHAPE.fullmatch(text) is not None


def checked(text: str) -> str:
    """`text` itself if it is a session id. Raises UsageError otherwise."""
    if not is_id(text):
        raise UsageError(f"'{text}' is not a session.", hint="They look like 20261103-dragon-citadel-k3f9.")
    return text
