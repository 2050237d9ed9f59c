"""Session ids such as `20261103-dragon-citadel-k3f9`, which can be used as file names and as block ids in notes."""

import random
import re
from collections.abc import Iterable
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit.errors import NothingFound, UnknownName
from vaultkit.text import list_first, slug

if TYPE_CHECKING:
    from vaultkit.games.turn import Rng

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that look alike in a terminal
_MAX_LISTED_IDS = 5
_ID_PATTERN = re.compile(r"\d{8}-[a-z0-9]+(?:-[a-z0-9]+)*-[a-z0-9]{4}")


def create_id(game: str, day: date, rng: "Rng") -> str:
    """Return a random session id for the game with the id `game`, begun on `day`.

    It has English letters only, since Obsidian accepts no others in ids of blocks.
    """
    tail = "".join(_LETTERS[rng.randrange(len(_LETTERS))] for _ in range(4))
    return f"{day:%Y%m%d}-{slug(game, '-') or 'game'}-{tail}"


def create_unused_id(folder: Path, game: str, now: datetime, seed: int) -> str:
    """Return a new session id, for which no file in `folder` exists.

    The id is determined by the seed and the time, unless a file with it exists; then further random ids are tried.
    """
    rng = random.Random(f"{seed} {now.isoformat()}")
    while True:
        candidate_id = create_id(game, now, rng)
        if not any(folder.glob(f"{candidate_id}.*")):
            return candidate_id


def is_id(text: str) -> bool:
    """Return whether `text` has the form of a session id, so that it is safe as a file name."""
    return _ID_PATTERN.fullmatch(text) is not None


def check_id(text: str) -> str:
    """Return `text` if it has the form of a session id. Raises UsageError otherwise."""
    if not is_id(text):
        raise UnknownName(f"'{text}' is not a session.", hint="They look like 20261103-dragon-citadel-k3f9.")
    return text


def find_ids(ids: Iterable[str], ending: str) -> tuple[str, ...]:
    """Return the id that equals `ending`, or else all ids that end in it, the latest day first.

    Case is ignored. No id is returned for "".
    """
    lowered_ending = ending.strip().casefold()
    sorted_ids = sorted(set(ids), reverse=True) if lowered_ending else []
    equal_ids = tuple(session_id for session_id in sorted_ids if session_id.casefold() == lowered_ending)
    return equal_ids or tuple(session_id for session_id in sorted_ids if session_id.casefold().endswith(lowered_ending))


def find_id(ids: Iterable[str], ending: str, noun: str = "games") -> str | None:
    """Return the id that equals `ending`, or else the only one that ends in it, or None if there is none.

    `noun` is the plural word for what has the ids, for the message. Raises NothingFound with a list of the matching ids
    if there are several.
    """
    matching_ids = find_ids(ids, ending)
    if len(matching_ids) > 1:
        hint = f"Name one of: {list_first(matching_ids, _MAX_LISTED_IDS)}."
        raise NothingFound(f"Several {noun} end in '{ending.strip()}'.", hint=hint)
    return next(iter(matching_ids), None)
