"""Playing, logging, going on, taking back: whole commands on copies of the example vault."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Done, Vaultkit, finish_game
from vaultkit.errors import ExitCode
from vaultkit.session.journal_files import lock

BOTS = ("--seat", "bot:greedy", "--seat", "bot:greedy", "--seat", "bot:random")
GAME = ("play", "dragon-citadel", *BOTS, "--seed", "7")
LOG = "Campaign Log.md"


def tree(vault: Path) -> dict[str, bytes]:
    """Every file of the vault but vaultkit's own records."""
    private = [vault / ".vaultkit" / name for name in ("journals", "history", "lock")]
    return {
        path.relative_to(vault).as_posix(): path.read_bytes()
        for path in sorted(vault.rglob("*"))
        if path.is_file() and not any(path.is_relative_to(folder) for folder in private)
    }


def git(vault: Path, *words: str) -> str:
    name = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false")
    return subprocess.run(
        ["git", "-C", str(vault), *name, *words], check=True, capture_output=True, encoding="utf-8"
    ).stdout


def assert_clear(done: Done, code: ExitCode, *said: str) -> None:
    """One error, with this exit code, that says these things, and no traceback."""
    assert done.code == code, done.err
    assert done.err.count("Error") == 1
    assert "Traceback" not in done.err
    for words in said:
        assert words in done.err


@pytest.mark.slow
def test_the_same_seed_gives_the_same_game_and_the_same_note(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(example, tmp_path / "other"))
    first, second = vk(*GAME, "--json", cwd=example).json, vk(*GAME, "--json", cwd=other).json
    assert first["scores"] == second["scores"]
    assert first["outcome"] == second["outcome"]
    assert first["note"] == second["note"]
    assert tree(example) == tree(other)


@pytest.mark.slow
def test_git_shows_one_new_note_and_one_inserted_line(vk: Vaultkit, example: Path) -> None:
    git(example, "init", "-q")
    git(example, "add", "-A")
    git(example, "commit", "-qm", "before")
    note = vk(*GAME, "--json", cwd=example).json["note"]
    assert git(example, "status", "--porcelain", "-uall").splitlines() == [f' M "{LOG}"', f'?? "{note}"']
    assert git(example, "diff", "--numstat").split()[:2] == ["1", "0"]


@pytest.mark.slow
def test_json_has_the_documented_fields(vk: Vaultkit, example: Path) -> None:
    done = vk(*GAME, "--json", cwd=example)
    assert set(done.json) == {"session", "game", "seed", "seats", "outcome", "scores", "note", "journal"}
    assert done.json["outcome"]["kind"] in {"party", "dealer", "seer"}
    assert done.json["seats"][2] == {"name": "Orrick", "bot": "random"}
    assert Path(done.json["journal"]).is_file()
    assert isinstance(done.json["seed"], int), "the game is over"


@pytest.mark.slow
def test_dry_run_shows_the_diff_and_writes_no_note(vk: Vaultkit, example: Path) -> None:
    before = tree(example)
    done = vk(*GAME, "--dry-run", cwd=example)
    assert done.code == ExitCode.OK
    assert f"+++ b/{LOG}" in done.out.splitlines()
    assert sum(line.startswith("+- 2026-11-03") for line in done.out.splitlines()) == 1
    assert tree(example) == before
    assert "The game itself is kept" in done.err and "vaultkit sessions --discard 2026" in done.err


@pytest.mark.slow
def test_dry_run_with_json_is_one_document(vk: Vaultkit, example: Path) -> None:
    done = vk(*GAME, "--dry-run", "--json", cwd=example)
    assert f"+++ b/{LOG}" in done.json["diff"].splitlines()
    logged = vk("log", "--session", done.json["session"], "--dry-run", "--json", cwd=example)
    assert logged.json["diff"] == done.json["diff"]


