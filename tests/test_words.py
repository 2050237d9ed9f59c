"""One word for one thing: the glossary of docs/contributing.md, and the words that it has replaced."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import vaultkit

ROOT = Path(vaultkit.__file__).parent
GLOSSARY = re.compile(r"^- \*\*([a-z ]+)\*\*: .+$", re.MULTILINE)
DOCSTRING = re.compile(r'^ *r?"{3}(\w+)', re.MULTILINE)
REPLACED = {
    "tellings": "recaps",
    "trick_play": "deal",
    "game_table": "game notes",
    "quicklook": "the quick test of a check",
    "told": "a verb",
    "said": "a verb",
    "shown": "a verb",
    "found": "a verb",
    "written": "a verb",
}
"""Names that no file, class or function has any more, and what is used instead."""


@pytest.mark.slow
def test_every_word_of_the_glossary_is_a_name() -> None:
    known = {name for name, _ in _names()}
    section = (ROOT.parent / "docs" / "contributing.md").read_text(encoding="utf-8").partition("## Words\n")[2]
    words = GLOSSARY.findall(section.partition("\n## ")[0])
    assert len(words) > 15
    missing = [word for word in words if not {word.replace(" ", "_"), f"{word.replace(' ', '_')}s"} & known]
    assert not missing


@pytest.mark.slow
def test_no_word_that_was_replaced_is_a_name() -> None:
    assert not [f"{where}: {name}, now {REPLACED[name]}" for name, where in sorted(_names()) if name in REPLACED]


def test_no_docstring_begins_with_what() -> None:
    """It is a noun for a thing, or a verb for a deed; a sentence that begins so has to be read twice."""
    files = (*ROOT.rglob("*.py"), *(ROOT.parent / "scripts").rglob("*.py"))
    starts = [
        f"{file.name}: {start}" for file in files for start in DOCSTRING.findall(file.read_text(encoding="utf-8"))
    ]
    assert len(starts) > 3000
    assert not [start for start in starts if start.endswith(" What")]


@cache
def _names() -> frozenset[tuple[str, str]]:
    """Each file, folder, class and function with the file that it stands in: `DeckNote` as `deck_note`."""
    return frozenset(_names_of(ROOT.rglob("*.py")))


def _names_of(files: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for file in files:
        where = file.relative_to(ROOT).as_posix()
        yield from ((name, where) for name in (file.stem, *file.relative_to(ROOT).parts[:-1]))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                yield re.sub(r"(?<=[a-z])(?=[A-Z])", "_", node.name).strip("_").lower(), where
