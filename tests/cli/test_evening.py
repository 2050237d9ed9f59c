"""An evening of Skat typed at a real terminal: few keys, two corrections, and nothing lost when it is cut off."""

import os
import re
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from tests.cli.conftest import Vaultkit

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pexpect needs a pseudo-terminal")
PROMPT = r"Deal \d+(?: \[[^]]*\])?: $"
PLAYERS = ("Ysolde", "Bram", "Sefa")
DEALS = [
    ("ybs"[number * 7 % 3], (18, 20, 22, 24, 30, 36, 48, 59)[number * 5 % 8] * (1 if number % 4 else -2))
    for number in range(36)
]
"""36 deals: who declared, and the points."""


class Terminal:
    """A command at a terminal of 80 columns and 24 lines, and the number of keys that were pressed."""

    def __init__(self, vault: Path, *words: str) -> None:
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
        command = ["-m", "vaultkit", *words]
        self.child = pexpect.spawn(
            sys.executable, command, cwd=str(vault), env=environment, encoding="utf-8", dimensions=(24, 80), timeout=60
        )
        self.key_count = 0

    def type(self, prompt: str, line: str) -> None:
        self.child.expect(prompt)
        self.child.sendline(line)
        self.key_count += len(line) + 1

    def finish(self) -> str:
        self.child.expect(pexpect.EOF)
        self.child.close()
        return str(self.child.before)

    def kill(self) -> None:
        assert self.child.pid
        os.kill(self.child.pid, signal.SIGKILL)
        self.child.close(force=True)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault/.obsidian").mkdir(parents=True)
    return tmp_path / "vault"


def totals(deals: list[tuple[str, int]]) -> dict[str, int]:
    return {name: sum(points for who, points in deals if name.casefold().startswith(who)) for name in PLAYERS}


def logged_scores(vault: Path) -> dict[str, int]:
    """Return the scores in the properties of the only note of a game, read without vaultkit."""
    (note,) = (vault / "Games").glob("*.md")
    pairs = re.findall(r"^score-(\w+): (-?\d+)$", note.read_text("utf-8"), re.MULTILINE)
    return {name.capitalize(): int(score) for name, score in pairs}


@pytest.mark.slow
def test_36_deals_with_two_corrections_are_typed_in_under_eight_minutes(vk: Vaultkit, vault: Path) -> None:
    terminal = Terminal(vault, "log", "skat", *(f"--seat={name}" for name in PLAYERS))
    for number, (who, points) in enumerate(DEALS, 1):
        wrong = points + 1 if number in (9, 30) else points
        terminal.type(PROMPT, f"{who}{wrong}")
        if number == 9:  # noticed at once
            terminal.type(PROMPT, "b")
            terminal.type(PROMPT, f"{who}{points}")
        if number == 33:  # noticed three deals later
            terminal.type(PROMPT, "30:{}{}".format(*DEALS[29]))
    terminal.type(PROMPT, "e")
    terminal.type(r"\(Enter = yes\) $", "")
    assert "Written: " in terminal.finish()
    assert logged_scores(vault) == totals(DEALS)
    rows = vk("sessions", "--json", cwd=vault).json
    assert [row["standing"] for row in rows] == ["recorded"], "the file of the entry is deleted once it is logged"
    keys_per_minute = 60  # a slow typist who reads numbers off a paper
    assert terminal.key_count / keys_per_minute < 4 and terminal.key_count < 36 * 6


@pytest.mark.slow
@pytest.mark.parametrize("row_count", [1, 7])
def test_killed_input_is_resumed_where_it_stopped(vk: Vaultkit, vault: Path, row_count: int) -> None:
    terminal = Terminal(vault, "log", "skat", "--note=In the mill", *(f"--seat={name}" for name in PLAYERS))
    for who, points in DEALS[:row_count]:
        terminal.type(PROMPT, f"{who}{points}")
    terminal.child.expect(PROMPT)
    terminal.child.send("y9")  # not entered yet
    terminal.kill()
    (row,) = vk("sessions", "--json", cwd=vault).json
    assert (row["standing"], row["moves"], row["seats"]) == ("running", row_count + 1, list(PLAYERS))
    assert not [*vault.rglob("*.md")]
    resumed = Terminal(vault, "resume")
    for number, (who, points) in enumerate(DEALS[row_count:], row_count + 1):
        resumed.type(rf"Deal {number}(?: \[[^]]*\])?: $", f"{who}{points}")
    resumed.type(PROMPT, "end")
    resumed.type(r"\(Enter = yes\) $", "")
    assert "Written: " in resumed.finish()
    assert logged_scores(vault) == totals(DEALS)
    assert "In the mill" in next(vault.rglob("*.md")).read_text("utf-8")


@pytest.mark.slow
def test_log_offers_earlier_input_and_starts_over_if_declined(vk: Vaultkit, vault: Path) -> None:
    first = Terminal(vault, "log", "skat", *(f"--seat={name}" for name in PLAYERS))
    first.type(PROMPT, "y18")
    first.type(PROMPT, "q")
    left = first.finish()
    assert "What you typed is kept. Continue with: vaultkit resume" in left
    again = Terminal(vault, "log", "skat")
    again.type(r"Skat, 2026-11-03, 1 row \(Enter\), or start again instead \(n\)\? $", "")
    again.type(r"Deal 2(?: \[[^]]*\])?: $", "b20")
    again.type(PROMPT, "q")
    again.finish()
    new = Terminal(vault, "log", "skat", *(f"--seat={name}" for name in PLAYERS))
    new.type(r"2 rows \(Enter\), or start again instead \(n\)\? $", "n")
    new.type(r"Deal 1(?: \[[^]]*\])?: $", "s7")
    new.child.expect(PROMPT)
    new.child.sendcontrol("c")
    assert "What you typed is kept" in new.finish()
    rows = vk("sessions", "--json", cwd=vault).json
    assert sorted(row["moves"] for row in rows) == [1, 2] and not [*vault.rglob("*.md")]
    assert vk("sessions", "--discard", rows[0]["session"], cwd=vault).code == 0
    assert len(vk("sessions", "--json", cwd=vault).json) == 1
    logged = Terminal(vault, "log", "skat", *(f"--seat={name}" for name in PLAYERS))
    logged.type(r"start again instead \(n\)\? $", "n")
    logged.type(r"Deal 1(?: \[[^]]*\])?: $", "s7")
    logged.type(PROMPT, "end")
    logged.type(r"Is this right\? .*$", "y")
    logged.finish()
    assert [row["standing"] for row in vk("sessions", "--json", cwd=vault).json] == ["recorded"]
