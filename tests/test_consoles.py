"""Every `console` block of the pages is typed into a terminal, and shows what its page says."""

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.consoles import CLOCK, ROOT, Desk, Step, blocks, fits, steps
from tests.counts import some

DOCS = ROOT / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "```console" in page.read_text(encoding="utf-8")]
RUN = [page for page in PAGES if page.name not in {"first-evening.md", "gallery.md"} and page.parent.name != "games"]
COMMAND = re.compile(r"(?m)^(?:\$ )?(?:vaultkit|pipx|uv|py|brew|make|npm|chcp) ")
LEFT = {
    "card-links.md": 1,
    "campaign.md": 5,
    "deck-of-destiny.md": 1,
    "decks-in-other-languages.md": 3,
    "decks.md": 9,
    "first-evening.md": 1,
    "installing.md": 2,
    "json.md": 1,
    "log-line.md": 2,
    "macos.md": 1,
    "note-templates.md": 1,
    "obsidian-plugins.md": 1,
    "phones.md": 1,
    "printing/README.md": 1,
    "printing/cards.md": 3,
    "printing/designs/back.md": 1,
    "printing/designs/frame.md": 1,
    "printing/designs/notecard.md": 1,
    "printing/designs/paper.md": 1,
    "printing/designs/score-sheet.md": 1,
    "printing/designs/theme.md": 1,
    "printing/designs/vendor.md": 1,
    "printing/sheets.md": 1,
    "readings.md": 6,
    "roll-tables.md": 1,
    "rule-notes.md": 1,
    "security.md": 1,
    "table.md": 4,
    "walks.md": 4,
    "windows.md": 1,
}
"""Blocks with commands that are not run here, by page: they install, are for another system, ask people, or need
files of the reader's own. Those about decks and roll tables are run by tests/compendium/test_docs_decks.py."""
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
def test_dots_match_anything(pattern: str, text: str, fit: bool) -> None:
    assert fits(pattern, text) is fit


@pytest.mark.slow
def test_first_evening_runs_as_documented(tmp_path: Path) -> None:
    page, vault = DOCS / "first-evening.md", tmp_path / "My Campaign"
    desk = Desk(tmp_path / "home", tmp_path)
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "Ysolde.md").write_text("# Ysolde\n", encoding="utf-8")
    log = vault / "Campaign Log.md"
    log.write_text(LOG, encoding="utf-8")
    logged = ""
    for step in steps(page):
        works(desk, step)
        for sheet in vault.rglob("*.pdf"):  # the clock of the notes is that of the desk
            os.utime(sheet, (CLOCK - 60, CLOCK - 60))
        if "--table" in step.command:
            logged = log.read_text(encoding="utf-8")
    ((_, line),) = blocks(page, "markdown")
    assert logged.startswith(LOG)
    assert fits(line.strip(), logged.removeprefix(LOG).strip())
    assert len(list((vault / "Sheets").glob("*.pdf"))) == 1
    assert log.read_text(encoding="utf-8") == LOG
    assert not (vault / "Games").exists()


def test_the_first_evening_has_at_most_5_steps() -> None:
    text = (DOCS / "first-evening.md").read_text(encoding="utf-8")
    numbers = [int(number) for number in re.findall(r"(?m)^\*\*(\d+)\. ", text)]
    assert numbers == [*range(1, len(numbers) + 1)]
    assert len(numbers) <= 5


@pytest.mark.parametrize("page", ["windows.md", "macos.md", "obsidian-plugins.md", "installing.md"])
def test_page_states_at_its_top_what_was_not_tested(page: str) -> None:
    assert "tried by us" in (DOCS / page).read_text(encoding="utf-8").splitlines()[2]


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_documented_input_can_be_typed(page: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "vault-example", tmp_path / "vault"))
    desk = Desk(tmp_path / "home", folder)
    for step in steps(page):
        works(desk, step)


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted((DOCS / "games").iterdir()), ids=lambda page: page.stem)
def test_page_of_a_game_starts_with_a_vault_without_the_game(page: Path, tmp_path: Path) -> None:
    desk = Desk(tmp_path / "home", tmp_path / "vault")
    (desk.folder / ".obsidian").mkdir(parents=True)
    for step in steps(page):
        works(desk, step)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from scripts.gallery_list import SETTING
    from scripts.pictures import EVENING

    folder = tmp_path_factory.mktemp("gallery")
    desk = Desk(folder / "home", folder)
    desk.environment |= EVENING
    for command in ("vaultkit demo demo", "cd demo", *SETTING):
        text, code = desk.type(command)
        assert code == 0, text
    return folder / "demo"


@pytest.mark.slow
@pytest.mark.parametrize("step", some(steps(DOCS / "printing" / "gallery.md"), 6), ids=lambda step: str(step.line))
def test_a_sheet_of_the_gallery_is_printed_by_its_command(step: Step, demo: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(demo, tmp_path / "vault"))
    works(Desk(tmp_path / "home", folder), step)


def works(desk: Desk, step: Step) -> None:
    text, code = (desk.play_at_the_table if "--table" in step.command else desk.type)(step.command)
    assert code == 0, (step, text)
    assert not step.shows or fits(step.shows, text), (step, text)


def test_untested_blocks_are_marked_as_text_and_counted() -> None:
    pages = sorted(page for page in DOCS.rglob("*.md") if page.parent.name != "cli" and page.name != "samples.md")
    assert not [page for page in pages if blocks(page, "sh", "bash", "shell")]
    counted = {page.relative_to(DOCS).as_posix(): _commands(page) for page in pages}
    assert {page: number for page, number in counted.items() if number} == LEFT


def _commands(page: Path) -> int:
    return sum(COMMAND.search(text) is not None for _, text in blocks(page, "text"))
