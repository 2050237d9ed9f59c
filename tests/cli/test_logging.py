"""`vaultkit log` as a whole command: prompts in a real terminal, flags, files, and nothing twice."""

import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import vaultkit
from tests.cli.conftest import Done, Vaultkit
from tests.counts import count
from tests.vault.windows import Windows
from tests.wording import Says
from vaultkit.errors import ExitCode

pytestmark = pytest.mark.usefixtures("trusting")

GAME = ("log", "dragon-citadel")
SCORES = (
    *("--score", "Ysolde: swords=17/1, stars=9, crowns=3"),
    *("--score", "Bram: coins=8+9, forfeited"),
    *("--score", "Ivo: glyphs=3"),
    *("--outcome", "party"),
)
TOML = """game = "dragon-citadel"
date = 2026-11-02
outcome = "party"
[[players]]
name = "Ysolde"
swords = "17/1"
[[players]]
name = "Bram"
forfeited = true
[[players]]
name = "Sefa"
crowns = 2
"""


def notes(vault: Path) -> dict[str, bytes]:
    """Every file of the vault outside of our own folder's history and locks."""
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*.md")}


def kept(vault: Path) -> list[str]:
    return sorted(path.stem for path in (vault / ".vaultkit" / "journals").glob("*.journal"))


def refused(done: Done, code: ExitCode, *said: str) -> None:
    words = " ".join(done.err.split())
    assert done.code == code, done.err
    assert done.err.count("Error: ") == 1 and "Traceback" not in done.err and not done.out
    for part in said:
        assert part in words


@pytest.mark.slow
def test_flags_write_the_note_and_the_line_and_repeating_them_writes_nothing(vk: Vaultkit, example: Path) -> None:
    done = vk(*GAME, *SCORES, "--note", "Good game.", "--json", cwd=example)
    assert done.code == ExitCode.OK and done.json.keys() == {"session", "note"}
    note = (example / done.json["note"]).read_text(encoding="utf-8")
    assert "real-cards: true" in note and "[[tarokka-deck-cos#Warrior|Warrior]]" in note and "Good game." in note
    log = (example / "Campaign Log.md").read_text(encoding="utf-8")
    assert log.count(f"^vk-{done.json['session']}") == 1
    before = notes(example)
    again = vk(*GAME, *reversed_scores(), "--outcome", "party", "--json", cwd=example)
    assert again.json == done.json and "Add --again" in again.err and notes(example) == before
    other = vk(*GAME, *SCORES, "--again", "--json", cwd=example)
    assert other.json["note"].endswith("Dragon Citadel 2.md") and kept(example) == sorted(
        [done.json["session"], other.json["session"]]
    )


@pytest.mark.slow
@pytest.mark.parametrize("alone", [False, True], ids=["readable", "unreadable"])
@pytest.mark.parametrize("code", [5, 32, 1175, 1177, 362])
def test_note_that_another_program_holds_on_windows(
    vk: Vaultkit, example: Path, monkeypatch: pytest.MonkeyPatch, code: int, alone: bool
) -> None:
    """Obsidian, a virus scanner or OneDrive holds the campaign note all the time, and lets go of it at last."""
    before = notes(example)
    with monkeypatch.context() as patch:
        windows = Windows(patch)
        windows.hold(example / "Campaign Log.md", code, alone=alone)
        done = vk(*GAME, *SCORES, "--json", cwd=example)
    assert done.code in (ExitCode.WRITE, ExitCode.INVALID) and "Campaign Log.md" in done.err
    assert "Obsidian" in done.err or "OneDrive" in done.err
    assert "Traceback" not in done.err and sum(windows.waits) < 6
    after, log = notes(example), "Campaign Log.md"
    assert all(after[path] == text for path, text in before.items() if path != log)
    assert before[log] in [file.read_bytes() for file in (example / log, *example.glob(".*.swap")) if file.exists()]
    session = vk(*GAME, *SCORES, "--json", cwd=example).json["session"]
    assert (example / "Campaign Log.md").read_text(encoding="utf-8").count(f"^vk-{session}") == 1
    assert kept(example) == [session] and not list(example.glob(".vaultkit-*"))
    while vk("undo", cwd=example).code == ExitCode.OK:
        pass
    assert notes(example) == before


