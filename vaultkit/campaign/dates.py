"""Dates as people write them, and as notes show them."""

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from vaultkit import files
from vaultkit.errors import InvalidError, UsageError
from vaultkit.session.session_ids import is_id
from vaultkit.text import parse_whole_number, plain_letters
from vaultkit.vault.writing.escape import clean_line
from vaultkit.vault.writing.history import Entry

_MONTH = r"(?P<month>[^\W\d_]{3,12})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|[.\u00ba\u00b0\u00aa])?"
_YEAR = r"'?(?P<year>(?:\d\d)?\d\d)"
_OF = r"(?:(?:of|de|del)[\s_]+)?"
_DATE_PATTERNS = (
    r"(?P<year>\d{4})(?P<sign>[-/._])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})",
    r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)",
    r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?'?(?P<year>(?:\d\d)?\d\d)",
    rf"{_DAY}[\s_-]+{_OF}{_MONTH},?[\s_-]+{_OF}{_YEAR}",
    rf"{_MONTH}[\s_-]+{_DAY},?[\s_-]+{_YEAR}",
    rf"(?P<year>\d{{4}})\.?[\s_-]+{_MONTH}[\s_-]+{_DAY}",
    r"(?P<day>\d{1,2})(?P<month>[^\W\d_]{3,12})(?P<year>\d{4})",
    r"(?P<year>\d{4})(?P<month>[^\W\d_]{3,12})(?P<day>\d{1,2})",
    r"(?P<year>\d{4})\s?[\u5e74\ub144]\s?(?P<month>\d{1,2})\s?[\u6708\uc6d4]\s?(?P<day>\d{1,2})\s?[\u65e5\uc77c]",
)
_SLASHES = re.compile(r"(\d{1,2})[/_-](\d{1,2})[/_-](\d{4})|(\d{1,2})/(\d{1,2})/(\d\d)")
_PATTERNS_IN_TEXT = tuple(
    re.compile(rf"(?<![^\W_])(?:{way})(?=t\d|[^\W\d_]?(?:[\W_]|\Z))") for way in (*_DATE_PATTERNS, _SLASHES.pattern)
)
MAX_SEARCHED_CHARS = 300
"""The number of characters at the beginning of a text in which a date is searched."""
DATE_HINT = "Write the date as 2026-11-03."


@lru_cache(maxsize=1)
def _words() -> Mapping[str, Any]:
    """Return the words of `dates.toml`, by their meaning."""
    return files.parse_toml(files.read_text(Path(__file__).with_name("dates.toml"), allow_links=True))


def format_day(day: date) -> str:
    """Return a date in words: `3 November 2026`."""
    return f"{day.day} {day:%B %Y}"


class WrittenDate(NamedTuple):
    """A date as it is `written`, and the days that it can mean.

    `03/11/2026` can mean 2 days: first the one for which the day is written before the month. In a date with slashes
    that has only one meaning, `order` is the part that comes first, "day" or "month"; else it is "".
    """

    written: str
    days: tuple[date, ...]
    order: str = ""


def read_date(text: str, where: str = "") -> date:
    """Return the date that a text stands for.

    It may be written as `2026-11-03`, `3.11.2026`, `3 November 2026`, `November 3, 2026`, `25/11/2026` or `28Nov2026`,
    with the names of months in `dates.toml`, or as `2026年11月3日`. A year may have 2 digits, except between hyphens,
    where it may come first.

    Raises UsageError, or InvalidError if the text stands in the file `where`, for text that is no date, and for
    `03/11/2026`, which may be either of 2 days.
    """
    written_date = _parse_date(clean_line(text).casefold())
    if written_date and len(written_date.days) == 1:
        return written_date.days[0]
    message = f"'{clean_line(text)}' is not a date that can be read."
    if written_date:
        message = f"'{text}' may be {' or '.join(map(str, written_date.days))}."
    if where:
        raise InvalidError(message, where=where, hint=f"{DATE_HINT} Or give it with --date 2026-11-03.")
    hint = "Write the date as 2026-11-03, or say when: yesterday, friday, 3 days ago, 31 October."
    raise UsageError(message, hint=hint)


def absolute_day(text: str, today: date, find_order: Callable[[], str] = str) -> str:
    """Return the ISO date for `today`, `tomorrow`, `3 days ago`, `31 October`, or `friday`, the last before `today`.

    For `03/11/2026`, `find_order` returns which part comes first, "day" or "month"; "" if that is not known. Other text
    is returned unchanged.
    """
    words = text.strip().casefold()
    written_date = _parse_date(clean_line(words))
    if written_date and len(written_date.days) > 1 and (order := find_order()):
        return written_date.days[0 if order == "day" else 1].isoformat()
    days_ago = _find_number(words.removeprefix("the "), "days_ago")
    if match := re.fullmatch(r"(\d{1,4}|an?|one) (day|week)s? ago", words):
        days_ago = int(match[1] if match[1].isdecimal() else 1) * (7 if match[2] == "week" else 1)
    weekday = _find_number(words.removeprefix("last ").removeprefix("on "), "weekdays")
    if weekday is not None:
        days_ago = (today.weekday() - weekday) % 7 or 7
    if words in _words()["tomorrow"]:
        days_ago = -1
    if days_ago is None and (dates := [*_dates_without_year(words, today)]):
        return dates[0].isoformat()
    return text if days_ago is None else (today - timedelta(days_ago)).isoformat()


def _find_number(word: str, kind: str) -> int | None:
    """Return the number of the day in the list `kind`, in which each day has several names, or None."""
    return next((number for number, names in enumerate(_words()[kind]) if word in names), None)


