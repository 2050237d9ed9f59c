"""Real cards at a table in its own process: recorded to the end, interrupted, resumed, and logged as usual."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.processes import Browser, Process
from vaultkit import resources

pytestmark = pytest.mark.slow
SEATS = ("--seat", "Ysolde", "--seat", "Bram", "--seat", "Sefa")
LIGHT = ("play", "dragon-citadel", "--real-cards", *SEATS)
EVENING = (
    "6sw bram 7sw",
    "wizard ysolde 3st bram 9st sefa raven",
    "beast sefa out",
    "ghost bram out",
    "8gl ysolde out",
)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return Path(shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault"))


def write(browser: Browser, *lines: str) -> None:
    for line in lines:
        status, value = browser.order("name", words=line, typed=True)
        assert status == 200, value


def note_of(vault: Path, out: str) -> list[str]:
    """Return the lines of the note that a game's JSON names, without the id and the sentences that depend on it."""
    found = json.loads(out)
    lines = (vault / found["note"]).read_text(encoding="utf-8").replace(found["session"], "ID").splitlines()
    return [line for at, line in enumerate(lines) if at < lines.index("---", 1) or line.startswith(("|", "**"))]


def note_from_terminal(folder: Path) -> list[str]:
    """Return the lines of the note that the same entries leave when typed in the terminal."""
    vault = Path(shutil.copytree(resources.shipped_folder("vault-example"), folder / "other"))
    script = folder / "lines.txt"
    script.write_text("\n".join((*EVENING, "y")), encoding="utf-8")
    words = [sys.executable, "-m", "vaultkit", *LIGHT, "--script", str(script), "--json"]
    env = {**os.environ, "VAULTKIT_VAULT": str(vault), "XDG_STATE_HOME": str(folder / "state")}
    done = subprocess.run(words, cwd=vault, env=env, capture_output=True, text=True, check=True)
    return note_of(vault, done.stdout)


def test_decisive_events_are_recorded_across_a_kill_and_logged_like_from_the_terminal(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795550000")
    with Process(vault, *LIGHT) as table:
        browser = table.sit()
        assert browser.get("/web/index-6-swords.svg")[0] == 200
        write(browser, *EVENING[:2])
        table.process.kill()
    with Process(vault, "resume", "--json") as table:
        browser = Browser(table.port, browser.cookie, browser.at)
        write(browser, *EVENING[2:])
        with browser.stream() as stream:
            assert "Is this right?" in stream.scene()["regions"]["ask"]
        assert browser.order("finish")[0] == 200
        with browser.stream() as stream:
            assert "Written: " in stream.scene()["regions"]["ask"]
        assert browser.order("finish")[0] == 200
        code, out = table.end()
    found = json.loads(out)
    assert code == 0, table.said
    assert found["scores"]["Bram"]["total"] == 25
    assert note_of(vault, out) == note_from_terminal(vault.parent)


def test_interrupted_game_with_real_cards_continues_at_the_same_card(vault: Path) -> None:
    words = ("play", "dragon-citadel", "--real-cards", "--referee", *SEATS)
    with Process(vault, *words) as table:
        assert "every rule is checked" in table.said
        browser = table.sit()
        write(browser, "raven, 6 swords, 7sw, 8sw, 9sw")
        status, value = browser.order("name", words="the raven")
        assert (status, "seen last: Ysolde draws" in value["why"]) == (422, True)
        table.interrupt()
        assert table.end()[0] == 130
    with Process(vault, "resume") as table:
        browser = Browser(table.port, browser.cookie, browser.at)
        with browser.stream() as stream:
            assert "Cards for <bdi>Bram</bdi>" in stream.scene()["regions"]["ask"]


def test_game_that_needs_every_card_is_refused_before_a_table_opens(vault: Path) -> None:
    words = [sys.executable, "-m", "vaultkit", *LIGHT, "--story", "--table"]
    env = {**os.environ, "VAULTKIT_VAULT": str(vault)}
    done = subprocess.run(words, cwd=vault, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--story needs every card" in done.stderr
