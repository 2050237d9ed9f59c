"""The finished game of the demo on its score sheets."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.sheets.scoresheets.test_layouts import fields_of
from vaultkit.cli.demo import DEMO_GAME, box_values
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.sheets.scoresheets.design import ONE, load_score_design
from vaultkit.sheets.scoresheets.score_sheet import Filled, print_scores
from vaultkit.theme.design_loader import EMPTY_TABLE as NO_TICKS

SUITS = ("swords", "stars", "glyphs", "coins")
NOTHING = {f"{suit}.{part}": 0 for suit in SUITS for part in ("total", "rolls", "row", "heroes")}
PARTS = {**NOTHING, "crowns.count": 0, "crowns.rolls": 0, "crowns.row": 0, "total": 0, "survived": 1}


def print_game(tmp_path: Path, *scores: Mapping[str, int], ticks: Mapping[str, str] = NO_TICKS) -> dict[str, str]:
    players = ("Ysolde", "Bram")
    design = load_score_design(DEMO_GAME)
    boxes = {name: box_values(design, parts) for name, parts in zip(players, scores, strict=True)}
    filled = Filled({"session": "k3f9", "date": "2026-11-03", **ticks}, boxes)
    made = print_scores(DEMO_GAME, PrintJob("a4", tmp_path / "s.pdf"), layout=ONE, players=players, filled=filled)
    assert made.sheets == players
    return {name: value for name, value in fields_of(made.path).items() if value not in {"", "/Off"}}


@pytest.mark.slow
def test_fate_of_each_player_is_ticked(tmp_path: Path) -> None:
    fields = print_game(tmp_path, PARTS, {**PARTS, "survived": 0}, ticks={"mode.coop": "yes"})
    ticks = {name: value for name, value in fields.items() if value.startswith("/")}
    assert ticks == {"p1.mode": "/coop", "p2.mode": "/coop", "p1.forfeited": "/no", "p2.forfeited": "/yes"}


@pytest.mark.slow
def test_scores_are_in_their_boxes_and_missing_ones_stay_empty(tmp_path: Path) -> None:
    won = {"swords.total": 17, "swords.rolls": 2, "swords.row": 2, "crowns.count": 3, "total": 26}
    fields = print_game(tmp_path, {**PARTS, **won}, PARTS)
    filled = {name: value for name, value in fields.items() if name.startswith("p1.") and value[0] != "/"}
    assert filled == {
        "p1.player": "Ysolde", "p1.session": "k3f9", "p1.date": "2026-11-03", "p1.swords.total": "17",
        "p1.swords.rolls": "2 × row 2", "p1.crowns.count": "3", "p1.score": "26",
    }  # fmt: skip
    assert fields["p2.score"] == "0"
    assert "p2.swords.total" not in fields
