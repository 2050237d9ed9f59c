"""P7: texts in a box that are a number, that are none, and that are empty."""

import re
from pathlib import Path

import pytest

from tests.growth import IN_STEP, growth
from tests.sheets.scoresheets.filling import by_pikepdf
from vaultkit.campaign.scoresheets.answer_parser import is_blank, parse_answer
from vaultkit.errors import UsageError
from vaultkit.games.question import Question
from vaultkit.sheets.filled_sheets.filled_sheet import read_filled_sheet, without_row
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.score_sheet import print_scores

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
    "15.": 15,
    "15 .": 15,
    "2.": 2,
    "1st": 1,
    "2nd": 2,
    "3RD": 3,
    "4 th": 4,
    "5º": 5,
    "15!": 15,
    "15 pts": 15,
    "1 pt.": 1,
    "15 points": 15,
    "7+8=15": 15,
    "7 + 8 = 15": 15,
    "=15": 15,
    "-3+5=2.": 2,
}
STRUCK = ["x", "X", "×", "/", "\\", "✗"]
ASKED = {
    "18-36": "is two values",
    "18 - 36": "is two values",
    "18/36": "is two values",
    "18 36": "is two values",
    "18;36": "is two values",
    "7+8=16": "the sum is 15",
    "(36)": "may mean 36 or -36",
    "(7+8)": "may mean",
    "12345678": "is too large",
    "()": "is not a number",
    "15 x": "is not a number",
    "O": "is not a number",
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
def test_numbers_are_read_in_the_forms_people_type(typed: str) -> None:
    assert parse_answer(BOX, without_row(typed))[0] == NUMBERS[typed]
    assert not is_blank(typed)


@pytest.mark.parametrize("typed", NO_NUMBERS)
def test_number_that_is_not_whole_is_refused(typed: str) -> None:
    assert not is_blank(typed)
    with pytest.raises(UsageError, match=re.escape(f"'{typed[:20]}")):
        parse_answer(BOX, without_row(typed))


@pytest.mark.parametrize("typed", ["", " ", "\u00a0", "-", "–", "—", " − ", "--", "\u200b"])
def test_dash_counts_as_an_empty_box(typed: str) -> None:
    assert is_blank(typed)


@pytest.mark.slow
def test_white_space_before_the_words_of_a_row_takes_linear_time() -> None:
    assert growth(lambda size: without_row(f"1{' ' * size}x"), 2_000) < IN_STEP


@pytest.mark.parametrize("typed", ASKED)
def test_ambiguous_number_is_asked_about(typed: str) -> None:
    with pytest.raises(UsageError, match=re.escape(ASKED[typed])):
        parse_answer(BOX, typed)


def test_brackets_around_a_number_are_ignored_where_none_can_be_negative() -> None:
    assert parse_answer(Question("box", "Box"), "(36)")[0] == 36


@pytest.mark.short(1)
@pytest.mark.parametrize("typed", STRUCK)
def test_slash_is_a_struck_out_number_and_a_ticked_choice(typed: str, tmp_path: Path) -> None:
    choice = Question("won", "Won?", choices={"no": "no", "yes": "yes"}, default="no")
    assert parse_answer(choice, typed)[0] == "yes"
    made = print_scores("yahtzee", PrintJob("a4", tmp_path / "foreign.pdf"), layout="party", players=["Ann", "Ben"])
    made.path.write_bytes(by_pikepdf(made.path.read_bytes(), {"p1.ones": typed, "p1.sixes": "24", "p2.ones": "1"}))
    sheet = read_filled_sheet(made.path)
    assert sheet.problems == ()
    assert {key: words.text for key, words in sheet.seats[0].said.items()} == {"ones": "0", "sixes": "24"}
