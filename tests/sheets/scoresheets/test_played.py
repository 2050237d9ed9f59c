"""Finished games on their score sheets."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.sheets.scoresheets.test_layouts import fields_of
from vaultkit.sheets.scoresheets.design import ONE
from vaultkit.sheets.scoresheets.reading import load_score_design
from vaultkit.sheets.scoresheets.score_sheet import Filled, played_boxes, print_scores

SUITS = ("swords", "stars", "glyphs", "coins")
NOTHING = {f"{suit}.{part}": 0 for suit in SUITS for part in ("total", "rolls", "row", "heroes")}
PARTS = {**NOTHING, "crowns.count": 0, "crowns.rolls": 0, "crowns.row": 0, "total": 0}


def printed(tmp_path: Path, game: str, *scores: Mapping[str, int], **ticks: str) -> dict[str, str]:
    players = ("Ysolde", "Bram")[: len(scores)]
    design = load_score_design(game)
    boxes = {name: played_boxes(design, parts) for name, parts in zip(players, scores, strict=True)}
    filled = Filled("k3f9", "2026-11-03", ticks, boxes)
    made = print_scores(game, paper="a4", out=tmp_path / "s.pdf", layout=ONE, players=players, filled=filled)
    assert made.sheets == players
    return {name: value for name, value in fields_of(made.path).items() if value not in {"", "/Off"}}


@pytest.mark.slow
def test_each_player_has_the_own_fate_ticked(tmp_path: Path) -> None:
    told = ({**PARTS, "survived": 1}, {**PARTS, "survived": 0})
    fields = printed(tmp_path, "dragon-citadel", *told, mode="coop")
    ticks = {name: value for name, value in fields.items() if value.startswith("/")}
    assert ticks == {"p1.mode": "/coop", "p2.mode": "/coop", "p1.forfeited": "/no", "p2.forfeited": "/yes"}


@pytest.mark.slow
def test_scores_stand_in_their_boxes_and_nothing_where_there_was_nothing(tmp_path: Path) -> None:
    won = {"swords.total": 17, "swords.rolls": 2, "swords.row": 2, "crowns.count": 3, "total": 26}
    fields = printed(tmp_path, "dragon-citadel", {**PARTS, **won}, PARTS)
    assert not {name for name, value in fields.items() if value.startswith("/")}
    filled = {name: value for name, value in fields.items() if name.startswith("p1.")}
    assert filled == {
        "p1.player": "Ysolde", "p1.session": "k3f9", "p1.date": "2026-11-03", "p1.swords.total": "17",
        "p1.swords.rolls": "2 × row 2", "p1.crowns.count": "3", "p1.score": "26",
    }  # fmt: skip
    assert fields["p2.score"] == "0"
    assert "p2.swords.total" not in fields


@pytest.mark.slow
def test_a_hand_is_given_by_its_name(tmp_path: Path) -> None:
    fields = printed(tmp_path, "prophets-gambit", {"category": 9}, {"category": 1})
    assert (fields["p1.game.1.hand"], fields["p2.game.1.hand"]) == ("Family", "High card")


@pytest.mark.slow
def test_va_19_a_match_fills_in_its_deals_and_one_deal_its_parts(tmp_path: Path) -> None:
    one = printed(tmp_path, "propheta", {"tricks": 5, "mutable": 1, "fixed": 0, "cardinal": 2, "total": 19})
    assert (one["deal.1.tricks"], one["deal.1.cardinal"], one["score"]) == ("5", "2", "19")
    match = printed(tmp_path, "propheta", {"tricks": 11, "deal.1": 19, "deal.2": 12, "total": 31})
    assert (match["deal.1.points"], match["deal.2.points"], match["score"]) == ("19", "12", "31")
    assert "deal.1.tricks" not in match


def test_tf_25_the_parts_of_both_zones(tmp_path: Path) -> None:
    fields = printed(tmp_path, "turn-of-fate", {"congregation.citizens": 7, "temple.doubled": 18, "total": 25})
    assert (fields["congregation.citizens"], fields["temple-pile.doubled"], fields["score"]) == ("7", "18", "25")
