"""Answers to questions in people's spellings."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.campaign.scoresheets.answer_parser import is_blank, parse_answer, split_row
from vaultkit.errors import UsageError
from vaultkit.games.question import Question

TOTAL = Question("swords.total", "Swords, total", most=45, default=0)
HEROES = Question("swords.heroes", "Swords, heroes", most=1, default=0)
FORFEITED = Question("forfeited", "Forfeited?", choices={"no": "survived", "yes": "forfeited"}, default="no")
HAND = Question("game.1.hand", "Hand", choices={"Pair": "", "Two pairs": "", "Triple": ""})
HALVES = Question("points", "Points", default=0, step=0.5)
NAME = Question("name", "Name", words=True, default="")


@pytest.mark.parametrize(
    ("question", "text", "meant"),
    [
        (TOTAL, "23", (23, ())),
        (TOTAL, " 8 + 9 ", (17, (8, 9))),
        (TOTAL, "", (0, ())),
        (TOTAL, "–", (0, ())),
        (TOTAL, "２３", (23, ())),
        (TOTAL, "46", (46, ())),  # the game doubts it; a person may insist
        (Question("s", "Score", least=-9), "−3", (-3, ())),
        (HALVES, "7.5", (7.5, ())),
        (HALVES, "7 ½+½ + 0,5", (8.5, (7.5, 0.5, 0.5))),
        (HALVES, "8.0", (8, ())),
        (FORFEITED, "Y", ("yes", ())),
        (FORFEITED, "survived", ("no", ())),
        (FORFEITED, "forf", ("yes", ())),
        (HAND, "two", ("Two pairs", ())),
        (NAME, "a / b\n c", ("a / b c", ())),
    ],
)
def test_answers_are_parsed(question: Question, text: str, meant: tuple[object, tuple[int, ...]]) -> None:
    assert parse_answer(question, text) == meant


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        (TOTAL, "many", "'many' is not a number"),
        (TOTAL, "1.5", "'1.5' is not a whole number"),
        (TOTAL, "7½", "not a whole number"),
        (HALVES, "7.25", "not a number in steps of 0.5"),
        (HALVES, "1,000", "not a number"),
        (TOTAL, "9999999", "too large"),
        (TOTAL, "-1", "less than 0"),
        (TOTAL, "8+", "not a number"),
        (FORFEITED, "perhaps", "not one of them"),
        (HAND, "t", "may mean several"),
        (HAND, "", "an answer is missing"),
    ],
)
def test_invalid_answer_is_refused_with_the_accepted_ones(question: Question, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)) as raised:
        parse_answer(question, text)
    assert raised.value.hint.startswith("Accepted: ") and "?:" not in raised.value.message


def test_row_is_split_and_missing_cells_are_empty() -> None:
    assert split_row([TOTAL, HEROES], "8+9 / 1") == [(TOTAL, "8+9"), (HEROES, "1")]
    assert split_row([TOTAL, HEROES], "23") == [(TOTAL, "23"), (HEROES, "")]
    assert split_row([NAME], "and/or") == [(NAME, "and/or")]
    with pytest.raises(UsageError, match="3 parts, and 2"):
        split_row([TOTAL, HEROES], "1/2/3")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("26 1", ["26", "1"]),
        ("26, 1", ["26", "1"]),
        ("26,1", ["26", "1"]),
        ("8+9 -", ["8+9", "-"]),
        ("8 + 9", ["8 + 9", ""]),
        ("1,000", ["1,000", ""]),
        ("26 one", ["26 one", ""]),
        ("26 1 4", ["26 1 4", ""]),
    ],
)
def test_row_is_split_at_blanks_and_commas(text: str, parts: list[str]) -> None:
    assert [part for _, part in split_row([TOTAL, HEROES], text)] == parts


def test_row_is_not_split_within_a_number_or_words() -> None:
    assert split_row([HALVES, HEROES], "7,5") == [(HALVES, "7,5"), (HEROES, "")]
    assert split_row([HALVES, HEROES], "7 ½") == [(HALVES, "7 ½"), (HEROES, "")]
    assert split_row([NAME, HEROES], "3 2") == [(NAME, "3 2"), (HEROES, "")]


@given(st.lists(st.integers(0, 999_999), min_size=1, max_size=9))
def test_sum_is_the_total_of_its_summands(numbers: list[int]) -> None:
    value, summands = parse_answer(TOTAL, "+".join(map(str, numbers)))
    assert value == sum(numbers) and summands == (tuple(numbers) if len(numbers) > 1 else ())


@pytest.mark.slow
@given(st.text(max_size=30), st.sampled_from([TOTAL, HEROES, FORFEITED, HAND, NAME]))
def test_any_text_is_a_valid_answer_or_unclear(text: str, question: Question) -> None:
    try:
        value, summands = parse_answer(question, text)
    except UsageError:
        return
    if is_blank(text):
        assert value == question.default
    elif question.choices:
        assert value in question.choices
    else:
        assert isinstance(value, str) is question.words and (not summands or sum(summands) == value)
