import subprocess
import sys

import pytest

from vaultkit.spelling import (
    did_you_mean,
    did_you_mean_by,
    find_fewest_edits,
    find_nearest,
    map_words_to_names,
    suggest_names,
)


def test_the_nearest_name_is_the_one_with_most_letters_in_common() -> None:
    assert find_nearest("ravn", ["Rogue", "raven", "ravine"]) == "raven"
    assert find_nearest("ravn", ["artifact", "beast"]) == ""
    assert find_nearest("ravn", []) == ""
    assert find_nearest("tarok", ["tarokka"], min_score=85) == ""


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("Sesion 1", "Session 1", "Session 1"),
        ("Session 5", "Session 1", ""),
        ("Session 05", "Session 5", "Session 5"),
        ("Session 5", "Session", "Session"),
    ],
)
def test_another_number_is_another_name(word: str, known: str, meant: str) -> None:
    assert find_nearest(word, [known], numbers_distinguish=True) == meant


@pytest.mark.parametrize("word", ["npcs", "np", "nbc", "pnc"])
def test_one_letter_more_less_other_or_exchanged_is_one_slip(word: str) -> None:
    assert find_fewest_edits(word, ["npc", "place"], 1) == ["npc"]


def test_two_slips_are_no_slip() -> None:
    assert find_fewest_edits("nbd", ["npc"], 1) == []


def test_a_hint_asks_for_the_nearest_name_whatever_its_case() -> None:
    assert did_you_mean("HAGS CURSE", ["Hag's Curse"]) == "Did you mean 'Hag's Curse'?"
    assert did_you_mean("qqq", ["Hag's Curse"]) == ""


def test_a_hint_goes_on_whether_or_not_a_name_is_near() -> None:
    assert did_you_mean("mod", ["mode"], suffix="Its options: mode.") == "Did you mean 'mode'? Its options: mode."
    assert did_you_mean("qqq", ["mode"], suffix="Its options: mode.") == "Its options: mode."


def test_a_hint_can_ask_for_what_a_word_stands_for_and_for_more_than_one() -> None:
    assert did_you_mean_by("k3f8", {"k3f9": "20261103-propheta-k3f9"}) == "Did you mean '20261103-propheta-k3f9'?"
    assert did_you_mean("mon", ["moon", "moons", "sun"], limit=2) == "Did you mean 'moon' or 'moons'?"
    assert did_you_mean_by("mon", {"moon": "Moon", "moons": "Moon"}, limit=2) == "Did you mean 'Moon'?"
    assert suggest_names("a", "b", "c") == "Did you mean 'a' or 'b' or 'c'?"


def test_a_word_of_a_name_stands_for_it_unless_it_is_a_name_itself() -> None:
    assert map_words_to_names(["Ann of Bree", "Bree"], min_letters=3) == {
        "ann": "Ann of Bree",
        "bree": "Bree",
        "ann of bree": "Ann of Bree",
    }


def test_nothing_is_loaded_before_a_name_is_looked_for() -> None:
    program = "import sys, vaultkit.spelling; sys.exit('rapidfuzz' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
