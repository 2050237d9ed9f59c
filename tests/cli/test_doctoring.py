"""`doctor`: what is missing, and what is only not there."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Vaultkit
from tests.vault.making import make_files
from vaultkit.errors import ExitCode
from vaultkit.games.registry import GAMES

CITADEL, GAMBIT = GAMES["dragon-citadel"].title, GAMES["prophets-gambit"].title


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    make_files(folder, {})
    return folder


def checks(vk: Vaultkit, root: Path) -> dict[str, dict[str, Any]]:
    return {check["name"]: check for check in vk("doctor", "--json", cwd=root).json["checks"]}


def test_a_vault_without_games_is_sound(vk: Vaultkit, root: Path) -> None:
    done = vk("doctor", cwd=root)
    assert done.code == ExitCode.OK
    assert "missing" not in done.out
    for game in GAMES.values():
        assert f"-   {game.title}: not in this vault; to have it: vaultkit init --with {game.id}\n" in done.out


def test_a_deck_for_another_game_makes_no_game_incomplete(vk: Vaultkit, root: Path) -> None:
    assert vk("init", "--with", "prophets-gambit", cwd=root).code == ExitCode.OK
    done = vk("doctor", cwd=root)
    assert done.code == ExitCode.OK
    assert f"ok  {GAMBIT}: rules " in done.out and f"-   {CITADEL}: not in this vault" in done.out


@pytest.mark.parametrize("lost", ["rule_note", "deck"])
def test_a_game_with_a_part_missing_is_a_fault(vk: Vaultkit, root: Path, lost: str) -> None:
    vk("init", "--with", "dragon-citadel", cwd=root)
    (game,) = (row for row in vk("games", "--json", cwd=root).json if row["id"] == "dragon-citadel")
    (root / game[lost]).unlink()
    assert vk("doctor", cwd=root).code == ExitCode.PROBLEMS
    told = checks(vk, root)[CITADEL]
    assert (told["ok"], told["hint"]) == (False, "Copy what is missing with: vaultkit init --with dragon-citadel")
    assert "missing" in told["detail"]


def test_a_deck_with_errors_is_a_fault_though_no_game_needs_it(vk: Vaultkit, root: Path) -> None:
    make_files(
        root, {"Bad.md": "---\nvaultkit-deck: tarokka\n---\n# Bad\n\n## Cards\n\n### Nobody\n\n*One of Nothing*\n"}
    )
    done = vk("doctor", cwd=root)
    assert done.code == ExitCode.PROBLEMS
    assert "!!  deck Bad: Bad.md: " in done.out
