"""Dice in plain words."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.compendium.tables.dice import insert_rolls


class Highest:
    """Every die shows its highest number."""

    def random(self) -> float:
        return 0.999999


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("4d8 cp", "4d8 (32) cp"),
        ("d6 goblins.", "d6 (6) goblins."),
        ("2d6 + 1 hours later", "2d6 + 1 (13) hours later"),
        ("1d8+1d4", "1d8+1d4 (12)"),
        ("3d6 \u2212 2 rats", "3d6 \u2212 2 (16) rats"),
        ("6d6 \u00d7 100 cp", "6d6 \u00d7 100 (3,600) cp"),
        ("2D6*1,000 gp", "2D6*1,000 (12,000) gp"),
        ("1d% per cent", "1d% (100) per cent"),
        ("4d6kh3", "4d6kh3 (18)"),
        ("2d4 wolves and 1d6 goblins", "2d4 (8) wolves and 1d6 (6) goblins"),
        ("3d6 of them, or 2d6 and a cat", "3d6 (18) of them, or 2d6 (12) and a cat"),
        ("1d6 - 9 lives", "1d6 - 9 (-3) lives"),
    ],
)
def test_rolled_result_is_added_after_the_dice_in_brackets(text: str, told: str) -> None:
    assert insert_rolls(text, Highest()) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("5d6 \u00d7 100 (1,700 gp)", "5d6 \u00d7 100 (3,000) gp"),
        ("4d6 \u00d7 100 (1400)", "4d6 \u00d7 100 (2,400)"),
        ("4d6 gp (14)", "4d6 (24) gp"),
        ("2d4 Gold pieces (5) and a hat", "2d4 (8) Gold pieces and a hat"),
        ("2d6 x 10 gp (70 gp)", "2d6 x 10 (120) gp"),
        ("7 (2d6) rats and 1,050 (3d6 \u00d7 100) sp", "2d6 (12) rats and 3d6 \u00d7 100 (1,800) sp"),
        ("7 (2d6 rats)", "7 (2d6 (12) rats)"),
        ("1d4 potions (50 gp)", "1d4 (4) potions (50 gp)"),
        ("2d4 (50 gp gems)", "2d4 (8) (50 gp gems)"),
    ],
)
def test_printed_average_is_replaced_and_a_price_is_not_changed(text: str, told: str) -> None:
    assert insert_rolls(text, Highest()) == told


@pytest.mark.parametrize(
    "text",
    [
        "each spoonful heals 2d6 + 2 hit points",
        "regains 1d4 charges",
        "2d6 fire damage",
        "10 (3d6) extra radiant damage",
        "1d6 points of damage",
        "2d8 temporary hit points",
    ],
)
def test_dice_of_an_items_effect_are_not_rolled(text: str) -> None:
    assert insert_rolls(text, Highest()) == text
    assert insert_rolls(f"{text}; 2d4 potions of healing", Highest()) == f"{text}; 2d4 (8) potions of healing"


@pytest.mark.parametrize(
    "text",
    [
        "Disadvantage on D20 Tests",
        "one d20 Test.",
        "d20 tests, rolls and so on",
        "a 1d20 Roll",
        "D6 System, d20 Modern and the 2d20 System",
        "D&D, a d20 game",
        "the d20-based rules",
        "the d20's number",
        "roll a d6; add the d4, then a D100 check",
        "a table for a d66, or the d100 table",
        "tiene desventaja en las pruebas de d20",
        "Würfe mit D20",
        "un test de D20, ou le d20",
        "einen d6",
    ],
)
def test_a_die_in_a_name_is_not_rolled(text: str) -> None:
    assert insert_rolls(text, Highest()) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("D6 Goblins; D4+1 Wolves", "D6 (6) Goblins; D4+1 (5) Wolves"),
        ("d4 rolls of silk, 1d3 rolls on Table A", "d4 (4) rolls of silk, 1d3 (3) rolls on Table A"),
        ("D20 orcs", "D20 (20) orcs"),
        ("every d6 days, or 1d4 tests of courage", "every d6 (6) days, or 1d4 (4) tests of courage"),
        ("un groupe de d6 gobelins", "un groupe de d6 (6) gobelins"),
        ("D20 Tests fail for d4 hours", "D20 Tests fail for d4 (4) hours"),
    ],
)
def test_dice_for_a_quantity_are_rolled(text: str, told: str) -> None:
    assert insert_rolls(text, Highest()) == told


@pytest.mark.parametrize(
    "text", ["", "d7 road", "Old6", "a2d6b", "2d", "9999d6", "0d6", "Section 1.2d6", "d66x", "id6"]
)
def test_other_words_are_not_changed(text: str) -> None:
    assert insert_rolls(text, Highest()) == text


@given(st.text("0123456789dDkhl%+-\u2013 x*,.(", max_size=30), st.integers())
def test_any_text_is_preserved_and_the_same_seed_gives_the_same_rolls(text: str, seed: int) -> None:
    told = insert_rolls(text, Random(seed))
    if "(" not in text:
        assert re.sub(r" \(-?[0-9,]+\)", "", told) == text
    assert told == insert_rolls(text, Random(seed))