@pytest.mark.slow
def test_stray_byte_in_a_piped_script_does_not_crash(example: Path) -> None:
    seats = ("--seat", "A", "--seat", "bot:greedy", "--seat", "bot:greedy")
    words = ("play", "dragon-citadel", *seats, "--seed", "3", "--script", "-")
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(
        [sys.executable, "-m", "vaultkit", *words], cwd=example, input=b"play \xff\n", capture_output=True,
        env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == ExitCode.USAGE
    assert b"stdin:1" in done.stderr


@pytest.mark.slow
def test_no_log_then_log_then_log_again(vk: Vaultkit, example: Path) -> None:
    before = tree(example)
    session = vk(*GAME, "--no-log", "--json", cwd=example).json["session"]
    assert tree(example) == before
    assert vk("log", "--session", session, "--json", cwd=example).json["note"]
    logged = tree(example)
    assert logged != before
    assert vk("log", "--session", session, cwd=example).code == ExitCode.OK
    assert tree(example) == logged


@pytest.mark.slow
def test_undo_reverts_everything_and_then_finds_nothing(vk: Vaultkit, example: Path) -> None:
    before = tree(example)
    times = {path: path.stat().st_mtime_ns for path in example.rglob("*.md")}
    note = vk(*GAME, "--json", cwd=example).json["note"]
    assert vk("undo", "--json", cwd=example).json == {"restored": [note, LOG]}
    assert tree(example) == before
    assert {path: path.stat().st_mtime_ns for path in example.rglob("*.md")} == times
    assert not (example / "Games").exists()
    assert_clear(vk("undo", cwd=example), ExitCode.NOTHING, "nothing to undo")


@pytest.mark.slow
def test_undo_refuses_a_note_changed_since(vk: Vaultkit, example: Path) -> None:
    vk(*GAME, cwd=example)
    with (example / LOG).open("a", encoding="utf-8") as log:
        log.write("\nA thought.\n")
    before = tree(example)
    assert_clear(vk("undo", cwd=example), ExitCode.WRITE, LOG, "changed")
    assert tree(example) == before


@pytest.mark.slow
def test_undo_finds_a_moved_note_and_accepts_an_older_write(vk: Vaultkit, example: Path) -> None:
    first = vk(*GAME, "--campaign", "", "--json", cwd=example).json["note"]
    second = vk(*GAME, "--campaign", "", "--json", cwd=example).json["note"]
    (example / second).rename(example / "Archived.md")
    assert vk("undo", cwd=example).code == ExitCode.OK
    assert not (example / "Archived.md").exists()
    assert vk("undo", "1", "--json", cwd=example).json == {"restored": [first]}


@pytest.mark.slow
def test_undo_of_a_moved_and_edited_note_writes_nothing(vk: Vaultkit, example: Path) -> None:
    note = vk(*GAME, "--campaign", "", "--json", cwd=example).json["note"]
    moved = (example / note).rename(example / "Archived.md")
    moved.write_text(moved.read_text("utf-8") + "Mine.\n", encoding="utf-8")
    before = tree(example)
    assert_clear(vk("undo", cwd=example), ExitCode.WRITE, note)
    assert tree(example) == before


@pytest.mark.slow
def test_finished_game_is_listed_replayed_and_not_resumed(vk: Vaultkit, example: Path) -> None:
    session = vk(*GAME, "--json", cwd=example).json["session"]
    listed = vk("sessions", "--json", cwd=example).json
    assert [(game["session"], game["standing"]) for game in listed] == [(session, "finished")]
    shown = vk("replay", session[-4:], cwd=example).out
    assert "Round 1" in shown
    assert "Score Sheet" in shown
    steps = vk("replay", session, "--json", cwd=example).json["steps"]
    assert [step["n"] for step in steps] == list(range(1, len(steps) + 1))
    assert any("Round 1" in event["text"] for step in steps for event in step["events"])
    assert vk("resume", session, cwd=example).code == ExitCode.OK


@pytest.mark.slow
def test_script_plays_a_person_and_resume_continues_where_it_ends(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    script = tmp_path / "moves.txt"
    script.write_text("# the first two decisions\n1\n1\n", encoding="utf-8")
    seats = ("--seat", "Ysolde", "--seat", "bot:greedy", "--seat", "bot:greedy")
    cut = vk("play", "dragon-citadel", *seats, "--seed", "3", "--script", str(script), cwd=example)
    assert_clear(cut, ExitCode.USAGE, "moves.txt")
    (game,) = vk("sessions", "--json", cwd=example).json
    assert game["standing"] == "running"
    decided = game["moves"]
    done = finish_game(vk, example, script, "resume")
    assert done.json["outcome"] is not None
    assert vk("sessions", "--json", cwd=example).json[0]["moves"] > decided
    note = (example / done.json["note"]).read_text(encoding="utf-8")
    assert "[[Ysolde Marr|Ysolde]]" in note


@pytest.mark.slow
def test_an_illegal_line_of_a_script_is_named(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    script = tmp_path / "moves.txt"
    script.write_text("\nfly away\n", encoding="utf-8")
    seats = ("--seat", "Ysolde", "--seat", "bot:greedy", "--seat", "bot:greedy")
    done = vk("play", "dragon-citadel", *seats, "--seed", "3", "--script", str(script), cwd=example)
    assert_clear(done, ExitCode.USAGE, "moves.txt:2")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play", "dragon-citadell", *BOTS), "dragon-citadel"),
        (("play", "dragon-citadel", "--seat", "bot:greedy"), "3 to 7"),
        (("play", "dragon-citadel", "--seat", "bot:gredy"), "greedy"),
        (("play", "dragon-citadel", *BOTS, "--seed", "seven"), "--seed"),
        (("play", "dragon-citadel", *BOTS, "--set", "mode=versus"), "competitive"),
        (("play", "dragon-citadel", *BOTS, "--set", "moods=coop"), "mode"),
        (("play", "dragon-citadel", *BOTS, "--set", "mode"), "option=value"),
        (("play", "dragon-citadel", "--seat", "A", "--seat", "A", "--seat", "B"), "Two seats"),
        (("play", "dragon-citadel", "--seat", "A", "--seat", "B", "--seat", "C"), "--script"),
    ],
)
def test_wrong_usage_is_one_clear_error_and_leaves_nothing(
    vk: Vaultkit, example: Path, words: tuple[str, ...], said: str
) -> None:
    before = tree(example)
    done = vk(*words, cwd=example)
    assert_clear(done, ExitCode.NOTHING if "no game" in done.err or "no strategy" in done.err else ExitCode.USAGE, said)
    assert tree(example) == before
    assert vk("sessions", "--json", cwd=example).json == []


@pytest.mark.slow
def test_missing_campaign_note_is_reported_before_the_deal(vk: Vaultkit, example: Path) -> None:
    before = tree(example)
    assert_clear(vk(*GAME, "--campaign", "Nowhere", cwd=example), ExitCode.NOTHING, "Nowhere")
    assert tree(example) == before
    assert vk("sessions", "--json", cwd=example).json == []


@pytest.mark.slow
def test_campaign_note_lost_during_the_game_does_not_lose_the_game(vk: Vaultkit, example: Path) -> None:
    session = vk(*GAME, "--no-log", "--json", cwd=example).json["session"]
    (example / LOG).unlink()
    assert_clear(vk("log", "--session", session, cwd=example), ExitCode.NOTHING, LOG.removesuffix(".md"), session)
    assert not (example / "Games").exists()
    assert vk("log", "--session", session, "--campaign", "Home", cwd=example).code == ExitCode.OK


@pytest.mark.slow
def test_resume_logs_to_the_note_given_to_play(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    (example / "Side Quest.md").write_text("# Side Quest\n", encoding="utf-8")
    script = tmp_path / "moves.txt"
    script.write_text("a\n", encoding="utf-8")
    seats = ("--seat", "Ysolde", "--seat", "bot:greedy", "--seat", "bot:greedy", "--seed", "3")
    vk("play", "dragon-citadel", *seats, "--campaign", "Side Quest", "--script", str(script), cwd=example)
    before = (example / LOG).read_bytes()
    finish_game(vk, example, script, "resume")
    assert "^vk-" in (example / "Side Quest.md").read_text(encoding="utf-8")
    assert (example / LOG).read_bytes() == before


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no read-only bit of this kind")
def test_keyword_for_the_log_target_is_remembered_until_the_game_is_logged(vk: Vaultkit, example: Path) -> None:
    played = vk(*GAME, "--campaign", "newest-session", "--dry-run", "--json", cwd=example).json
    newest = max((example / "4-Sessions").glob("2026-*.md"))
    before = tree(example)
    assert vk("log", "--session", played["session"], "--json", cwd=example).code == ExitCode.OK
    after = tree(example)
    changed = {path for path in after if after[path] != before.get(path)}
    assert changed == {played["note"], newest.relative_to(example).as_posix()}


def test_read_only_campaign_note_is_refused_before_any_write(vk: Vaultkit, example: Path) -> None:
    (example / LOG).chmod(0o444)
    before = tree(example)
    assert_clear(vk(*GAME, cwd=example), ExitCode.WRITE, LOG, "read-only")
    assert tree(example) == before


@pytest.mark.slow
def test_a_missing_heading_is_made(vk: Vaultkit, example: Path) -> None:
    text = (example / LOG).read_text(encoding="utf-8")
    (example / LOG).write_text(text.replace("## Log\n", "## Chronicle\n"), encoding="utf-8", newline="")
    assert vk(*GAME, cwd=example).code == ExitCode.OK
    assert (example / LOG).read_text(encoding="utf-8").count("\n## Log\n") == 1


@pytest.mark.slow
def test_torn_journal_continues_and_a_corrupt_one_is_reported_with_its_line(vk: Vaultkit, example: Path) -> None:
    journal = Path(vk(*GAME, "--no-log", "--json", cwd=example).json["journal"])
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:20]) + lines[20][:9])
    done = vk("resume", cwd=example)
    assert done.code == ExitCode.OK
    assert journal.read_bytes().splitlines(keepends=True)[:20] == lines[:20]
    journal.write_bytes(b"".join([*lines[:5], b"{nonsense\n", *lines[6:]]))
    assert_clear(vk("resume", journal.stem, cwd=example), ExitCode.INVALID, journal.name)
    assert "damaged" in vk("sessions", cwd=example).out


