"""Games that an earlier version recorded: replayed, listed and logged with the options of that time."""

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit

RECORDED = Path(__file__).parents[1] / "data" / "journals" / "0.3.0-rivals"
SCORES = ("--score", "Ysolde: swords=17/1", "--score", "Bram: coins=8+9, forfeited", "--score", "Ivo: glyphs=3")

pytestmark = pytest.mark.usefixtures("trusting")


def with_journals(vault: Path) -> Path:
    """A vault in which the games of version 0.3.0 were played."""
    shutil.copytree(RECORDED, vault / ".vaultkit" / "journals", dirs_exist_ok=True)
    return vault


@pytest.mark.slow
def test_dc_40_game_of_an_earlier_version_is_logged_with_its_former_option(example: Path, vk: Vaultkit) -> None:
    vault = with_journals(example)
    done = vk("log", "--session", "20261120-dragon-citadel-over", cwd=vault)
    assert done.code == 0, done.err
    (note,) = (vault / "Games").glob("2026-11-20 Dragon Citadel*.md")
    assert '  - "must_answer=no"' in note.read_text(encoding="utf-8")


def test_dc_40_a_game_of_an_earlier_version_is_replayed(example: Path, vk: Vaultkit) -> None:
    done = vk("replay", "20261120-dragon-citadel-over", "--json", cwd=with_journals(example))
    assert done.code == 0, done.err


def test_dc_40_a_match_of_an_earlier_version_is_listed(example: Path, vk: Vaultkit) -> None:
    done = vk("sessions", "--json", cwd=with_journals(example))
    assert done.code == 0, done.err
    standings = {game["session"]: game["standing"] for game in done.json}
    assert standings["20261120-dragon-citadel-many"] == "running"
    assert standings["20261120-dragon-citadel-over"] == "finished"


@pytest.mark.slow
def test_dc_40_scores_saved_by_an_earlier_version_are_logged_with_their_former_option(
    example: Path, vk: Vaultkit
) -> None:
    done = vk("log", "dragon-citadel", *SCORES, "--set", "mode=competitive", "--outcome", "score", cwd=example)
    assert done.code == 0, done.err
    (kept,) = (example / ".vaultkit" / "journals").glob("*.journal")
    assert vk("undo", cwd=example).code == 0
    older, times = re.subn(rb'"must_answer": ?"yes",? ?', b"", kept.read_bytes())
    assert times == 1
    kept.write_bytes(older)
    done = vk("log", "--session", kept.stem, cwd=example)
    assert done.code == 0, done.err
    (note,) = (example / "Games").glob("* Dragon Citadel*.md")
    assert '  - "must_answer=no"' in note.read_text(encoding="utf-8")
