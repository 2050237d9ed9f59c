import subprocess
import sys
from pathlib import Path

import pytest

from tests.wording import Says
from vaultkit.spelling import (
    did_you_mean,
    did_you_mean_by,
    find_fewest_edits,
    find_nearest,
    map_words_to_names,
    missing_file,
    suggest_names,
)


def test_nearest_name_has_the_most_letters_in_common() -> None:
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
def test_different_number_is_a_different_name(word: str, known: str, meant: str) -> None:
    assert find_nearest(word, [known], numbers_distinguish=True) == meant


@pytest.mark.parametrize("word", ["npcs", "np", "nbc", "pnc"])
def test_one_letter_added_missing_changed_or_swapped_is_one_typo(word: str) -> None:
    assert find_fewest_edits(word, ["npc", "place"], 1) == ["npc"]


def test_two_typos_are_too_many() -> None:
    assert find_fewest_edits("nbd", ["npc"], 1) == []


def test_hint_suggests_the_nearest_name_in_any_case() -> None:
    assert did_you_mean("HAGS CURSE", ["Hag's Curse"]) == "Did you mean 'Hag's Curse'?"
    assert did_you_mean("qqq", ["Hag's Curse"]) == ""


def test_hint_is_completed_with_or_without_a_similar_name() -> None:
    assert did_you_mean("mod", ["mode"], suffix="Its options: mode.") == "Did you mean 'mode'? Its options: mode."
    assert did_you_mean("qqq", ["mode"], suffix="Its options: mode.") == "Its options: mode."


def test_hint_can_suggest_the_meaning_of_a_word_and_several_names() -> None:
    assert did_you_mean_by("k3f8", {"k3f9": "20261103-propheta-k3f9"}) == "Did you mean '20261103-propheta-k3f9'?"
    assert did_you_mean("mon", ["moon", "moons", "sun"], limit=2) == "Did you mean 'moon' or 'moons'?"
    assert did_you_mean_by("mon", {"moon": "Moon", "moons": "Moon"}, limit=2) == "Did you mean 'Moon'?"
    assert suggest_names("a", "b", "c") == "Did you mean 'a' or 'b' or 'c'?"


def test_word_of_a_name_refers_to_it_unless_it_is_a_name_itself() -> None:
    assert map_words_to_names(["Ann of Bree", "Bree"], min_letters=3) == {
        "ann": "Ann of Bree",
        "bree": "Bree",
        "ann of bree": "Ann of Bree",
    }


def test_nothing_is_loaded_before_a_name_is_searched_for() -> None:
    program = "import sys, vaultkit.spelling; sys.exit('rapidfuzz' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize("typed", ["hearts.pdf", "friday night.PDF", "Friday nihgt hearts.pdf"])
def test_missing_file_is_answered_with_similar_files_of_its_folder(tmp_path: Path, typed: str) -> None:
    (tmp_path / "Friday night hearts.pdf").touch()
    (tmp_path / "Friday hearts.csv").touch()
    assert missing_file(str(tmp_path / typed)).hint == f"Did you mean '{tmp_path / 'Friday night hearts.pdf'}'?"


@pytest.mark.parametrize("typed", ["qqq.pdf", "nowhere/hearts.pdf"])
def test_missing_file_without_a_similar_one_asks_for_name_and_folder(tmp_path: Path, typed: str) -> None:
    (tmp_path / "hearts.pdf").touch()
    assert missing_file(str(tmp_path / typed)).hint == Says("name", "folder", "right")
