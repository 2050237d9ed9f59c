"""A game more: with nothing but a package of its own and a line in the registry it is played, logged and counted.

A feature that it lacks is refused in one line.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.high_card import INFO
from tests.registering import registered
from tests.wording import Says
from vaultkit.campaign.shipped_notes import way_to_rule_note
from vaultkit.errors import ExitCode
from vaultkit.games.registry import GAMES

RANDOM = ("--seat", "bot:random", "--seat", "bot:random")
YSOLDE = ("play", "high-card", "--seat", "Ysolde Marr", "--seat", "bot:random", "--script", "moves.txt")


@pytest.fixture
def example(example: Path) -> Path:
    """The example vault, and beside its notes what Ysolde types."""
    (example / "moves.txt").write_text("a\n", encoding="utf-8")
    return example


@pytest.fixture(autouse=True)
def high_card() -> Iterator[None]:
    with registered(INFO):
        yield


@pytest.mark.slow
def test_sixth_game_is_played_logged_and_counted(vk: Vaultkit, example: Path) -> None:
    played = vk(*YSOLDE, "--json", cwd=example).json
    assert played["outcome"]["kind"] == "highest" and set(played["scores"]["Ysolde Marr"]) == {"rank"}
    note = (example / played["note"]).read_text(encoding="utf-8")
    assert "High Card" in note and "[[Ysolde Marr]]" in note
    assert played["session"] in (example / "Campaign Log.md").read_text(encoding="utf-8")
    [game] = vk("stats", "--json", cwd=example).json["games"]
    assert (game["id"], game["sessions"], game["outcomes"]) == ("high-card", 1, {"highest": 1})
    assert "All cards are turned over" in vk("stats", cwd=example).out
    assert "high-card" in vk("sessions", cwd=example).out and vk("replay", played["session"], cwd=example).code == 0


@pytest.mark.slow
def test_sixth_game_is_listed_and_checked_by_doctor(vk: Vaultkit, example: Path) -> None:
    assert "high-card\tHigh Card\t2 to 4\tyes, without its rule note\n" in vk("games", cwd=example).out
    told = "High Card: not in this vault, but its deck is: it can be played without its rule note\n"
    assert told in vk("doctor", "--all", cwd=example).out
    assert "undo = safe" in vk("rules", "high-card", "--options", cwd=example).out


def test_shipped_rule_note_is_copied_only_if_it_exists() -> None:
    copied = {info.id for info in GAMES.values() if "init --with" in way_to_rule_note(info)}
    assert copied == {*GAMES} - {"high-card"}


@pytest.mark.slow
def test_only_the_deck_of_the_sixth_game_is_copied(vk: Vaultkit, tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    said = vk("init", "--with", "high-card", cwd=tmp_path).err
    assert "There is no rule note of High Card to copy. Write one of your own" in said and "1 deck" in said
    assert vk(*YSOLDE[:2], *RANDOM, cwd=tmp_path).code == ExitCode.OK


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rules", "learn"])
def test_missing_rule_note_without_a_shipped_one_does_not_suggest_copying(
    vk: Vaultkit, example: Path, command: str
) -> None:
    said = vk(command, "high-card", cwd=example).err
    assert "init --with" not in said and said == Says("vaultkit-game", "high-card", "properties")


@pytest.mark.slow
def test_sixth_game_is_simulated_with_any_number_of_processes(vk: Vaultkit, example: Path) -> None:
    words = ("simulate", "high-card", "--games", "40", "--seats", "random,random,random", "--seed", "3", "--json")
    one, two = (vk(*words, "--jobs", jobs, cwd=example).json for jobs in ("1", "2"))
    assert one["outcomes"] == {"highest": 40} and one["seats"] == two["seats"]


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("play", "high-card", "--seat", "bot:greedy", *RANDOM), ExitCode.USAGE, "no rules of thumb for High Card"),
        (("play", "high-card", "--seat", "bot:search:5", *RANDOM), ExitCode.USAGE, "no rules of thumb for High Card"),
        (("simulate", "high-card"), ExitCode.USAGE, "no rules of thumb for High Card"),
        ((*YSOLDE, "--real-cards"), ExitCode.USAGE, "High Card cannot be refereed with real cards"),
        ((*YSOLDE, "--story"), ExitCode.USAGE, "High Card has no story"),
        ((*YSOLDE, "--character", "Bram Tolliver"), ExitCode.USAGE, "High Card has no characters"),
        (("log", "high-card", "--score", "Ysolde Marr: 3"), ExitCode.USAGE, "no score sheet of High Card"),
        (("init", "--with", "high-card"), ExitCode.NOTHING, "no rule note of High Card to copy"),
        (("rules", "high-card"), ExitCode.INVALID, "no rule note for High Card"),
        (("rules", "high-card", "--ruling", "1"), ExitCode.NOTHING, "no numbered rulings of High Card"),
        (("rules", "high-card", "--ruling", "HC-1"), ExitCode.NOTHING, "'HC-1' is not a ruling"),
        (("print", "scores", "high-card"), ExitCode.USAGE, "no score sheet of High Card"),
        (("print", "reference", "high-card"), ExitCode.NOTHING, "no reference cards for High Card"),
        (("print", "packet", "high-card"), ExitCode.USAGE, "no score sheet of High Card"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_missing_features_of_the_sixth_game_are_reported_in_one_line(
    words: tuple[str, ...], code: ExitCode, said: str, vk: Vaultkit, example: Path
) -> None:
    done = vk(*words, cwd=example)
    errors = [line for line in done.err.splitlines() if line.startswith("Error")]
    assert done.code == code and len(errors) == 1 and said in errors[0], done.err
    assert "Traceback" not in done.err and not list(example.glob(".vaultkit/journals/*.journal"))


@pytest.mark.slow
def test_rewards_are_refused_for_other_games(vk: Vaultkit, example: Path) -> None:
    note = vk("play", "high-card", *RANDOM, "--seed", "4", "--json", cwd=example).json["note"]
    done = vk("rewards", note, cwd=example)
    assert done.code == ExitCode.USAGE and "Only Dragon Citadel has rewards, and this was High Card" in done.err
