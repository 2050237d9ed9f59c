"""The pages of the documentation, run as people use them: each command works, and shows what its page says."""

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from scripts.gallery_list import SETTING
from tests.cli.test_examples import ROOT as PROGRAM
from tests.cli.test_examples import commands, parse
from tests.counts import some
from tests.pages import CLOCK, ROOT, Block, Desk, Step, fits, read_blocks, read_sections, read_steps, without_blocks

DOCS = ROOT / "docs"
PAGES = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
         for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md")))}  # fmt: skip
GAME = "vaultkit play dragon-citadel --seat bot:greedy --seat bot:greedy --seat bot:greedy --seed 7 -q"
COMMAND = re.compile(r"(?m)^(?:\$ )?(vaultkit (?!\d).+)$")
NAMES = ("vaultkit print rules", "vaultkit ask")
"""Commands of which a sentence gives the name alone, though they need an argument."""
OF_DEVELOPERS = ("docs/contributing.md", "docs/performance.md")
"""Pages with options of other programs."""
OPTIONS = {
    option
    for _, command in commands()
    for parameter in command.params
    for option in (*parameter.opts, *parameter.secondary_opts)
}
LEFT = {
    "campaign.md": 3,
    "deck-of-destiny.md": 1,
    "json.md": 1,
    "log-line.md": 1,
    "obsidian-plugins.md": 1,
    "phones.md": 1,
    "samples.md": 1,
    "table.md": 4,
}
"""Blocks of commands that are not run, by page: they ask people, or need files of the reader's own."""
CALL = re.compile(r"`([\w/]+\.py)` `([\w.]+)`")


@dataclass(frozen=True)
class Setup:
    """How a page is run.

    `vault` is the folder that is copied, "" for an empty one. The shell runs `before` and `after` there; each section
    of the page gets its own copy if `sections` is True. `piped` shows what a pipe gets, `traced` compares the calls.
    `ends` is the note whose end a block of Markdown shows. `left` is the pattern of commands that are not run.
    `sample` is the number of steps that are run at a time. `inline` adds commands in sentences and tables.
    """

    vault: str = "vault-example"
    before: tuple[str, ...] = ()
    after: str = "true"
    sections: bool = False
    piped: bool = False
    traced: bool = False
    ends: str = ""
    left: str = "$"
    sample: int = 1000
    inline: bool = False


DECKS = Setup(
    "",
    before=("mkdir .obsidian Pictures; touch Pictures/heron.webp Pictures/owl.png",),
    after="""! vaultkit check --json | grep -o '"code": "[a-z-]*"' | grep -v card-missing""",
    sections=True,
    piped=True,
)
SETUPS = {
    "README.md": Setup(  # the tests of score sheets and of games log a filled sheet, define a game and resume one
        left=r"pipx|uv|make|cd|vaultkit (log|demo|games|resume|learn)\b",
        inline=True,
    ),
    "docs/first-evening.md": Setup(
        "",
        before=(
            "mkdir -p 'My Campaign/.obsidian'; echo '# Ysolde' >'My Campaign/Ysolde.md'",
            r"printf '# Campaign Log\n\n- We met the miller.\n' | tee 'My Campaign/Campaign Log.md' >log.md",
        ),
        after="cmp 'Campaign Log.md' ../log.md && test ! -e Games && test $(ls Sheets/*.pdf | wc -l) = 1",
        ends="Campaign Log.md",
    ),
    "docs/games/*": Setup("", before=("mkdir .obsidian",)),
    "docs/printing/gallery.md": Setup("", before=("vaultkit demo demo", "cd demo", *SETTING), sample=6),
    "docs/decks*": DECKS,
    "docs/roll-tables.md": DECKS,
    "docs/readings.md": Setup(before=("vaultkit trust --yes",), piped=True),
    "docs/rule-notes.md": Setup(piped=True),
    "docs/walks.md": Setup(sections=True, traced=True),
    "docs/campaign.md": Setup(before=(GAME, GAME), left="vaultkit undo 3"),
    "docs/note-templates.md": Setup(before=("vaultkit trust --yes",), left="vaultkit trust"),
    "docs/printing/README.md": Setup(left="cd"),
    "docs/printing/cards.md": Setup(before=(f"cp '{DOCS}/table/propheta-screen-1366x768.png' forest-moth.png",)),
    "docs/printing/sheets.md": Setup(before=(GAME, "vaultkit reading omen")),
    "docs/printing/designs/*": Setup(
        before=("vaultkit trust --yes", r"printf -- '---\ntags: ship\n---\nShe leaks.\n' >'The Heron.md'"),
    ),
}
"""The setups of pages by patterns of their names; other pages run in the example vault."""
RUN = {name: next((setup for pattern, setup in SETUPS.items() if fnmatch(name, pattern)), Setup())
       for name, text in PAGES.items() if any(read_steps(text))}  # fmt: skip


