"""Matches as users play, leave, log and count them."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit, finish_game
from vaultkit.campaign.matches import MatchNotes
from vaultkit.errors import ExitCode, InvalidError, WriteError

BOTS = ("play", "propheta", "--seat", "bot:greedy", "--seat", "bot:random", "--match", "3", "--seed", "5")
PERSON = ("play", "turn-of-fate", "--seat", "Ysolde", "--seat", "bot:greedy", "--match", "2", "--seed", "5")


def tree(root: Path) -> dict[str, bytes]:
    """Every note of a vault with its bytes."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*.md"))}


@pytest.mark.slow
def test_match_is_one_note_and_one_line_and_undo_removes_both(vk: Vaultkit, example: Path) -> None:
    before = tree(example)
    done = vk(*BOTS, "--json", cwd=example).json
    assert done["match"] == 3 and len(done["games"]) == 2, "nobody could draw level after two games"
    assert done["outcome"]["kind"] == "most-games" and done["outcome"]["winners"] == ["Aldous"]
    changed = {path for path, data in tree(example).items() if data != before.get(path)}
    assert changed == {done["note"], "Campaign Log.md"}
    note = (example / done["note"]).read_text(encoding="utf-8")
    assert "match: 3\ngame-1:\n  - Aldous\ngame-2:\n  - Aldous\n" in note
    assert "| 1 | Aldous | 22 | 6 | g001 |\n| 2 | Aldous | 28 | 8 | g002 |" in note
    assert (example / "Campaign Log.md").read_text(encoding="utf-8").count(done["session"]) == 1
    listed = vk("sessions", "--json", cwd=example).json
    assert [(one["session"], one["standing"], one["match"]) for one in listed] == [(done["session"], "finished", 3)]
    assert vk("undo", cwd=example).code == ExitCode.OK and tree(example) == before
    assert vk("log", "--session", done["session"], cwd=example).code == ExitCode.OK
    assert vk("log", "--session", done["session"], "--json", cwd=example).json["note"] == done["note"]
    assert [len(game["steps"]) > 50 for game in vk("replay", done["session"], "--json", cwd=example).json]
    assert vk("sessions", "--discard", done["session"], cwd=example).code == ExitCode.OK
    assert not list((example / ".vaultkit" / "journals").glob("*.[jm]*"))


@pytest.mark.slow
def test_match_continues_in_the_middle_of_a_game(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    script = tmp_path / "moves.txt"
    script.write_text("z\nz\n", encoding="utf-8")
    left = vk(*PERSON, "--script", str(script), cwd=example)
    assert left.code == ExitCode.USAGE and "vaultkit resume" in left.err
    assert [one["standing"] for one in vk("sessions", "--json", cwd=example).json] == ["running"]
    assert not any("seed" in vk(*words, cwd=example).out + left.err for words in (("sessions",), ("replay",)))
    assert "--seed" not in left.out, "it would tell the hands of the games to come"
    done = finish_game(vk, example, script, "resume")
    assert "Turn of Fate, game 2 ·" in done.err, "the screen says so after the heading has scrolled away"
    assert "Game 2 of at most 2" in done.err and "The match, after 1 of at most 2 games" in done.err
    assert "Written: Campaign Log.md" in done.err
    assert vk("resume", cwd=example).code == ExitCode.NOTHING


@pytest.mark.slow
def test_statistics_count_the_games_and_the_match(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    script = tmp_path / "moves.txt"
    games = finish_game(vk, example, script, *PERSON).json["games"]
    found = vk("stats", "--bots", "--json", cwd=example).json
    won = {one["name"]: (one["games"], one["wins"], one["matches"], one["matches_won"]) for one in found["players"]}
    ysolde = sum("Ysolde" in game["winners"] for game in games)
    assert won["Ysolde Marr"][:3] == (2, ysolde, 1)
    assert found["games"][0]["sessions"] == 2 and found["games"][0]["matches"] == 1
    best = next(one["best"] for one in found["players"] if one["name"] == "Ysolde Marr")
    assert best[0]["score"] == max(game["scores"]["Ysolde"] for game in games)
    assert vk("stats", "--write", cwd=example).code == ExitCode.OK
    assert "2 games, some of them in 1 match" in (example / "Games" / "Statistics.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_winner_of_the_last_game_of_a_match_begins_the_next_evening(vk: Vaultkit, example: Path) -> None:
    done = vk(*BOTS, "--json", cwd=example).json
    again = vk(*BOTS[:-2], "--set", "first=winner-of-last", "--json", cwd=example)
    assert again.code == ExitCode.OK, again.err
    first = vk("replay", again.json["games"][0]["session"], "--json", cwd=example).json["steps"]
    said = [event["text"] for step in first for event in step["events"]]
    assert f"{done['games'][-1]['winners'][0]} will lead first." in said


def test_match_on_phones_is_refused_in_one_line(vk: Vaultkit, example: Path) -> None:
    refused = vk(*BOTS, "--phones", cwd=example)
    assert refused.code == ExitCode.USAGE
    assert refused.err.startswith("Error: A match ") and "--table instead of --phones" in refused.err


@pytest.mark.slow
@pytest.mark.parametrize("step", ["reload", "log"])
def test_error_between_games_or_while_logging_ends_the_match_with_that_error_and_loses_nothing(
    vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    before, error = tree(example), {"reload": InvalidError("It is cut off."), "log": WriteError("The disk is full.")}

    def fail(*_: object, **__: object) -> None:
        raise error[step]

    with monkeypatch.context() as patch:
        patch.setattr(MatchNotes, step, fail)
        ended = vk(*BOTS, cwd=example)
    assert ended.code == error[step].exit_code and error[step].message in ended.err
    assert ("Game 2 of at most 3" in ended.out, "Aldous wins the match" in ended.out) == ((step == "log"),) * 2
    assert tree(example) == before
    assert vk("resume", vk("sessions", "--json", cwd=example).json[0]["session"], cwd=example).code == ExitCode.OK
    assert tree(example) != before
