"""P7: texts in a box that are a number, that are none, and that are empty."""

import re

import pytest

from tests.growth import IN_STEP, growth
from vaultkit.campaign.scoresheets.paper_record import is_blank, parse_answer
from vaultkit.errors import UsageError
from vaultkit.games.question import Question
from vaultkit.sheets.scoresheets.filled_sheet import without_row

BOX = Question("box", "Box", least=-9)

NUMBERS = {
    "12 ": 12,
    "\u00a07": 7,
    "１２": 12,
    "٣": 3,
    "−4": -4,
    "+5": 5,
    "007": 7,
    "2 × row 3": 2,
    "2 on Row 1": 2,
    "1 row 4": 1,
    "\u200f8": 8,
    "0": 0,
    "8+9": 17,
    "8 + 9+1": 18,
    "-3+5": 2,
}
NO_NUMBERS = [
    "abc",
    "8+",
    "8++9",
    "8-9",
    "1/2",
    "½",
    "²",
    "7²",
    "12.5",
    "1 2",
    "0x1",
    "1234567",
    "9" * 5000,
    "XII",
    "- 4",
    "1e3",
]


@pytest.mark.parametrize("typed", NUMBERS)
def test_a_number_is_read_as_people_type_it(typed: str) -> None:
    assert parse_answer(BOX, without_row(typed))[0] == NUMBERS[typed]
    assert not is_blank(typed)


@pytest.mark.parametrize("typed", NO_NUMBERS)
def test_what_is_no_whole_number_is_refused(typed: str) -> None:
    assert not is_blank(typed)
    with pytest.raises(UsageError, match=re.escape(f"'{typed[:20]}")):
        parse_answer(BOX, without_row(typed))


@pytest.mark.parametrize("typed", ["", " ", "\u00a0", "-", "–", "—", " − ", "--", "\u200b"])
def test_a_dash_is_an_empty_box(typed: str) -> None:
    assert is_blank(typed)


@pytest.mark.slow
def test_white_before_the_words_of_a_row_takes_time_in_step_with_its_length() -> None:
    assert growth(lambda size: without_row(f"1{' ' * size}x"), 2_000) < IN_STEP
