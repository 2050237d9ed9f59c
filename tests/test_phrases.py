"""Phrases that the documents and the help do not use, each with an example and what is written instead."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PHRASES = {
    r"(is|are|was|were|be) told": ("you are told which", "you see which"),
    r"tells? of": ("it tells of all of them", "it lists all of them"),
    r"mend(s|ed|ing)?": ("`u` mends a wrong name", "`u` corrects a wrong name"),
    r"reckon(s|ed|ing)?": ("statistics are reckoned from notes", "statistics are computed from notes"),
    r"anew": ("deals anew", "deals again"),
    r"therewith": ("what therewith stands again", "what is restored"),
    r"who(m|se)?ever": ("whoever wins most games", "the player who wins most games"),
    r"weak eyes": ("a face made for weak eyes", "a very legible font"),
    r"leads? to no (file|note)": ("this link leads to no file", "this link points to a missing note"),
    r"stands? there": ("what stands there already", "what is already in the note"),
    r"what counts": ("the sheet says what counts", "the sheet explains the scoring"),
    r"brings? of its own": ("what the vault brings of its own", "the vault's own templates and designs"),
    r"so many (of|at)": ("so many of them at most", "at most this number"),
    r"in the (place|stead) of": ("in the place of a number", "instead of a number"),
    r"is no (matter|more|place)": ("that is no more", "that no longer exists"),
    r"every eye": ("for every eye and ear", "accessibility"),
    r"a (hole|holes) in": ("report a hole in vaultkit", "report a security issue"),
}
"""Patterns of phrases; for each an example of its use, and the same in plain words."""
STORIES = {"rulings", "games", "samples.md", "CHANGELOG.md"}
"""Pages and folders with a voice of their own: rules of games, and what the program showed once."""


def _pattern(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"\b{phrase}\b", re.IGNORECASE)


def _pages() -> list[Path]:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in pages if not STORIES & {page.parent.name, page.name}]


@pytest.mark.parametrize(("phrase", "words"), PHRASES.items())
def test_each_phrase_is_found_in_its_example_and_not_in_the_plain_words(phrase: str, words: tuple[str, str]) -> None:
    before, plain = words
    assert _pattern(phrase).search(before) and not _pattern(phrase).search(plain)


@pytest.mark.parametrize("page", _pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_page_uses_none_of_the_phrases(page: Path) -> None:
    text = re.sub(r"(?ms)^( *)(`{3,}).*?^\1\2", "", page.read_text(encoding="utf-8"))
    found = [match[0] for phrase in PHRASES for match in _pattern(phrase).finditer(text)]
    assert found == []
