"""What vaultkit wrote, named for people: by the game and its day instead of a session's id."""

import contextlib
from datetime import datetime

from vaultkit.games import registry
from vaultkit.session.ids import is_id
from vaultkit.vault.writing.history import Entry


def short(entry: Entry) -> str:
    """`log of Dragon Citadel, 3 November`: short, so that a line of a list fits a terminal."""
    if entry.undoes:
        return entry.title.rpartition(", ")[0]
    if not is_id(entry.session):
        return f"{entry.command} of {entry.session}" if entry.session else entry.command
    day, _, rest = entry.session.partition("-")
    game = rest.rpartition("-")[0]
    title = registry.GAMES[game].title if game in registry.GAMES else game
    what = entry.command if title == entry.command else f"{entry.command} of {title}"
    with contextlib.suppress(ValueError):
        played = datetime.strptime(day, "%Y%m%d")
        return f"{what}, {played.day} {played:%B}"
    return what


def spoken(entry: Entry) -> str:
    """The same where it says a day; else `check --fix, 3 November 2026 20:15`, with when it was written."""
    return short(entry) if is_id(entry.session) and not entry.undoes else entry.title
