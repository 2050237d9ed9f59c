"""Every goal of printing, P1 to P18, and every kind of bad input is in the name of a test."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.collecting import names_of_tests

GOALS = {
    1: "boxes and marks",
    2: "fronts and backs",
    3: "calibration and true size",
    4: "nothing overflows",
    5: "nothing is lost",
    6: "accessible and archival",
    7: "filled in and read back",
    8: "the same bytes",
    9: "fast",
    10: "small",
    11: "for everyone",
    12: "leads back to the note",
    13: "for print services",
    14: "preview",
    15: "safe",
    16: "as Obsidian shows it, or told",
    17: "sound inside",
    18: "true language",
}
BAD_INPUT = {
    "a note that does not exist": "test_wrong_usage_is_one_clear_error",
    "an empty note": "test_an_empty_note_is_one_error_with_a_hint",
    "a note of sixty pages": "test_a_note_of_sixty_pages_loses_nothing_and_has_contents",
    "a table wider than the page": "test_p4_table_wider_than_the_page_is_split_into_parts_that_fit",
    "a word longer than a column": "test_p5_a_word_longer_than_a_line_stays_one_word",
    "a picture that is truncated, a bomb, or none": "test_invalid_picture_is_named_on_the_page",
    "a picture that is missing": "test_p15_broken_picture_is_replaced_by_a_word",
    "a picture outside the vault": "test_p15_a_picture_that_leads_out_of_the_vault_is_not_opened",
    "a glyph that no font has": "test_characters_missing_from_all_fonts_are_named",
    "right-to-left text": "test_right_to_left_text_is_reported_on_paper_and_whole_in_the_tags",
    "emoji": "test_p5_emoji_are_read_back_unchanged",
    "a design with an unknown key": "test_an_unknown_key_lists_the_accepted_ones",
    "an impossible size": "test_a_paper_of_an_impossible_size_is_one_error",
    "a deck of one card": "test_deck_of_one_card_and_of_many",
    "a deck of five hundred": "test_deck_of_five_hundred_cards",
    "a read-only folder": "test_read_only_folder_is_reported",
    "a file that is open elsewhere": "test_file_opened_by_another_program_is_retried",
    "a write that fails half-way": "test_failed_write_leaves_nothing",
}
"""Bad input that must end in one clear error or a visible, correct page, and the test of it."""

TESTS = Path(__file__).parent.parent
_GOAL = re.compile(r"(?<=_)p(\d+)(?=_)")


@cache
def names(*, quick: bool = False) -> list[str]:
    """Return the names of the tests of printing; with `quick`, without the slow ones."""
    files = [*(TESTS / "sheets").rglob("test_*.py"), *(TESTS / "cli").glob("test_p*.py")]
    return [name for path in files for name in names_of_tests(path.read_text(encoding="utf-8"), quick=quick)]


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: f"P{goal} {GOALS[goal]}")
def test_every_goal_is_in_the_name_of_a_test(goal: int) -> None:
    assert Counter(int(found) for name in names(quick=True) for found in _GOAL.findall(name))[goal]


@pytest.mark.slow
def test_no_test_names_an_unknown_goal() -> None:
    assert {int(found) for name in names() for found in _GOAL.findall(name)} <= set(GOALS)


@pytest.mark.short(3)
@pytest.mark.parametrize("what", BAD_INPUT)
def test_all_bad_input_has_a_test(what: str) -> None:
    assert BAD_INPUT[what] in names()
