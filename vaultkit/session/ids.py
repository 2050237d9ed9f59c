"""Names of sessions: `20261103-dragon-citadel-k3f9`, safe as file names and as block ids in notes."""

import random
import re
from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit.errors import NothingFound, UsageError

if TYPE_CHECKING:
    from vaultkit.games.turn import Rng

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike in a terminal
_MOST_NAMED = 5
_SHAPE = re.compile(r"\d{8}-[a-z0-9]+(?:-[a-z0-9]+)*-[a-z0-9]{4}")


def new_id(game: str, day: date, rng: "Rng") -> str:
    """A fresh session id for the game with id `game`, begun on this `day`."""
    tail = "".join(_LETTERS[rng.randrange(len(_LETTERS))] for _ in range(4))
    return f"{day:%Y%m%d}-{game}-{tail}"


def fresh_id(folder: Path, game: str, now: datetime, seed: int) -> str:
    """A session id that depends on seed and time alone, unless a file of the folder has that one."""
    rng = random.Random(f"{seed} {now.isoformat()}")
    while True:
        fresh = new_id(game, now, rng)
        if not any(folder.glob(f"{fresh}.*")):
            return fresh


def is_id(text: str) -> bool:
    """Whether `text` has the shape of a session id; anything else is never used as a file name."""
    return _SHAPE.fullmatch(text) is not None


def check_id(text: str) -> str:
    """`text` itself if it is a session id. Raises UsageError otherwise."""
    if not is_id(text):
        raise UsageError(f"'{text}' is not a session.", hint="They look like 20261103-dragon-citadel-k3f9.")
    return text


def by_ending(ids: Iterable[str], wanted: str) -> tuple[str, ...]:
    """The id that is `wanted`, else all that end in it, the last day first. Case does not count; "" means none."""
    letters = wanted.strip().casefold()
    known = sorted(set(ids), reverse=True) if letters else []
    same = tuple(one for one in known if one.casefold() == letters)
    return same or tuple(one for one in known if one.casefold().endswith(letters))


def one_by_ending(ids: Iterable[str], wanted: str, of: str = "games") -> str | None:
    """The one id that is `wanted` or ends in it, None if there is none. `of` is what the ids are of, in the plural.

    Raises NothingFound with those that there are, if they are several.
    """
    found = by_ending(ids, wanted)
    if len(found) > 1:
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        listed = ", ".join(found[:_MOST_NAMED])
        raise NothingFound(f"Several {of} end in '{wanted.strip()}'.", hint=f"Name one of: {listed}{more}.")
    return next(iter(found), None)
