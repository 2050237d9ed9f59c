"""Designs of score sheets: their checks, and facts that agree with the games."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.dragon_citadel import rules
from vaultkit.games.hands import TAROKKA_NAMES
from vaultkit.games.registry import GAMES
from vaultkit.resources import shipped_folder
from vaultkit.sheets.inventory import check_boxes, check_designs
from vaultkit.sheets.scoresheets import design as designs

DESIGN = shipped_folder("print") / "sheets" / "dragon-citadel-score.toml"
NAMES = [file.name.removesuffix("-score.toml") for file in sorted(DESIGN.parent.glob("*-score.toml"))]


def table() -> dict[str, Any]:
    return tomllib.loads(DESIGN.read_text(encoding="utf-8"))


def test_every_game_has_a_sheet_and_a_blank_one_exists() -> None:
    assert {*NAMES} <= {*GAMES, "blank"}
    assert {designs.load_score_design(name).game for name in (*GAMES, "blank")} == {*GAMES, ""}


def test_game_without_its_own_design_gets_a_form_from_its_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(designs, "design_files", lambda _: {})
    made = designs.load_score_design("Propheta")
    assert made.game == "propheta" and {"deal.1.tricks", "deal.6.cardinal"} <= {*made.names}


@pytest.mark.parametrize("place", ["", "sheet", "rows", "columns", "ticks", "panels", "fields", "sum"])
def test_unknown_key_of_a_design_is_an_error_with_the_accepted_ones(place: str) -> None:
    given = table()
    part = given if not place else given[place][0] if isinstance(given[place], list) else given[place]
    part["colour"] = "red"
    with pytest.raises(InvalidError) as caught:
        designs.read_score_design(given, "mine.toml")
    assert "colour" in caught.value.message
    assert caught.value.hint.startswith("Accepted: ")
    assert "mine.toml" in caught.value.where


def test_definition_of_a_game_is_not_read_as_a_design_table() -> None:
    with pytest.raises(InvalidError, match="Unknown key 'own'"):
        designs.read_score_design(table() | {"own": {"x": 1}}, "mine.toml")


@pytest.mark.short(7)
@pytest.mark.parametrize(
    ("place", "key", "value", "said"),
    [
        ("columns", "share", 0, "'share'"),
        ("columns", "layouts", ["six"], "'six'"),
        ("columns", "id", "Total!", "'Total!'"),
        ("rows", "cells", ["total"], "needs 3 names"),
        ("rows", "count", 1000, "'count'"),
        ("rows", "count", "many", "'count'"),
        ("sum", "under", "stars", "'stars'"),
        ("sheet", "seats", 0, "'seats'"),
        ("sheet", "layouts", "one", "'layouts'"),
        ("ticks", "own", "yes", "'own'"),
        ("panels", "rows", [["1"]], "needs 4 texts"),
    ],
)
def test_impossible_value_is_an_error_with_its_place(place: str, key: str, value: object, said: str) -> None:
    given = table()
    part = given[place][0] if isinstance(given[place], list) else given[place]
    part[key] = value
    with pytest.raises(InvalidError) as caught:
        designs.read_score_design(given, "mine.toml")
    assert said in caught.value.message
    assert place in caught.value.where


@pytest.mark.parametrize("other", ["swords", "mode", "player"])
def test_two_boxes_of_one_name_are_an_error(other: str) -> None:
    given = table()
    given["fields"][1]["id"] = other
    with pytest.raises(InvalidError, match=f"two boxes named '{other}'"):
        designs.read_score_design(given, "mine.toml")


def test_sheet_is_found_by_the_title_of_its_game_and_a_typo_gets_a_suggestion() -> None:
    assert designs.find_score_design("Prophet's Gambit")[0] == "prophets-gambit"
    assert designs.find_score_design("blank")[1].game == ""
    with pytest.raises(UsageError) as caught:
        designs.find_score_design("propheda")
    assert "propheta" in caught.value.hint
    assert "blank" in caught.value.hint
    with pytest.raises(UsageError):
        designs.load_score_design("../../secret")


def test_design_of_the_vault_is_preferred_and_may_have_its_own_name(tmp_path: Path) -> None:
    own = tmp_path / ".vaultkit" / "print" / "sheets"
    own.mkdir(parents=True)
    text = DESIGN.read_text(encoding="utf-8").replace('title = "Dragon Citadel"', 'title = "Drachenburg"')
    for name in (DESIGN.name, "dragons-score.toml", "drakes.toml"):
        (own / name).write_text(text, encoding="utf-8")
    assert designs.load_score_design("dragon-citadel", tmp_path).title == "Drachenburg"
    for name in ("dragons", "drakes"):
        assert designs.find_score_design(name, tmp_path)[1].title == "Drachenburg"
    checks = {check.name: check for check in check_designs(tmp_path)}
    assert checks["print score sheets"].ok and "drakes (yours)" in checks["print score sheets"].detail


@pytest.mark.short(2)
@pytest.mark.parametrize("name", [name for name in NAMES if name in GAMES])
@pytest.mark.parametrize(("box", "said"), [("", ""), ("missing", "is missing on this sheet"), ("luck", "has no box")])
def test_design_of_a_game_has_the_boxes_that_the_game_needs(tmp_path: Path, name: str, box: str, said: str) -> None:
    own = tmp_path / ".vaultkit" / "print" / "sheets" / f"{name}-score.toml"
    own.parent.mkdir(parents=True)
    text = (DESIGN.parent / own.name).read_text(encoding="utf-8")
    extra = 'cells = ["luck"' + ', ""' * (len(designs.load_score_design(name).columns) - 1) + "]"
    changed = {
        "": text,
        "missing": re.sub(r'(\[\[rows\]\]\nid = )"([a-z-]+)"', r'\1"other-\2"', text),
        "luck": f'{text}\n[[rows]]\nid = "my"\ntitle = "My"\n{extra}\n',
    }
    own.write_text(changed[box], encoding="utf-8")
    found = next(check for check in check_designs(tmp_path) if check.name == "print score sheets")
    assert found.ok is not bool(said)
    assert said in found.detail
    assert found.ok or own.name in found.detail


def test_design_for_an_unknown_game_is_reported(tmp_path: Path) -> None:
    own = tmp_path / ".vaultkit" / "print" / "sheets" / "mine-score.toml"
    own.parent.mkdir(parents=True)
    own.write_text(DESIGN.read_text(encoding="utf-8").replace('game = "dragon', 'game = "no-dragon'), encoding="utf-8")
    with pytest.raises(InvalidError, match="no game 'no-dragon-citadel'") as caught:
        check_boxes("mine", tmp_path)
    assert "mine-score.toml" in caught.value.where


def test_dc_33_and_dc_36_the_rewards_are_those_of_the_game() -> None:
    rewards = designs.load_score_design("dragon-citadel").panels[0]
    assert [row[1].rpartition("–")[2] for row in rewards.rows] == [str(most) for most in rules.ROW_MAX_TOTALS]
    assert [row[2][-1] for row in rewards.rows] == list(rules.MAGIC_ITEM_TABLES)
    assert [int(row[3][0]) for row in rewards.rows] == list(rules.TREASURE_ROLLS_PER_ROW)


def test_pg_37_the_hands_are_in_the_order_of_the_game() -> None:
    design = designs.load_score_design("prophets-gambit")
    assert design.columns[0].options == tuple(TAROKKA_NAMES.values())
    assert [row[0].strip("*") for row in design.panels[0].rows] == list(TAROKKA_NAMES.values())


@pytest.mark.parametrize("name", ["dragon-citadel", "turn-of-fate", "propheta"])
def test_the_parts_of_a_score_have_their_boxes(name: str) -> None:
    parts = {
        "dragon-citadel": [*(f"{suit}.{part}" for suit in rules.SUITS for part in ("total", "heroes", "rolls")),
                           "crowns.count", "crowns.rolls", "total"],
        "turn-of-fate": [f"{zone}.{part}" for zone in ("congregation", "temple")
                         for part in ("count", "citizens", "doubled", "fates")] + ["total"],
        "propheta": ["tricks", "mutable", "fixed", "cardinal", "total", "deal.2"],
    }[name]  # fmt: skip
    design = designs.load_score_design(name)
    renamed = dict(design.played)
    assert {renamed.get(part, part) for part in parts} <= set(design.names)
