"""`vaultkit` alone says what can be done here now, and `play` alone asks which game."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode

SEATS = ("--seat", "bot:greedy", "--seat", "bot:random")


def commands(vk: Vaultkit, vault: Path) -> list[str]:
    return [step["command"] for step in vk("--json", cwd=vault).json]


@pytest.mark.slow
def test_vaultkit_without_a_command_lists_waiting_games_first(vk: Vaultkit, example: Path) -> None:
    always = commands(vk, example)
    assert always[0] == "vaultkit play" and "vaultkit check" in always
    vk("play", "propheta", *SEATS, "--no-log", cwd=example)
    (example / "moves.txt").write_text("# nothing yet\n", encoding="utf-8")
    seats = ("--seat", "Ysolde", "--seat", "bot:greedy")
    vk("play", "propheta", *seats, "--script", "moves.txt", cwd=example)
    games = {row["standing"]: row for row in vk("sessions", "--json", cwd=example).json}
    finished, running = games["finished"], games["running"]
    steps = [f"vaultkit resume {running['session'][-4:]}", f"vaultkit log --session {finished['session'][-4:]}"]
    assert commands(vk, example) == [*steps, *always]
    shown = vk(cwd=example).out
    assert f"{steps[0]}" in shown and "go on with Propheta with Ysolde and Aldous" in shown
    vk("log", "--session", finished["session"], cwd=example)
    assert commands(vk, example) == [steps[0], *always]


@pytest.mark.slow
def test_vaultkit_without_a_command_offers_the_latest_of_many_games(
    vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (example / "moves.txt").write_text("# nothing yet\n", encoding="utf-8")
    for day in range(5):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1793700000 + day * 86_400))
        vk("play", "propheta", "--seat", "Ysolde", "--seat", "bot:greedy", "--script", "moves.txt", cwd=example)
    latest = [row["session"][-4:] for row in vk("sessions", "--json", cwd=example).json][:3]
    assert commands(vk, example)[:3] == [f"vaultkit resume {short_id}" for short_id in latest]


def test_vaultkit_without_a_command_shows_the_help_outside_a_vault(vk: Vaultkit, tmp_path: Path) -> None:
    assert "Usage: vaultkit" in vk(cwd=tmp_path).out
    assert vk("--vault", "nowhere", cwd=tmp_path).code != ExitCode.OK


def test_play_without_a_game_lists_the_games_without_a_terminal(vk: Vaultkit, example: Path) -> None:
    done = vk("play", cwd=example)
    assert done.code == ExitCode.USAGE and "Which game?" in done.err and "propheta" in done.err


@pytest.mark.parametrize(
    ("typed", "game"),
    [
        ("3", "propheta"),
        ("Propheta", "propheta"),
        ("dra", "dragon-citadel"),
        ("prophet", ""),
        ("proheta", "propheta"),
        ("9", ""),
        pytest.param("9" * 5_000, "", id="figures without end"),
        ("", ""),
    ],
)
def test_game_is_chosen_by_number_name_or_similar_name(typed: str, game: str) -> None:
    from vaultkit.games.registry import GAMES
    from vaultkit.terminal.game_choice import _find_game

    assert _find_game(typed.casefold(), {info.id: info.title for info in GAMES.values()}) == game