def _dates_without_year(words: str, today: date) -> Iterator[date]:
    """Yield the last day before or on `today` that words such as `31 october` or `31.10.` mean."""
    for year in (today.year, today.year - 1) if re.search(r"[^\W\d_]{3}|\d\.\d+\.$", words) else ():
        written_date = _parse_date(f"{words}{'' if words.endswith('.') else ' '}{year}")
        yield from (day for day in (written_date.days if written_date else ()) if day <= today)


def find_date(text: str) -> WrittenDate | None:
    """Return the first date in a text, such as a file's name or a property, or None."""
    lowered = text[:MAX_SEARCHED_CHARS].casefold()
    if whole_date := _parse_date(lowered.strip()):
        return whole_date
    matches = [match for pattern in _PATTERNS_IN_TEXT for match in pattern.finditer(lowered)]
    matches.sort(key=re.Match.start)
    date_texts = (match[0] for match in matches if not _is_short(match[0]))
    return next(filter(None, map(_parse_date, date_texts)), None)


def _is_short(date_text: str) -> bool:
    """Return whether a date has a two-digit year that may be another number, as in `Chapter 1.2.26`."""
    has_year = re.match(r"\d{4}", date_text) or re.search(r"\d{4}\Z", date_text)
    return not has_year and re.fullmatch(r"\d\d\.\d\d\.\d\d|.*'\d\d", date_text) is None


def _parse_date(text: str) -> WrittenDate | None:
    """Return the date that is the whole of a casefolded text, or None."""
    if match := _SLASHES.fullmatch(text):
        first, second, year_text = filter(None, match.groups())
        year, first_number, second_number = _parse_year(year_text), int(first), int(second)
        days = _distinct_dates((year, second_number, first_number), (year, first_number, second_number))
        order = (
            "" if len(days) != 1 or first_number == second_number else "day" if days[0].day == first_number else "month"
        )
        return WrittenDate(text, days, order) if days else None
    days = _distinct_dates(_split_date(text))
    return WrittenDate(text, days) if days else None


def _distinct_dates(*triples: tuple[int, int, int]) -> tuple[date, ...]:
    """Return the distinct dates of (year, month, day) triples; impossible dates are left out."""
    days: dict[date, None] = {}
    for triple in triples:
        with contextlib.suppress(ValueError):
            days[date(*triple)] = None
    return tuple(days)


def _split_date(text: str) -> tuple[int, int, int]:
    """Return year, month and day of a date that is not written with slashes; the month is 0 if the text is no date."""
    match = next(filter(None, (re.fullmatch(pattern, text) for pattern in _DATE_PATTERNS)), None)
    return (_parse_year(match["year"]), _parse_month(match["month"]), int(match["day"])) if match else (0, 0, 0)


def _parse_year(figures: str) -> int:
    """Return the year; 2 digits are a year of this century."""
    return int(figures) + (2000 if len(figures) == 2 else 0)


def _parse_month(name: str) -> int:
    """Return the number of a month from figures, its name or the start of its name; 0 for any other word."""
    if name.isdecimal():
        return int(name)
    prefix = plain_letters(name)
    pairs = [(number, plain_letters(month)) for number, names in enumerate(_words()["months"], 1) for month in names]
    numbers = {number for number, month in pairs if month == prefix}
    numbers = numbers or {number for number, month in pairs if month.startswith(prefix)}
    return numbers.pop() if len(numbers) == 1 else 0


def locale_order() -> str:
    """Return which part of `03/11/2026` comes first in the user's locale: "day", "month", or "" if it says nothing."""
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_TIME", "LANG"))
    match = re.match(r"[a-z]{2,3}_([A-Z]{2})", next(filter(None, names), ""))
    return "" if match is None else "month" if match[1] in _MONTH_FIRST_COUNTRIES else "day"


_MONTH_FIRST_COUNTRIES = frozenset({"US", "PH"})
"""The countries in which the month of a date with slashes comes first."""


def short_title(entry: Entry) -> str:
    """Return a title that is short enough for a line of a list: `log of Dragon Citadel, 3 November`.

    A later game of the same day has the number of its note: `log of Dragon Citadel 2, 3 November`.
    """
    if entry.undoes:
        return entry.title.rpartition(", ")[0]
    if not is_id(entry.session):
        return f"{entry.command} of {entry.session}" if entry.session else entry.command
    day, _, rest = entry.session.partition("-")
    game = rest.rpartition("-")[0]
    title = _game_title(game)
    dateless_title = entry.command
    if game != entry.command:
        dateless_title += f" of {title}{_game_number_suffix(entry, title)}"
    with contextlib.suppress(ValueError):
        day_played = datetime.strptime(day, "%Y%m%d")
        return f"{dateless_title}, {day_played.day} {day_played:%B}"
    return dateless_title


def _game_number_suffix(entry: Entry, title: str) -> str:
    """Return the number after the title in the name of a written note, with a space before it; "" for 1 or none."""
    numbers = (write.path.removesuffix(".md").rpartition(f"{title} ")[2] for write in entry.writes)
    return next((f" {number}" for number in numbers if (parse_whole_number(number) or 0) > 1), "")


def _game_title(game: str) -> str:
    """Return the title of a game, or the words of its id if only a vault defines the game."""
    from vaultkit.session.scoresheets import ScoreSheets  # not needed for most entries

    title = ScoreSheets(None).title(game)
    return game.replace("-", " ").title() if title == game else title


def entry_title(entry: Entry) -> str:
    """Return the title of a history entry with a date.

    For a game it is the short title, such as `log of Dragon Citadel, 3 November`; otherwise it says when the entry was
    written, such as `check --fix, 3 November 2026 20:15`.
    """
    return short_title(entry) if is_id(entry.session) and not entry.undoes else entry.title