def inline_commands(text: str) -> list[str]:
    """Return the commands in the sentences and tables of a page, each once."""
    return [*dict.fromkeys(re.findall(r"`(vaultkit [^`]+)`", without_blocks(text)))]


def cases() -> Iterator[Any]:
    """Yield each page that is run, or each of its sections, with its setup."""
    for name, setup in RUN.items():
        parts = read_sections(PAGES[name]) if setup.sections else {"": PAGES[name]}
        for title, text in parts.items():
            if any(read_steps(text)):
                marks = [pytest.mark.xdist_group("phones")] if "--phones" in text else []
                yield pytest.param(text, setup, id=f"{name}-{title}".strip("-"), marks=marks)


@pytest.mark.parametrize("name", [name for name in PAGES if not name.startswith("docs/cli")])
def test_every_command_and_option_of_a_page_exists(name: str) -> None:
    """The lines are parsed, and nothing is run."""
    blocks = [block.text for block in read_blocks(PAGES[name])]
    for line in [*inline_commands(PAGES[name]), *(line for text in blocks for line in COMMAND.findall(text))]:
        _, *words = shlex.split(re.split(r" [|>] ", line)[0], comments=True)
        if not {"...", "--version", "COMMAND"} & {*words} and line not in NAMES:
            parse(PROGRAM, "vaultkit", words)
    named = re.findall(r"`(--[a-z]+[a-z-]*)", PAGES[name])
    assert name in OF_DEVELOPERS or {*named} <= OPTIONS


def test_blocks_with_commands_that_are_not_run_are_counted() -> None:
    counts = {
        name: sum(block.language == "text" and COMMAND.search(block.text) is not None for block in read_blocks(text))
        for name, text in PAGES.items()
        if not name.startswith("docs/cli")
    }
    assert {name.removeprefix("docs/"): count for name, count in counts.items() if count} == LEFT


@pytest.mark.parametrize("page", ["windows", "macos", "obsidian-plugins", "installing"])
def test_page_states_at_its_top_what_was_not_tested(page: str) -> None:
    assert "tried by us" in PAGES[f"docs/{page}.md"].splitlines()[2]


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


@pytest.mark.slow(cases=15)
@pytest.mark.parametrize(("text", "setup"), [*cases()])
def test_page_runs_as_written(text: str, setup: Setup, tmp_path: Path) -> None:
    vault, calls = tmp_path / "vault", tmp_path / "calls.txt"
    if setup.vault:
        shutil.copytree(ROOT / setup.vault, vault)
    desk = Desk(tmp_path / "home", vault)
    desk.folder.mkdir(exist_ok=True)
    for command in setup.before:
        run(desk, Step(command, "", 0))
    files = [block for block in read_blocks(text) if block.path]
    if setup.traced:
        tracing = os.pathsep.join((desk.environment["PYTHONPATH"], str(ROOT / "tests" / "tracing")))
        desk.environment |= {"PYTHONPATH": tracing, "VAULTKIT_CALLS": str(calls)}
    steps = [*read_steps(text), *(Step(command, "", 0) for command in inline_commands(text) if setup.inline)]
    steps = [step for step in steps if not re.match(setup.left, step.command)]
    for step in some(steps, setup.sample):
        while files and files[0].line < step.line:
            write_file(desk.folder, files.pop(0))
        run(desk, step, piped=setup.piped)
        if setup.ends and "--table" in step.command:
            check_end(text, (desk.folder / setup.ends).read_text(encoding="utf-8"))
    run(desk, Step(setup.after, "", 0))
    if setup.traced:
        check_calls(text, calls.read_text(encoding="utf-8").splitlines())


def write_file(folder: Path, block: Block) -> None:
    (folder / block.path).parent.mkdir(parents=True, exist_ok=True)
    (folder / block.path).write_text(block.text, encoding="utf-8")


def run(desk: Desk, step: Step, *, piped: bool = False) -> None:
    """Run a command, and compare its output with the page."""
    at_table = {"--table", "--phones"} & {*shlex.split(step.command)}
    output, code = (desk.play_at_the_table if at_table else desk.pipe if piped else desk.type)(step.command)
    assert code == 0, (step, output)
    for sheet in desk.folder.rglob("*.pdf"):  # the fixed clock is behind that of the disk
        os.utime(sheet, (CLOCK - 60, CLOCK - 60))
    assert not step.shows or fits(step.shows, output), (step, output)


def check_end(text: str, note: str) -> None:
    """Check that a note ends with the only block of Markdown on a page."""
    (block,) = (block for block in read_blocks(text) if block.language == "markdown")
    assert fits(f"...\n{block.text}", note), note


def check_calls(text: str, calls: list[str]) -> None:
    """Check that a run called the functions that a section names, and the numbered ones in this order."""
    way = [" ".join(call) for call in re.findall(rf"(?m)^\d+\. {CALL.pattern}", text)]
    named = {" ".join(call) for call in CALL.findall(text)}
    assert len(way) > 8 and not named - {*calls}
    assert sorted(way, key=calls.index) == way
