"""Bowling, a game whose rounds stand across its sheet."""

from pathlib import Path

import pikepdf
import pytest

from tests.games.test_definition import side_by_side
from vaultkit.games.definition_reader import read_definition
from vaultkit.games.game_info import GameInfo
from vaultkit.games.scoresheet import ScoreSheet, SeatTally, Tally
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.design import make_form
from vaultkit.sheets.scoresheets.score_sheet import print_scores

SHEET = ScoreSheets(None).defined["bowling"]


def tally(frames: str) -> Tally:
    """Return a player's frames: their balls one after the other, frames apart by spaces, empty ones `0`."""
    balls = {"/": "spare"}
    answers = {
        f"frame.{number}.{name}": balls.get(ball, ball)
        for number, frame in enumerate(frames.split(), 1)
        for name, ball in zip(("first", "second", "third"), frame, strict=False)
    }
    return Tally({}, (SeatTally(answers),), {"frames": len(frames.split())})


@pytest.mark.parametrize(
    ("frames", "score"),
    [
        ("X X X X X X X X X XXX", 300),
        ("5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/ 5/5", 150),
        ("X 7/ 90 X 08 8/ 06 X X X81", 167),
        ("90 90 90 90 90 90 90 90 90 90", 90),
        ("0/ 0/ 0/ 0/ 0/ 0/ 0/ 0/ 0/ 0/0", 100),
        ("00 00 00 00 00 00 00 00 X X4/", 44),
        ("X 34", 24),
    ],
)
def test_strikes_and_spares_count_the_next_balls(frames: str, score: int) -> None:
    played = tally(frames)
    assert SHEET.outcome(played).score(0) == score
    assert not [*SHEET.compute_scores(played).find_impossible({})]


@pytest.mark.parametrize("frames", ["67", "30 X5", "001", "00 00 00 00 00 00 00 00 00 345"])
def test_more_pins_or_balls_than_there_are_is_doubted(frames: str) -> None:
    assert [*SHEET.compute_scores(tally(frames)).find_impossible({})]


def test_note_has_no_tables_of_columns_without_boxes() -> None:
    titles = [table.title for table in SHEET.compute_scores(tally("X 34")).tables()]
    assert titles == [
        "Score Sheet",
        *(f"{name} Frame by Frame" for name in ("First ball", "Second ball", "Third ball", "Total")),
    ]


@pytest.mark.short(1)
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("count", [0, 1, 8])
def test_frames_stand_across_with_the_total_below(tmp_path: Path, paper: str, count: int) -> None:
    names = [f"Player {'x' * 14} {number}" for number in range(count)]
    path = print_scores("bowling", PrintJob(paper, tmp_path / "sheet.pdf"), players=names).path
    with pikepdf.open(path) as pdf:
        assert len(pdf.pages) == 1
        places = {f.fully_qualified_name: [float(side) for side in f.obj.Rect] for f in pdf.acroform.fields}
    for player in range(1, 1 + (count or 6)):
        frame = {
            name.removeprefix(f"p{player}.frame."): place
            for name, place in places.items()
            if name.startswith(f"p{player}.frame.")
        }
        assert [name for name in frame if name.endswith("third")] == ["10.third"] and len(frame) == 31
        for number in range(1, 11):
            first, second, total = (frame[f"{number}.{name}"] for name in ("first", "second", "total"))
            assert first[2] <= second[0] and first[1] == second[1] > total[3]
            last = frame.get(f"{number}.third", second)
            assert (total[0], total[2]) == pytest.approx((first[0], last[2]), abs=0.5)
            assert (
                min(first[3] - first[1], total[3] - total[1]) > 17
                and min(first[2] - first[0], second[2] - second[0]) > 15
            )


@pytest.mark.short(1)
@pytest.mark.parametrize("layout", ["one", "party"])
@pytest.mark.parametrize(("most", "last"), [(11, ()), (20, ("extra", "running"))])
def test_every_box_of_a_round_stands_on_each_layout(
    tmp_path: Path, layout: str, most: int, last: tuple[str, ...]
) -> None:
    definition = read_definition("rows", side_by_side(most, last=last))
    sheet = ScoreSheet(GameInfo("rows", definition.title, definition.players, ""), definition)
    people = ["Ysolde", "Bram"]
    job = PrintJob("a4", tmp_path / "sheet.pdf")
    path = print_scores("rows", job, design=make_form(sheet), layout=layout, players=people).path
    with pikepdf.open(path) as pdf:
        names = {field.fully_qualified_name for field in pdf.acroform.fields}
    expected = {
        f"p{player}.stall.{number}.{name}"
        for player in (1, 2)
        for number in range(1, 1 + most)
        for name in ("geese", "extra", "running")
        if name not in last or number == most
    }
    assert {name for name in names if ".stall." in name} == expected
    assert {f"p{player}.{name}" for player in (1, 2) for name in ("player", "bonus")} <= names
