"""`doctor` says which note gets the line of a game that ends today, and why."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.cli.test_cut_off import TOY, cut_off
from tests.cli.test_doctoring import checks
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.errors import ExitCode

SESSION = "---\ndate: 2020-01-01\nsession: 1\n---\n## Log\n"
SETTINGS = ".vaultkit/config.toml"


def log_to(root: Path, word: str) -> None:
    make_files(root, {SETTINGS: f'[campaign]\nlog-to = "{word}"\n'})


@pytest.mark.slow
def test_doctor_shows_the_newest_session_note(vk: Vaultkit, tmp_path: Path) -> None:
    log_to(tmp_path, "newest-session")
    assert vk("doctor", "--all", cwd=tmp_path).code == ExitCode.PROBLEMS
    told = checks(vk, tmp_path)
    assert (told["campaign note"]["ok"], told["session notes"]["ok"]) == (False, False)
    make_files(tmp_path, {"One.md": SESSION})
    told = checks(vk, tmp_path)
    expected = "One.md, under 'Log' (campaign.log-to newest-session: of 2020-01-01)"
    assert (told["campaign note"]["ok"], told["campaign note"]["detail"]) == (True, expected)
    assert told["session notes"]["detail"].startswith("1: notes with the tag 'session'")


def test_doctor_shows_the_daily_note(vk: Vaultkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1793718245")
    log_to(tmp_path, "daily-note")
    make_files(tmp_path, {".obsidian/daily-notes.json": json.dumps({"folder": "J", "template": "T"})})
    told = checks(vk, tmp_path)
    assert told["campaign note"]["detail"] == "J/2026-11-03.md, which will be made (campaign.log-to daily-note)"
    assert "T, is not there" in told["campaign note"]["hint"]
    assert told["daily notes"]["detail"] == "YYYY-MM-DD in J, template T (.obsidian/daily-notes.json)"


def test_doctor_reports_an_unknown_log_target(vk: Vaultkit, tmp_path: Path) -> None:
    log_to(tmp_path, "daily-notes")
    told = checks(vk, tmp_path)["campaign note"]
    assert (told["ok"], told["hint"]) == (
        False,
        Says("mean", "daily-note", "newest-session", "daily-note"),
    )


@pytest.mark.slow
def test_doctor_shows_the_history_and_interrupted_commands(vk: Vaultkit, tmp_path: Path) -> None:
    make_files(tmp_path, {"n.md": "text\n"})
    assert vk("doctor", "--all", cwd=tmp_path).code == ExitCode.OK
    told = checks(vk, tmp_path)["history"]["detail"]
    assert told == "no commands for undo, 0 kB; dropped after 365 days or beyond 200 MB, the oldest first"
    assert not (tmp_path / ".vaultkit").exists()
    cut_off(tmp_path, "log", TOY)
    make_files(tmp_path, {SETTINGS: "[history]\ndays = 0\nmegabytes = 0\n"})
    done = vk("doctor", "--all", cwd=tmp_path)
    assert done.code == ExitCode.PROBLEMS
    assert f"!!  cut off: The log of {TOY} on 3 November 2026 was cut off. The game has since been" in done.out
    assert "ok  history: 1 command for undo, " in done.out and "; kept for ever\n" in done.out
