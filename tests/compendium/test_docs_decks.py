"""The examples of docs/decks.md, each section copied into a vault: they are read as the page says, without problems."""

import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.vault.making import make_files
from vaultkit.cli import error_handler
from vaultkit.compendium import Compendium
from vaultkit.session.checks import every_check
from vaultkit.vault.checking.runner import run

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [DOCS / f"{name}.md" for name in ("decks", "decks-in-other-languages", "roll-tables")]
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOTE = re.compile(r"^`([^`\n]+\.md)`\n\n```markdown\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PICTURE = re.compile(r"`([^`\n]+/[^`\n]+\.(?:png|webp))`")
_UNFINISHED = "Here the other cards follow"


@dataclass
class Section:
    """One section of the page: its notes and pictures by path, and what commands say there."""

    title: str
    files: dict[str, str | bytes] = field(default_factory=dict)
    said: list[tuple[str, list[str]]] = field(default_factory=list)
    unfinished: bool = False


def _sections() -> Iterator[Section]:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    fenced = {line for match in _FENCE.finditer(text) for line in range(match.start(), match.end())}
    starts = [match.start() for match in re.finditer(r"^## ", text, re.MULTILINE) if match.start() not in fenced]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        part = text[start:end]
        found = Section(part[3:].partition("\n")[0], unfinished=_UNFINISHED in part)
        prose = _FENCE.sub("", part)
        found.files.update(dict.fromkeys(_PICTURE.findall(prose), b""))
        found.files.update(dict(_NOTE.findall(part)))
        for kind, content in _FENCE.findall(part):
            if kind == "text":
                found.said.extend(_said(content))
        yield found


def _said(content: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a block, and the lines below it with their columns set apart by one space."""
    for block in re.split(r"^\$ vaultkit ", content, flags=re.MULTILINE)[1:]:
        command, *lines = block.rstrip("\n").split("\n")
        yield command, [" ".join(line.split()) for line in lines]


SECTIONS = [section for section in _sections() if section.files]


@pytest.fixture(params=SECTIONS, ids=lambda section: section.title)
def section(request: pytest.FixtureRequest) -> Section:
    found: Section = request.param
    return found


def test_decks_page_has_an_example_of_every_form() -> None:
    assert len(SECTIONS) >= 11
    assert all(section.said for section in SECTIONS)
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert len(_NOTE.findall(text)) == text.count("```markdown\n")


def test_documented_deck_example_is_read_without_problems(section: Section, tmp_path: Path) -> None:
    vault = make_files(tmp_path, section.files)
    compendium = Compendium(vault)
    problems = run(vault, every_check()).problems
    codes = [problem.code for problem in problems]
    assert codes == ["card-missing"] * section.unfinished, problems
    assert all(deck.entries for deck in compendium.decks)
    shown = {entry.image for deck in compendium.decks for entry in deck.entries}
    assert shown >= {path for path in section.files if not path.endswith(".md")}


@pytest.mark.short(6)
def test_documented_deck_command_prints_the_documented_output(
    section: Section, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_files(tmp_path, section.files)
    monkeypatch.setenv("VAULTKIT_NO_CACHE", "1")
    monkeypatch.chdir(tmp_path)
    for command, lines in section.said:
        monkeypatch.setattr(sys, "argv", ["vaultkit", *shlex.split(command)])
        assert error_handler.run() == 0, capsys.readouterr().err
        told = capsys.readouterr().out.splitlines()
        assert [" ".join(line.split()) for line in told] == lines, command
