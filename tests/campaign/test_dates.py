"""Dates as people write them, and as notes show them."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.campaign.dates import absolute_day, format_day, locale_order, read_date, short_title
from vaultkit.errors import InvalidError, UsageError
from vaultkit.vault.writing.history import Entry, Write

DAY = date(2026, 11, 3)


@pytest.mark.parametrize(
    "text",
    ["2026-11-03", "2026-11-3", "3.11.2026", "03. 11. 2026", "3 November 2026", "3rd Nov 2026", "3. nov. 2026",
     "November 3, 2026", "NOV 3rd 2026", "3.11.26", "3 Nov '26",
     "2026/11/03", "2026.11.3", "2026_11_03", "20261103", "3. November 2026",
     "3 novembre 2026", "3 de noviembre de 2026", "3 listopada 2026", "2026 Nov 3", "03Nov2026", "2026nov3",
     "2026年11月3日", "２０２６年１１月３日", "2026년 11월 3일", "2026. november 3", "3 ноября 2026",
     "3. listopadu 2026", "3 kasım 2026"],
)  # fmt: skip
def test_all_spellings_of_the_third_of_november(text: str) -> None:
    assert read_date(text) == DAY


def test_slashed_date_is_read_only_if_unambiguous() -> None:
    assert read_date("25/11/2026") == read_date("11/25/2026") == date(2026, 11, 25)
    assert read_date("25/11/26") == date(2026, 11, 25)
    assert read_date("5/5/2026") == date(2026, 5, 5)
    with pytest.raises(UsageError, match="may be 2026-11-03 or 2026-03-11") as raised:
        read_date("03/11/2026")
    assert "2026-11-03" in raised.value.hint and "--date" not in raised.value.hint


@pytest.mark.parametrize(
    "text", ["", "Friday", "31.2.2026", "26-11-27", "3 Nov", "13/13/2026", "3 Nonember 2026", "0000-00-00"]
)
def test_invalid_date_is_reported_with_its_place(text: str) -> None:
    with pytest.raises(InvalidError, match="not a date") as raised:
        read_date(text, "sheet.pdf")
    assert raised.value.where == "sheet.pdf"


@given(st.dates(date(1000, 1, 1)))
def test_every_day_is_read_in_every_format(day: date) -> None:
    ways = [day.isoformat(), f"{day.day}.{day.month}.{day.year}", f"{day.day} {day:%B} {day.year}", format_day(day)]
    assert {read_date(way) for way in ways} == {day}


def test_entry_of_a_defined_game_has_the_title_of_the_game() -> None:
    def title(game: str) -> str:
        return short_title(Entry("000001-log", "log", f"20261103-{game}-k3f9", "2026-11-03T20:15:00"))

    assert title("skat") == "log of Skat, 3 November" and title("goose-fair") == "log of Goose Fair, 3 November"


def test_entry_of_a_second_game_of_a_day_has_the_number_of_its_note() -> None:
    entry = Entry("000002-log", "log", "20261103-skat-k3f9", "2026-11-03T20:15:00")
    for number, title in ((1, "log of Skat, 3 November"), (2, "log of Skat 2, 3 November")):
        written = Write(f"Games/2026-11-03 Skat {number}.md", 0, "", "", None, "hash")
        assert short_title(replace(entry, writes=(written,))) == title


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", "2026-11-03"),
        ("Yesterday", "2026-11-02"),
        ("the day before yesterday", "2026-11-01"),
        ("3 days ago", "2026-10-31"),
        ("a week ago", "2026-10-27"),
        ("2 weeks ago", "2026-10-20"),
        ("friday", "2026-10-30"),
        ("last monday", "2026-11-02"),
        ("tuesday", "2026-10-27"),
        ("2026-10-05", "2026-10-05"),
        ("someday", "someday"),
    ],
)
def test_relative_day_counted_from_a_tuesday(text: str, day: str) -> None:
    assert absolute_day(text, date(2026, 11, 3)) == day


@pytest.mark.parametrize(
    ("variables", "order", "day"),
    [
        ({"LC_TIME": "de_DE.UTF-8", "LANG": "en_US.UTF-8"}, "day", "2026-11-03"),
        ({"LANG": "en_US.UTF-8"}, "month", "2026-03-11"),
        ({"LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"}, "", "03/11/2026"),
        ({}, "", "03/11/2026"),
    ],
)
def test_locale_decides_the_order_of_day_and_month(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], order: str, day: str
) -> None:
    for name in ("LC_ALL", "LC_TIME", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert locale_order() == order
    assert absolute_day("03/11/2026", date(2026, 11, 29), locale_order) == day
    assert absolute_day("29/11/2026", date(2026, 11, 29), locale_order) == "29/11/2026"