@pytest.mark.slow
def test_settings_choose_between_two_players_named_bram(vk: Vaultkit, example: Path) -> None:
    for folder in ("NSC", "Spieler"):
        (example / folder).mkdir()
        (example / folder / "Ulf.md").touch()
    scores = ("--score", "Ysolde: crowns=1", "--score", "Sefa: stars=3", "--outcome", "party")
    done = vk(*GAME, "--score", "Ulf: swords=9", *scores, "--dry-run", cwd=example)
    assert "[[NSC/Ulf]]: here, or under 'players'" in done.err
    done = vk(*GAME, "--score", "Spieler/Ulf: swords=9", *scores, "--dry-run", cwd=example)
    assert '"[[Spieler/Ulf|Ulf]]"' in done.out and "guest" not in done.err
    config = example / ".vaultkit" / "config.toml"
    text = config.read_text(encoding="utf-8") if config.exists() else ""
    config.write_text('players = ["[[Spieler/Ulf]]"]\n' + re.sub(r"(?m)^players.*$", "", text), encoding="utf-8")
    done = vk(*GAME, "--score", "ulf: swords=9", *scores, "--dry-run", cwd=example)
    assert '"[[Spieler/Ulf|Ulf]]"' in done.out and "may be" not in done.err


def test_an_example_needs_no_vault(vk: Vaultkit, tmp_path: Path) -> None:
    done = vk(*GAME, "--example", cwd=tmp_path)
    assert done.code == ExitCode.OK and 'game = "dragon-citadel"' in done.out


def reversed_scores() -> list[str]:
    return [word for score in SCORES[-3::-2] for word in ("--score", score)]


@pytest.mark.slow
def test_game_deleted_from_the_notes_is_logged_again_and_undone(vk: Vaultkit, example: Path) -> None:
    before = notes(example)
    session = vk(*GAME, *SCORES, "--json", cwd=example).json["session"]
    assert vk("undo", cwd=example).code == ExitCode.OK and notes(example) == before
    listed = vk("log", cwd=example)
    assert listed.code == ExitCode.OK and not listed.out and f"({session[-4:]}, taken back)" in listed.err
    assert f"vaultkit sessions --discard {session[-4:]}" in listed.err
    (row,) = vk("log", "--json", cwd=example).json
    assert (row["players"], row["standing"]) == (["Ysolde", "Bram", "Ivo"], "taken back")
    assert vk("log", "--session", session[-4:], cwd=example).code == ExitCode.OK
    assert "Every finished game" in vk("log", cwd=example).err
    saved = vk("sessions", "--json", cwd=example).json
    assert [(one["session"], one["standing"]) for one in saved] == [(session, "recorded")]
    assert f"Discarded: {session}" in vk("sessions", "--discard", session, cwd=example).err and not kept(example)