@pytest.mark.slow
def test_a_journal_of_another_deck_is_refused(vk: Vaultkit, example: Path) -> None:
    journal = Path(vk(*GAME, "--no-log", "--json", cwd=example).json["journal"])
    first, *rest = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    header = json.loads(first)
    assert header["fingerprint"]
    header["fingerprint"] = "0" * 16
    journal.write_text(json.dumps(header) + "\n" + "".join(rest), encoding="utf-8")
    assert_clear(vk("resume", journal.stem, cwd=example), ExitCode.INVALID, "another deck")


@pytest.mark.slow
def test_discard_deletes_one_journal(vk: Vaultkit, example: Path) -> None:
    session = vk(*GAME, "--no-log", "--json", cwd=example).json["session"]
    assert vk("sessions", "--discard", session, "--json", cwd=example).json == {"discarded": session}
    assert vk("sessions", "--json", cwd=example).json == []
    assert_clear(vk("replay", session, cwd=example), ExitCode.NOTHING, session)


@pytest.mark.slow
def test_g_11_house_rules_come_from_settings_then_the_rule_note_then_flags(vk: Vaultkit, example: Path) -> None:
    config = example / ".vaultkit" / "config.toml"
    config.write_text(
        config.read_text(encoding="utf-8") + '\n[games.dragon-citadel]\nmode = "competitive"\nseer = "party-wins"\n',
        encoding="utf-8",
    )
    rule = example / "3-Mechanics/CLI/variant-rules/dragon-citadel.md"
    rule.write_text(
        rule.read_text(encoding="utf-8").replace(
            "vaultkit-game:", 'vaultkit-options: ["seer=dealer-wins", "must_win=yes"]\nvaultkit-game:'
        ),
        encoding="utf-8",
    )
    done = vk(*GAME, "--set", "must_win=no", "--json", cwd=example)
    note = (example / done.json["note"]).read_text(encoding="utf-8")
    assert "mode=competitive" in note
    assert "seer=dealer-wins" in note
    assert "must_win" not in note
    config.write_text('[games.dragon-citadel]\nmode = "x"\n', encoding="utf-8")
    assert_clear(vk(*GAME, cwd=example), ExitCode.INVALID, "competitive", "config.toml")


