"""The evenings of the documents, played again in a real terminal."""

import os
import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EVENINGS = sorted(path.stem for path in (ROOT / "scripts" / "evenings").glob("*.txt"))
PAGES = ROOT / "docs" / "transcripts"
IN_A_TERMINAL = pytest.mark.skipif(
    os.name != "posix" or shutil.which("git") is None, reason="needs a POSIX terminal and git"
)

HIDDEN = "Bram ›\x1b[?1049h\x1b[H\x1b[2J\x1b[HBram's hand\r\n\x1b[2J\x1b[H\x1b[?1049lAn end\r\n"


def test_each_evening_has_a_page_and_each_page_an_evening() -> None:
    assert sorted(path.stem for path in PAGES.glob("*.md")) == EVENINGS


@pytest.mark.slow
@IN_A_TERMINAL
@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_goes_as_the_documents_tell(name: str) -> None:
    from scripts import transcript

    told = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert transcript.page(name) == told, "if this is meant to change: make golden"
    assert "\x1b" not in told


@IN_A_TERMINAL
def test_a_page_tells_when_the_screen_is_cleared() -> None:
    from scripts.terminal import readable

    cleared, back = "(The screen is cleared.)", "(The screen is cleared, and what all have seen is back on it.)"
    assert readable(HIDDEN).splitlines() == ["Bram ›", cleared, "Bram's hand", "", back, "An end"]


@pytest.mark.slow
@IN_A_TERMINAL
def test_a_terminal_is_typed_to_only_where_the_program_asks(tmp_path: Path) -> None:
    from scripts.terminal import Terminal

    terminal = Terminal(
        "printf 'Half of: '; sleep 0.02; printf 'a line\nWho › '; read x; echo Good $x", tmp_path, os.environ
    )
    assert terminal.waits()
    assert terminal.last_line == "Who › "
    terminal.type("you")
    assert not terminal.waits()
    assert terminal.text == "Half of: a line\nWho › you\nGood you"


@pytest.mark.slow
@IN_A_TERMINAL
@pytest.mark.parametrize(
    ("lines", "error"),
    [
        ("$ true\nhello", "odd.txt:2: Nothing asks, so 'hello' cannot be typed."),
        ("$ printf 'Who: '; read x", "odd.txt:1: The program before it still asks: Who: "),
    ],
)
def test_a_file_that_does_not_fit_the_program_says_where(
    lines: str, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scripts import transcript

    monkeypatch.setattr(transcript, "EVENINGS", tmp_path)
    (tmp_path / "odd.txt").write_text(lines, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(error)):
        transcript.page("odd")
