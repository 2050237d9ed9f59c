"""Messages, help and documents use none of the phrases in phrases.toml, which a colleague would not say."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PHRASES = tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))["phrase"]
GAMES = ("dragon_citadel", "prophets_gambit", "deck_of_destiny", "propheta", "turn_of_fate")
"""Folders of games, whose sentences keep the voice of their rules."""
PAGES_WITH_A_VOICE = {"samples.md"}


def messages() -> Iterator[tuple[str, str]]:
    """Yield each text with a space in the code of vaultkit that is not the docstring of a helper, with its place."""
    for file in sorted((ROOT / "vaultkit").rglob("*.py")):
        parts = file.relative_to(ROOT / "vaultkit").parts
        if parts[0] == "games" and parts[1] in GAMES:
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        docstrings = set() if parts[0] == "cli" else set(docstring_ids(tree))
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docstrings:
                continue
            if " " in node.value and (parts[0] != "cli" or not is_internal_docstring(node.value)):
                yield f"{'/'.join(parts)}:{node.lineno}", " ".join(node.value.split())


def docstring_ids(tree: ast.AST) -> Iterator[int]:
    """Yield the ids of all expressions that are texts and nothing else."""
    return (id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr))


def is_internal_docstring(text: str) -> bool:
    """Return whether a text of a command module is no help: the help of each command has an example."""
    return "\n" in text and "For example: " not in text


def pages() -> Iterator[tuple[str, str]]:
    """Yield each paragraph of the documents without code, with its place."""
    files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md")]
    for file in files:
        if file.parent.name != "rulings" and file.name not in PAGES_WITH_A_VOICE:
            text = re.sub(
                r"(?ms)^( *)(`{3,}).*?^\1\2[^\n]*|`[^`\n]*`|\"[^\"\n]*\"", "", file.read_text(encoding="utf-8")
            )
            for paragraph in text.split("\n\n"):
                yield file.relative_to(ROOT).as_posix(), " ".join(paragraph.split())


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda phrase: phrase["example"])
def test_each_pattern_finds_its_example_and_not_the_plain_words(phrase: dict[str, str]) -> None:
    assert re.search(phrase["pattern"], phrase["example"])
    assert not any(re.search(other["pattern"], phrase["plain"]) for other in PHRASES)


def test_messages_and_help_have_none_of_the_phrases() -> None:
    texts = list(messages())
    assert len(texts) > 5_000
    assert faults(texts) == []


def test_documents_have_none_of_the_phrases() -> None:
    assert faults(pages()) == []


def faults(texts: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> list[str]:
    """Return each use of a phrase with its place and the plain words."""
    return [
        f"{place}: {found[0]!r} in {text[:100]!r}; for example: {phrase['plain']}"
        for place, text in texts
        for phrase in PHRASES
        if (found := re.search(phrase["pattern"], text))
    ]
