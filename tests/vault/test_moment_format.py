"""Moment's tokens, each as its documentation has it (momentjs.com/docs, Display, Format)."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.vault.daily_notes import format_date

WHEN = datetime(2026, 11, 3, 15, 4, 5, 678900, UTC)
TOKENS = {
    "M Mo MM MMM MMMM": "11 11th 11 Nov November",
    "Q Qo": "4 4th",
    "D Do DD": "3 3rd 03",
    "DDD DDDo DDDD": "307 307th 307",
    "d do dd ddd dddd": "2 2nd Tu Tue Tuesday",
    "e E": "2 2",
    "w wo ww": "45 45th 45",
    "W Wo WW": "45 45th 45",
    "YY YYYY Y YYYYY YYYYYY": "26 2026 2026 02026 +002026",
    "y yy yyy yyyy yo": "2026 2026 2026 2026 2026th",
    "N NN NNN NNNN NNNNN": "AD AD AD Anno Domini AD",
    "gg gggg ggggg": "26 2026 02026",
    "GG GGGG GGGGG": "26 2026 02026",
    "A a": "PM pm",
    "H HH h hh k kk": "15 15 3 03 15 15",
    "m mm s ss": "4 04 5 05",
    "S SS SSS SSSS SSSSSSSSS": "6 67 678 6789 678900000",
    "Hmm Hmmss hmm hmmss": "1504 150405 304 30405",
    "Z ZZ": "+00:00 +0000",
    "X x": "1793718245 1793718245678",
    "LT": "3:04 PM",
    "LTS": "3:04:05 PM",
    "L l": "11/03/2026 11/3/2026",
    "LL": "November 3, 2026",
    "ll": "Nov 3, 2026",
    "LLL": "November 3, 2026 3:04 PM",
    "lll": "Nov 3, 2026 3:04 PM",
    "LLLL": "Tuesday, November 3, 2026 3:04 PM",
    "llll": "Tue, Nov 3, 2026 3:04 PM",
}
WORDS = {
    "": "",
    "[]": "",
    "[Week] ww": "Week 45",
    "gggg-[W]ww": "2026-W45",
    "YYYY/MM-MMMM/YYYY-MM-DD-dddd": "2026/11-November/2026-11-03-Tuesday",
    "[today] [YYYY] YYYY": "today YYYY 2026",
    "[LL] LL": "LL November 3, 2026",
    r"\D\D D": "DD 3",
    "[op YYYY": "[op 2026",
    "T b ü 🜁 — #1 .": "T b ü 🜁 — #1 .",
    "YYYYMMDD": "20261103",
    "DDDDD": "3073",
}


@pytest.mark.parametrize("form", TOKENS)
def test_every_moment_token(form: str) -> None:
    assert format_date(WHEN, form) == TOKENS[form]


@pytest.mark.parametrize("form", WORDS)
def test_literal_words_and_unknown_tokens_are_preserved(form: str) -> None:
    assert format_date(WHEN, form) == WORDS[form]


@pytest.mark.parametrize(
    ("day", "local", "iso"),
    [  # weeks from Sunday with the 1st of January in the first; ISO weeks from Monday with its first Thursday
        ((2026, 12, 27), "2027-01-0", "2026-52-7"),
        ((2026, 12, 31), "2027-01-4", "2026-53-4"),
        ((2027, 1, 1), "2027-01-5", "2026-53-5"),
        ((2027, 1, 3), "2027-02-0", "2026-53-7"),
        ((2022, 1, 1), "2022-01-6", "2021-52-6"),
        ((2024, 12, 30), "2025-01-1", "2025-01-1"),
        ((2020, 2, 29), "2020-09-6", "2020-09-6"),
    ],
)
def test_moment_weeks_at_new_year(day: tuple[int, int, int], local: str, iso: str) -> None:
    when = datetime(*day)
    assert (format_date(when, "gggg-ww-e"), format_date(when, "GGGG-WW-E")) == (local, iso)


@pytest.mark.parametrize(
    ("hour", "told"), [(0, "12 00 24 am"), (1, "1 01 1 am"), (12, "12 12 12 pm"), (23, "11 23 23 pm")]
)
def test_moment_hours(hour: int, told: str) -> None:
    assert format_date(datetime(2026, 11, 3, hour), "h HH k a") == told


def test_moment_ordinals() -> None:
    told = [format_date(datetime(2026, 1, day), "Do") for day in (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 30, 31)]
    assert told == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "30th", "31st"]
    assert format_date(datetime(2026, 4, 21), "DDDo") == "111th"


def test_moment_time_zones() -> None:
    assert format_date(WHEN.replace(tzinfo=timezone(-timedelta(hours=3, minutes=30))), "Z ZZ") == "-03:30 -0330"


@given(st.dates(min_value=date(1000, 1, 1), max_value=date(9998, 12, 31)))
def test_default_format_is_the_iso_date_and_weeks_match_python(day: date) -> None:
    when = datetime(day.year, day.month, day.day)
    assert format_date(when, "YYYY-MM-DD") == day.isoformat()
    assert format_date(when, "GGGG-[W]WW-E") == "{}-W{:02d}-{}".format(*day.isocalendar())
    sunday = day - timedelta(days=(day.weekday() + 1) % 7)
    assert format_date(datetime(sunday.year, sunday.month, sunday.day), "gggg ww") == format_date(when, "gggg ww")
