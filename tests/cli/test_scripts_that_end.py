"""A script that does not bring its game to an end: the game stays, and what may become of it is said."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode

pytestmark = pytest.mark.slow

GAME = ("play", "dragon-citadel", "--seat", "Ysolde", "--seat", "bot:greedy", "--seat", "bot:greedy", "--seed", "3")


@pytest.mark.parametrize("moves", ["a\n", "fly away\n"])
@pytest.mark.parametrize("more", [(), ("--dry-run",), ("--json",)])
def test_next_steps_are_shown_with_the_id(
    vk: Vaultkit, example: Path, tmp_path: Path, moves: str, more: tuple[str, ...]
) -> None:
    (tmp_path / "moves.txt").write_text(moves, encoding="utf-8")
    done = vk(*GAME, "--script", str(tmp_path / "moves.txt"), *more, cwd=example)
    assert done.code == ExitCode.USAGE
    assert "moves.txt" in done.err
    (game,) = vk("sessions", "--json", cwd=example).json
    assert game["standing"] == "running"
    hint = done.err.partition("Hint: ")[2]
    if "--json" in more:  # the game is shown before the error
        hint = json.loads(done.err[done.err.index("{\n") :])["error"]["hint"]
    same = " --dry-run" if "--dry-run" in more else ""
    assert f"vaultkit resume {game['session']}{same}." in hint
    assert hint.strip().endswith(f"vaultkit sessions --discard {game['session']}")
    assert vk("sessions", "--discard", game["session"], cwd=example).code == ExitCode.OK
    assert vk("sessions", "--json", cwd=example).json == []


def test_resumed_game_shows_the_next_steps_again(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    (tmp_path / "moves.txt").write_text("a\n", encoding="utf-8")
    vk(*GAME, "--script", str(tmp_path / "moves.txt"), cwd=example)
    done = vk("resume", "--script", str(tmp_path / "moves.txt"), cwd=example)
    assert done.code == ExitCode.USAGE
    assert "sessions --discard 20261103-dragon-citadel-" in done.err


def test_ended_dry_run_shows_how_to_log_or_discard_the_game(vk: Vaultkit, example: Path) -> None:
    bots = ("--seat", "bot:greedy") * 3
    done = vk("play", "dragon-citadel", *bots, "--seed", "3", "--dry-run", cwd=example)
    (game,) = vk("sessions", "--json", cwd=example).json
    assert f"vaultkit log --session {game['session']}" in done.err
    assert f"vaultkit sessions --discard {game['session']}" in done.err