@pytest.mark.slow
def test_init_makes_an_own_vault_playable_and_undo_reverts_it(vk: Vaultkit, tmp_path: Path) -> None:
    vault = tmp_path / "mine"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "Diary.md").write_text("# Diary\n", encoding="utf-8")
    before = tree(vault)
    assert vk("init", "--with", "dragon-citadel", cwd=vault).code == ExitCode.OK
    assert vk("check", cwd=vault).code == ExitCode.OK
    assert vk(*GAME, "--campaign", "Diary", cwd=vault).code == ExitCode.OK
    assert "## Log" in (vault / "Diary.md").read_text(encoding="utf-8")
    assert vk("undo", cwd=vault).code == ExitCode.OK
    assert vk("undo", cwd=vault).code == ExitCode.OK
    after = tree(vault)
    after.pop(".vaultkit/.gitignore", None)
    assert after == before


@pytest.mark.slow
def test_demo_creates_a_vault_with_its_sheets_and_never_overwrites_one(vk: Vaultkit, tmp_path: Path) -> None:
    made = vk("demo", "evening", "--json", cwd=tmp_path).json
    assert (tmp_path / made["vault"] / made["note"]).is_file()
    assert len(made["files"]) == 5
    for file in made["files"]:
        assert (tmp_path / file).read_bytes().startswith(b"%PDF-")
    assert_clear(vk("demo", "evening", cwd=tmp_path), ExitCode.WRITE, "evening")
    assert_clear(vk("demo", "evening/again", cwd=tmp_path), ExitCode.WRITE, "inside a vault")
    assert vk("check", "--vault", "evening", cwd=tmp_path).code == ExitCode.OK


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "key", "begins"),
    [
        ("propheta", "first", "will lead first."),
        ("prophets-gambit", "dealer", "deals."),
        ("turn-of-fate", "first", "is Player 1 and turns up the first Citizen."),
    ],
)
def test_g_2_play_starts_with_the_last_winner_and_is_refused_without_one(
    vk: Vaultkit, example: Path, game: str, key: str, begins: str
) -> None:
    seats = ["--seat", "bot:greedy"] * (3 if game == "prophets-gambit" else 2)
    words = ("play", game, *seats, "--set", f"{key}=winner-of-last", "--seed", "5", "--json")
    refused = vk(*words, cwd=example)
    assert refused.code == 2 and "is logged yet" in refused.err
    assert not list(example.glob(".vaultkit/journals/*.journal"))
    for number in ("2", "5"):
        last = vk("play", game, *seats, "--seed", number, "--json", cwd=example).json["outcome"]["winners"]
        again = vk(*words, cwd=example)
        assert len(last) > 1 or f"{last[0]} {begins}" in again.err
        assert len(last) == 1 or "share the win" in again.err


@pytest.mark.slow
def test_resume_skips_a_game_that_is_open_in_another_window(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    script = tmp_path / "moves.txt"
    script.write_text("", encoding="utf-8")
    for _ in range(2):
        vk("play", "dragon-citadel", "--seat", "Ysolde", *BOTS[2:], "--script", str(script), cwd=example)
    newest, older = (game["session"] for game in vk("sessions", "--json", cwd=example).json)
    journals = example / ".vaultkit" / "journals"
    with lock(journals / f"{newest}.journal"):
        done = vk("resume", "--script", str(script), cwd=example)
        assert f"{newest} is open in another window, so this is {older}." in done.err
        with lock(journals / f"{older}.journal"):
            refused = vk("resume", "--script", str(script), cwd=example)
            assert refused.code == ExitCode.WRITE and f"{newest} is being played in another window" in refused.err
    assert "another window" not in vk("resume", "--script", str(script), cwd=example).err
