"""Every `console` block of the pages is typed into a terminal, and shows what its page says."""

import re
from pathlib import Path

import pytest

from tests.consoles import ROOT, Desk, blocks, fits, steps

DOCS = ROOT / "docs"
LOG = "# Campaign Log\n\n- We met the miller, and he owes us a horse.\n"


@pytest.mark.parametrize(
    ("pattern", "text", "fit"),
    [
        ("Made: ...", "Made: one", True),
        ("Made: ...", "Found: one", False),
        ("a\n...\nb", "a\nb", True),
        ("a\n...\nb", "a\n1\n2\nb", True),
        ("a\n...", "a", True),
        ("a\n...", "ab", False),
        ("a", "a\nb", False),
        ("a.b", "acb", False),
    ],
)
def test_dots_stand_for_anything(pattern: str, text: str, fit: bool) -> None:
    assert fits(pattern, text) is fit


@pytest.mark.slow
def test_the_first_evening_goes_as_its_page_tells(tmp_path: Path) -> None:
    page, vault = DOCS / "first-evening.md", tmp_path / "My Campaign"
    desk = Desk(tmp_path / "home", tmp_path)
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "Ysolde.md").write_text("# Ysolde\n", encoding="utf-8")
    log = vault / "Campaign Log.md"
    log.write_text(LOG, encoding="utf-8")
    logged = game = ""
    for step in steps(page):
        text, code = (desk.play_at_the_table if "--table" in step.command else desk.type)(step.command)
        assert code == 0, (step, text)
        assert fits(step.shows, text), (step, text)
        if "--table" in step.command:
            logged = log.read_text(encoding="utf-8")
            game = next((vault / "Games").glob("*.md")).read_text(encoding="utf-8")
    line, note = (text for _, text in blocks(page, "markdown"))
    assert logged.startswith(LOG)
    assert fits(line.strip(), logged.removeprefix(LOG).strip())
    assert fits(f"...\n{note.strip()}\n...", game), game
    assert len(list((vault / "Sheets").glob("*.pdf"))) == 2
    assert log.read_text(encoding="utf-8") == LOG
    assert not (vault / "Games").exists()


def test_the_first_evening_has_at_most_fifteen_steps() -> None:
    text = (DOCS / "first-evening.md").read_text(encoding="utf-8")
    numbers = [int(number) for number in re.findall(r"(?m)^\*\*(\d+)\. ", text)]
    assert numbers == [*range(1, len(numbers) + 1)]
    assert len(numbers) <= 15


@pytest.mark.parametrize("page", ["windows.md", "macos.md", "palette.md", "installing.md"])
def test_a_page_says_at_its_top_what_was_not_tried(page: str) -> None:
    assert "tried by us" in (DOCS / page).read_text(encoding="utf-8").splitlines()[2]
