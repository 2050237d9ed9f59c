"""Dice in plain words."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.compendium.dicetext import with_rolls


class Highest:
    """Every die shows its highest number."""

    def random(self) -> float:
        return 0.999999


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("4d8 cp", "4d8 cp (32)"),
        ("d6 goblins.", "d6 goblins (6)."),
        ("2d6 + 1 hours later", "2d6 + 1 hours (13) later"),
        ("1d8+1d4", "1d8+1d4 (12)"),
        ("3d6 \u2212 2 rats", "3d6 \u2212 2 rats (16)"),
        ("6d6 \u00d7 100 cp", "6d6 \u00d7 100 cp (3600)"),
        ("2D6*1,000 gp", "2D6*1,000 gp (12000)"),
        ("1d% per cent", "1d% per (100) cent"),
        ("4d6kh3", "4d6kh3 (18)"),
        ("2d4 wolves and 1d6 goblins", "2d4 wolves (8) and 1d6 goblins (6)"),
        ("3d6 of them, or 2d6 and a cat", "3d6 (18) of them, or 2d6 (12) and a cat"),
        ("10 (3d6) fire", "10 (3d6 (18)) fire"),
        ("1d6 - 9 lives", "1d6 - 9 lives (-3)"),
    ],
)
def test_what_dice_rolled_stands_behind_them_in_brackets(text: str, told: str) -> None:
    assert with_rolls(text, Highest()) == told


@pytest.mark.parametrize(
    "text", ["", "d7 road", "Old6", "a2d6b", "2d", "9999d6", "0d6", "Section 1.2d6", "d66x", "id6"]
)
def test_other_words_stay(text: str) -> None:
    assert with_rolls(text, Highest()) == text


@given(st.text("0123456789dDkhl%+-\u2013 x*,.(", max_size=30), st.integers())
def test_any_text_stays_and_the_same_seed_rolls_the_same(text: str, seed: int) -> None:
    told = with_rolls(text, Random(seed))
    assert re.sub(r" \(-?[0-9]+\)", "", told) == re.sub(r" \(-?[0-9]+\)", "", text)
    assert told == with_rolls(text, Random(seed))
