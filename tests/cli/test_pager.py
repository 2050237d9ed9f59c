"""Long help in a pager, and everything on a terminal of 40 columns."""

import os
import re
import sys
from pathlib import Path

import pytest

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX terminal")


def shown(vault: Path, *words: str, rows: int = 24, columns: int = 100, **environment: str) -> str:
    """What a command shows on a terminal."""
    env = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "LINES": str(rows), **environment}
    terminal = pexpect.spawn(
        sys.executable, ["-m", "vaultkit", *words], cwd=vault, env=env, encoding="utf-8", dimensions=(rows, columns)
    )
    terminal.expect(pexpect.EOF, timeout=30)
    return re.sub(r"\x1b\[[0-9;]*m|\r", "", str(terminal.before))


@pytest.fixture
def pager(tmp_path: Path) -> str:
    """A pager that marks what it is given."""
    script = tmp_path / "mark.py"
    script.write_text("import sys; print('MARK', len(sys.stdin.read().splitlines()))", encoding="utf-8")
    return f"{sys.executable} {script}"


@pytest.mark.slow
def test_only_long_help_is_shown_in_the_pager(example: Path, pager: str) -> None:
    assert "MARK" in shown(example, "play", "--help", PAGER=pager)
    assert "MARK" in shown(example, "help", "print", "cards", PAGER=pager)
    assert "--list" in shown(example, "roll", "--help", rows=60, PAGER=pager)


@pytest.mark.slow
@pytest.mark.parametrize("environment", [{"PAGER": ""}, {"PAGER": "no-such-pager -x"}, {"TERM": "dumb"}])
def test_help_is_printed_without_a_usable_pager(example: Path, pager: str, environment: dict[str, str]) -> None:
    assert "--real-cards" in shown(example, "play", "--help", **{"PAGER": pager, **environment})


@pytest.mark.slow
@pytest.mark.parametrize("line", ["--help", "roll --help", "print --help", "roll", "decks", "check --causes", "print"])
def test_help_fits_40_columns(example: Path, line: str) -> None:
    text = shown(example, *line.split(), columns=40, PAGER="", NO_COLOR="1")
    assert text.strip() and "…" not in text
    rows = (row for row in text.splitlines() if "vaultkit " not in row)  # a command is never broken
    assert all(len(row) <= 40 or len(row.split()) == 1 for row in rows)
