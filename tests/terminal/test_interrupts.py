"""Interrupted games at a terminal: the journal has every accepted move, and the terminal is restored."""

import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo terminal", allow_module_level=True)

import os
import signal
import subprocess
import termios
import time

import pexpect

from tests.terminal.test_terminal import ENTER_ALT, LEAVE_ALT
from vaultkit.session.journal import read
from vaultkit.session.journal_records import MoveRecord

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


class Place(NamedTuple):
    """A point at which a game is interrupted: its command, the lines typed before, and the prompt it then waits at."""

    command: str
    typed: tuple[str, ...]
    waits: str
    accepted: int
    """The number of moves by people that were accepted before."""
    lines: int = 24
    columns: int = 80


ALONE, PAIR = "deck-of-destiny --seat Ysolde", "turn-of-fate --seat Ysolde --seat Bram"
PLACES = {
    "the mask": Place(PAIR, (), "then press Enter. ", 0),
    "a decision": Place(PAIR, ("",), "› ", 0),
    "the next mask": Place(PAIR, ("", "a"), "then press Enter. ", 1),
    "a hidden screen": Place(PAIR, ("", "h"), "Press Enter to go on. ", 0),
    "more pages": Place(PAIR, ("",), "More: press Enter. ", 0, lines=5),
    "an end that is asked about": Place(ALONE, ("a", "b"), "again: ", 1),
    "a pause": Place(
        "propheta --seat Ysolde --seat bot:greedy --seat bot:greedy --speed slow", tuple("abcd"), "face down", 4
    ),
}
ENDS = {"ctrl-c": 130, "ctrl-d": 0, "SIGTERM": -signal.SIGTERM, "hang-up": -signal.SIGHUP}


def spawn(vault: Path, place: Place, **environment: str) -> "pexpect.spawn[str]":
    env = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "LINES", "COLUMNS"}}
    env |= {"TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": str(vault), "PYTHONPATH": str(ROOT)} | environment
    words = ["-m", "vaultkit", "play", *place.command.split(), "--seed", "3", "--no-log"]
    size = (place.lines, place.columns)
    return pexpect.spawn(sys.executable, words, cwd=vault, env=env, encoding="utf-8", dimensions=size, timeout=60)


def end(child: "pexpect.spawn[str]", how: str) -> None:
    match how:
        case "ctrl-c":
            child.sendintr()
        case "ctrl-d":
            child.sendeof()
        case "SIGTERM":
            child.kill(signal.SIGTERM)
        case _:
            child.kill(signal.SIGHUP)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "vault-example", tmp_path / "vault"))


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("name", PLACES)
def test_every_accepted_move_is_saved_and_the_terminal_is_left_clean(vault: Path, name: str, how: str) -> None:
    place = PLACES[name]
    child, seen = spawn(vault, place), ""
    for typed in place.typed:
        child.expect(["then press Enter\\. ", "› "])
        seen += f"{child.before}{child.after}"
        child.sendline(typed)
    child.expect_exact(place.waits)
    seen += f"{child.before}{child.after}"
    time.sleep(0.3)
    end(child, how)
    child.expect(pexpect.EOF)
    seen += child.before or ""
    mode = termios.tcgetattr(child.child_fd)[3]
    child.close()
    status = child.exitstatus if child.signalstatus is None else -child.signalstatus
    (journal,) = vault.rglob("*.journal")
    contents = read(journal)
    seats = range(2 if place.command == PAIR else 1)
    moves = [line.record for line in contents.steps if isinstance(line.record, MoveRecord)]
    people = [move for move in moves if move.seat in seats]
    assert status == ENDS[how] and "Traceback" not in seen
    assert not contents.remark and sum(not one.auto for one in people) == place.accepted
    if how in {"ctrl-c", "ctrl-d"}:
        assert f"vaultkit resume {contents.header.session}" in seen
    if how != "hang-up":
        assert mode & termios.ECHO and mode & termios.ICANON
        assert seen.count(ENTER_ALT) == seen.count(LEAVE_ALT)


TERMINALS = {
    "a stamp": ((6, 20), {}),
    "a strip": ((4, 200), {}),
    "a column": ((100, 8), {}),
    "dumb": ((24, 80), {"TERM": "dumb"}),
    "unknown": ((24, 80), {"TERM": "no-such-terminal"}),
    "nameless": ((24, 80), {"TERM": ""}),
    "ascii": ((24, 80), {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    "latin": ((24, 80), {"PYTHONIOENCODING": "latin-1:strict"}),
}


@pytest.mark.parametrize("name", TERMINALS)
def test_terminal_of_any_size_and_kind_is_playable(vault: Path, name: str) -> None:
    size, environment = TERMINALS[name]
    child, seen = spawn(vault, Place(PAIR, (), "", 0, *size), **environment), ""
    asked, ends = ["press\\s+Enter\\. ", "(?:Ysolde|Bram)\\s+[›>] ", pexpect.EOF], 2
    for _ in range(150):
        which = child.expect(asked)
        seen += f"{child.before}{child.after}"
        if which == ends:
            break
        child.sendline(("", "q" if _has_played(vault) else "a")[which])
    child.close()
    assert child.exitstatus == 0 and "Traceback" not in seen and _has_played(vault)


def _has_played(vault: Path) -> bool:
    """Return whether the journal records a person's move and no incomplete line."""
    journals = [read(journal) for journal in vault.rglob("*.journal")]
    return any(isinstance(line.record, MoveRecord) and not one.remark for one in journals for line in one.steps)


@pytest.mark.parametrize("given", ["<&-", "</dev/null", "| head -1", ">/dev/full"])
def test_missing_input_or_output_is_reported_in_one_line(vault: Path, given: str) -> None:
    command = f"{sys.executable} -m vaultkit play {ALONE} --seed 3 --no-log {given}"
    env = os.environ | {"HOME": str(vault), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["/bin/sh", "-c", command], cwd=vault, env=env, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr + done.stdout and done.stderr.count("Error: ") <= 1
