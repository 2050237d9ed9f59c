"""The keys of the questions, which are the boxes of the printed sheets."""

import re
from pathlib import Path

import pytest

from tests.games.conformance import check_outcome, render_sentence
from tests.games.scoresheets.doubting import keeper, tally
from vaultkit.games.registry import GAMES, rules
from vaultkit.games.scoresheet import SeatTally

FIELDS = Path(__file__).parents[3] / "docs" / "printing" / "fields.md"
MOST = {"games": 7, "deals": 6, "encounter": 5}
ASKED_BESIDE = {"games", "deals", "encounter", "inventory", "outcome"}
"""Questions that are asked once and have no box on a sheet."""


def boxes(title: str) -> dict[str, str]:
    """Return the fields of a game's sheets, each with the values that it takes."""
    section = FIELDS.read_text(encoding="utf-8").partition(f"## {title}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \| ([^|]*) \|", section, re.MULTILINE)
    found = {}
    for field, takes, most in rows:
        for number in range(1, int(most.strip() or 1) + 1):
            name, value = field.replace("N", str(number)), takes.strip().strip("`")
            found[name] = f"{found[name]}, {value}" if name in found else value
    return found


ON_PAPER = [info.id for info in GAMES.values() if info.score_sheet]


@pytest.mark.parametrize("game", ON_PAPER)
def test_every_question_has_its_box(game: str) -> None:
    title, found = rules(game).title, keeper(game)
    empty = tally(game, "")
    common = {question.key: MOST.get(question.key, 1) for question in found.opening_questions(empty.options)}
    fields = boxes(title)
    for question in (*found.seat_questions(empty.options, common), *found.sums(empty.options, common)):
        ticks = [f"{question.key}.{choice}" for choice in question.choices]
        assert question.key in fields or (ticks and set(ticks) <= set(fields)), question.key
        takes = fields.get(question.key, "")
        words = set(map(str.strip, takes.split(","))) - {"a number", "words", "a tick", ""}
        assert words <= set(question.choices), question.key
        assert (takes == "a number") <= (not question.choices and not question.words)
    once = {question.key for question in (*found.opening_questions(empty.options), *found.closing_questions(empty))}
    assert once <= ASKED_BESIDE


@pytest.mark.parametrize("game", ON_PAPER)
def test_score_of_every_game_is_described(game: str) -> None:
    sheet, options = keeper(game), tally(game).options
    seats = sheet.seats[0]
    written = sheet.tally(options, seats, lambda _, asked: SeatTally({one.key: one.default_answer for one in asked}))
    outcome = sheet.outcome(written)
    check_outcome(outcome, seats)
    assert sheet.tables(written, outcome) and sheet.ending(outcome.kind)
    assert all(render_sentence(doubt.sentence) for doubt in sheet.doubts(written))