@pytest.mark.slow
def test_id_ending_shared_by_scores_and_a_journal_deletes_and_logs_neither(vk: Vaultkit, example: Path) -> None:
    session = vk(*GAME, *SCORES, "--json", cwd=example).json["session"]
    journal = example / f".vaultkit/journals/20251103-fate-{session[-4:]}.jsonl"
    journal.write_text("", encoding="utf-8")
    for words in (("sessions", "--discard"), ("log", "--session")):
        done = vk(*words, session[-3:], cwd=example)
        refused(done, ExitCode.NOTHING, "Several games end in", session, journal.stem)
    assert kept(example) == [session] and journal.exists()
    assert f"Discarded: {journal.stem}" in vk("sessions", "--discard", journal.stem, cwd=example).err
    assert kept(example) == [session] and not journal.exists()
    assert f"Discarded: {session}" in vk("sessions", "--discard", session[-1].upper(), cwd=example).err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), ExitCode.USAGE, "--score"),
        (("--score", "Ysolde: sword=3"), ExitCode.USAGE, "Did you mean 'swords'?"),
        (("--score", "Ysolde"), ExitCode.USAGE, "no colon"),
        (("--score", "Ysolde: 17/1"), ExitCode.USAGE, '"NAME: swords=TOTAL/HEROES,'),
        ((*SCORES, "--score", "Sefa"), ExitCode.USAGE, "no colon"),
        ((*SCORES, "--score", "swords=3"), ExitCode.USAGE, "asked of each player"),
        (("--outcome", "party"), ExitCode.USAGE, "Nobody has a score"),
        ((*SCORES, "--outcome", "last-survivor"), ExitCode.USAGE, "Accepted: party"),
        ((*SCORES, "--set", "mode=both"), ExitCode.USAGE, "coop"),
        ((*SCORES, "--date", "03/11/2026"), ExitCode.USAGE, "may be"),
        ((*SCORES, "--date", "2031-01-01"), ExitCode.INVALID, "is in the future"),
        ((*SCORES, "--seat", "Ysolde"), ExitCode.USAGE, "--seat"),
        ((*SCORES, "--from", "a.toml"), ExitCode.USAGE, "cannot go together"),
        (("--from", "a.toml", "--from", "b.pdf"), ExitCode.USAGE, "by itself"),
        (("--from", "none.toml"), ExitCode.NOTHING, "no such file"),
        (("--from", "none.pdf"), ExitCode.NOTHING, "no such file"),
        ((*SCORES, "--session", "x"), ExitCode.USAGE, "--session"),
        ((*SCORES, "--score", "Ysolde Marr: stars=1"), ExitCode.INVALID, "are the same person"),
        ((*SCORES, "--score", "bot:greedy: stars=1"), ExitCode.USAGE, ""),
    ],
)
def test_invalid_log_is_one_error_and_writes_nothing(
    vk: Vaultkit, example: Path, words: tuple[str, ...], code: ExitCode, said: str
) -> None:
    before = notes(example)
    refused(vk(*GAME, *words, cwd=example), code, said)
    assert notes(example) == before and not kept(example)


@pytest.mark.slow
def test_a_doubt_is_refused_with_its_ruling_and_forced_with_a_remark(vk: Vaultkit, example: Path) -> None:
    words = (
        *GAME,
        "--score",
        "Ysolde: swords=46/1",
        "--score",
        "Bram: swords=9/1",
        "--score",
        "Ivo: stars=1",
        "--outcome",
        "party",
    )
    done = vk(*words, cwd=example)
    refused(done, ExitCode.INVALID, "(DC-33)", "(DC-1)", "--force")
    assert not kept(example)
    forced = vk(*words, "--force", "--json", cwd=example)
    note = (example / forced.json["note"]).read_text(encoding="utf-8")
    assert note.count("**In doubt:**") == done.err.count("Cannot be true: ") >= 2


@pytest.mark.slow
def test_vault_without_rules_and_deck_can_still_log(vk: Vaultkit, tmp_path: Path) -> None:
    vault = tmp_path / "plain"
    (vault / ".obsidian").mkdir(parents=True)
    done = vk(*GAME, *SCORES, "--json", cwd=vault)
    assert done.code == ExitCode.OK and "No card is linked" in done.err and "no rule note" in done.err
    note = (vault / done.json["note"]).read_text(encoding="utf-8")
    assert "game: Dragon Citadel" in note and "Warrior" in note and "[[" not in note


@pytest.mark.slow
def test_dry_run_shows_the_diff_and_saves_nothing(vk: Vaultkit, example: Path) -> None:
    before = notes(example)
    done = vk(*GAME, *SCORES, "--dry-run", "--json", cwd=example)
    assert "+outcome: party" in done.json["diff"] and notes(example) == before and not kept(example)
    assert "+outcome: party" in vk(*GAME, *SCORES, "--dry-run", cwd=example).out


