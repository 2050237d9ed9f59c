"""Dates as people write them, and as notes tell them."""

import contextlib
import re
from calendar import month_name
from datetime import date, datetime

from vaultkit.errors import InvalidError, UsageError
from vaultkit.figures import whole_number
from vaultkit.session.ids import is_id
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.vault.writing.escape import clean
from vaultkit.vault.writing.history import Entry

_WAYS = (
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
    r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?'?(?P<year>(?:\d\d)?\d\d)",
    r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?P<month>[a-z]{3,9})\.?,?\s+'?(?P<year>(?:\d\d)?\d\d)",
    r"(?P<month>[a-z]{3,9})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+'?(?P<year>(?:\d\d)?\d\d)",
)
_SLASHES = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})|(\d{1,2})/(\d{1,2})/(\d\d)")
HINT = "Write the date as 2026-11-03, or give it with --date 2026-11-03."


def spoken_day(day: date) -> str:
    """`3 November 2026`"""
    return f"{day.day} {day:%B %Y}"


def read_date(text: str, where: str = "") -> date:
    """The day that is meant: `2026-11-03`, `3.11.2026`, `3 November 2026`, `November 3, 2026`, `25/11/2026`.

    A year may have two figures, except between hyphens, where it may come first.

    Raises UsageError, or InvalidError for words of the file `where` they stand, for what cannot be read, and for
    `03/11/2026`, which may be either of two days.
    """
    wanted = clean(text).casefold()
    if found := _SLASHES.fullmatch(wanted):
        first, second, written = filter(None, found.groups())
        day, month, year = int(first), int(second), _year(written)
        if day != month and max(day, month) <= 12:
            either = f"{year}-{month:02}-{day:02} or {year}-{day:02}-{month:02}"
            raise _refusal(f"'{text}' may be {either}.", where)
        parts = (year, day, month) if month > 12 else (year, month, day)
    else:
        parts = _parts(wanted)
    try:
        return date(*parts)
    except ValueError as error:
        raise _refusal(f"'{clean(text)}' is not a date that can be read.", where) from error


def _refusal(message: str, where: str) -> InvalidError | UsageError:
    return InvalidError(message, where=where, hint=HINT) if where else UsageError(message, hint=HINT)


def _parts(text: str) -> tuple[int, int, int]:
    """Year, month and day; month 0 for what is no date."""
    found = next(filter(None, (re.fullmatch(way, text) for way in _WAYS)), None)
    return (_year(found["year"]), _month(found["month"]), int(found["day"])) if found else (0, 0, 0)


def _year(figures: str) -> int:
    """Two figures are a year of this century."""
    return int(figures) + (2000 if len(figures) == 2 else 0)


def _month(name: str) -> int:
    """The number of a month, in figures or in English, whole or cut short; 0 for any other word."""
    if name.isdecimal():
        return int(name)
    return next((number for number, month in enumerate(month_name) if month.lower().startswith(name)), 0)


def short_title(entry: Entry) -> str:
    """`log of Dragon Citadel, 3 November`: short, so that a line of a list fits a terminal.

    A later game of that day has the number of its note: `log of Dragon Citadel 2, 3 November`.
    """
    if entry.undoes:
        return entry.title.rpartition(", ")[0]
    if not is_id(entry.session):
        return f"{entry.command} of {entry.session}" if entry.session else entry.command
    day, _, rest = entry.session.partition("-")
    game = rest.rpartition("-")[0]
    title = _title(game)
    what = entry.command if game == entry.command else f"{entry.command} of {title}{_later(entry, title)}"
    with contextlib.suppress(ValueError):
        played = datetime.strptime(day, "%Y%m%d")
        return f"{what}, {played.day} {played:%B}"
    return what


def _later(entry: Entry, title: str) -> str:
    """The number behind the title in the name of a note that was written, if it is not the first."""
    numbers = (write.path.removesuffix(".md").rpartition(f"{title} ")[2] for write in entry.writes)
    return next((f" {number}" for number in numbers if (whole_number(number) or 0) > 1), "")


def _title(game: str) -> str:
    """The title of a game, or where only a vault knows it, the words of its id."""
    title = ScoreSheets(None).title(game)
    return game.replace("-", " ").title() if title == game else title


def entry_title(entry: Entry) -> str:
    """The same where it says a day; else `check --fix, 3 November 2026 20:15`, with when it was written."""
    return short_title(entry) if is_id(entry.session) and not entry.undoes else entry.title
