"""The evenings of the documents, played again in a real terminal."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EVENINGS = sorted(path.stem for path in (ROOT / "scripts" / "evenings").glob("*.txt"))
PAGES = ROOT / "docs" / "transcripts"

HIDDEN = "Bram ›\x1b[?1049h\x1b[H\x1b[2J\x1b[HBram's hand\r\n\x1b[2J\x1b[H\x1b[?1049lAn end\r\n"


def test_each_evening_has_a_page_and_each_page_an_evening() -> None:
    assert sorted(path.stem for path in PAGES.glob("*.md")) == EVENINGS


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or shutil.which("git") is None, reason="needs a POSIX terminal and git")
@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_goes_as_the_documents_tell(name: str) -> None:
    from scripts import transcript

    told = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert transcript.page(name) == told, "if this is meant to change: make golden"
    assert "\x1b" not in told


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX terminal")
def test_a_page_tells_when_the_screen_is_cleared() -> None:
    from scripts.terminal import readable

    cleared, back = "(The screen is cleared.)", "(The screen is cleared, and what all have seen is back on it.)"
    assert readable(HIDDEN).splitlines() == ["Bram ›", cleared, "Bram's hand", "", back, "An end"]