@pytest.mark.slow
def test_scores_from_a_file_and_its_example(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text(TOML, encoding="utf-8")
    done = vk("log", "--from", str(file), "--json", cwd=example)
    assert done.code == ExitCode.OK and done.json["note"] == "Games/2026-11-02 Dragon Citadel 1.md"
    file.write_text(TOML.replace("crowns", "crown"), encoding="utf-8")
    refused(vk("log", "--from", str(file), cwd=example), ExitCode.INVALID, "game.toml:12", "Did you mean 'crowns'?")
    refused(vk("log", "propheta", "--from", str(file), cwd=example), ExitCode.INVALID, "of Dragon Citadel, not of")
    shown = vk("log", "dragon-citadel", "--example", "--seat", "Ada", "--seat", "Ben", "--seat", "Cy", cwd=example)
    file.write_text(shown.out, encoding="utf-8")
    refused(vk("log", "--from", str(file), cwd=example), ExitCode.INVALID, "outcome was given", "--outcome party")
    unfilled = vk("log", "--from", str(file), "--outcome", "party", cwd=example)
    assert unfilled.code == ExitCode.INVALID and unfilled.err == Says("scores", "filled")
    file.write_text(
        shown.out.replace("crowns = 0", "crowns = 1").replace('outcome = ""', 'outcome = "party"'), encoding="utf-8"
    )
    assert vk("log", "--from", str(file), "--json", cwd=example).json["note"].startswith("Games/2026-11-03")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_prompts_in_a_real_terminal(example: Path) -> None:
    import pexpect

    def spawn(*words: str) -> "pexpect.spawn[str]":
        env = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", "INPUTRC": "/dev/null"}
        command, here = ["-m", "vaultkit", *words, "--vault", str(example)], str(Path(vaultkit.__file__).parents[1])
        return pexpect.spawn(sys.executable, command, 20, env=env, cwd=here, encoding="utf-8", dimensions=(60, 120))

    before = notes(example)
    for number, end in enumerate(("q", "\x03", "\x04")):
        child = spawn(*GAME)
        if number:
            child.expect_exact("2 rows (Enter), or start again instead (n)?")
            child.sendline("n")
        child.expect_exact("Who played?")
        child.sendline("Ysolde, Bram, Sefa")
        for asked in ("How did you play?", "What did it earn?"):
            child.expect_exact(asked)
            child.sendline("")
        child.expect_exact("Swords: total of numbers")
        child.sendline(end) if end == "q" else child.send(end)
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == (ExitCode.OK if end == "q" else ExitCode.INTERRUPTED)
        assert "othing was written" in child.before and "Traceback" not in child.before
        assert "What you typed is kept. Continue with: vaultkit resume" in child.before
    assert notes(example) == before and len(kept(example)) == 3
    for session in kept(example):
        discard = spawn("sessions", "--discard", session)
        discard.expect(pexpect.EOF)
    child = spawn(
        *GAME, "--seat", "Ysolde", "--seat", "Bram", "--seat", "Sefa", "--set", "mode=coop", "--set", "rewards=treasure"
    )
    for line in ("17/1 0 3", "9 0 0", "", "b8+9", "3 0 1", "b: yes"):
        child.expect(r"(?:Swords|Stars|Glyphs|Coins|Open Crowns|Forfeited)\b[^\n]*[:\)] $")
        child.sendline(line)
    for line in ("", "party"):  # without a default Enter alone asks again
        child.expect_exact("How did it end? (1 to 3): ")
        child.sendline(line)
    child.expect_exact("Is this right?")
    child.sendline("")
    child.expect_exact("Written: Games/2026-11-03 Dragon Citadel 1.md")
    child.expect(pexpect.EOF)
    (session,) = kept(example)
    assert f"vk-{session}" in (example / "Campaign Log.md").read_text(encoding="utf-8")


@pytest.mark.slow
@settings(max_examples=count(60, 1_000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(st.text(max_size=40), max_size=3), name=st.sampled_from(["", "Ysolde: ", "Ysolde: swords="]))
def test_arbitrary_words_never_give_a_traceback(vk: Vaultkit, example: Path, words: list[str], name: str) -> None:
    flags = [word for text in words for word in ("--score", (name + text).replace("\0", ""))]
    done = vk(*GAME, *flags, "--dry-run", cwd=example)
    assert done.code in {ExitCode.OK, ExitCode.USAGE, ExitCode.INVALID} and "Traceback" not in done.err
