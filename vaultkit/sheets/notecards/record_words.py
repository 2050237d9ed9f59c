"""Words for where a note comes from, and for no value; `record_words.toml` has them, with the rules for their use."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from vaultkit import files
from vaultkit.sheets.cards.fact_nodes import Fact, plain_text
from vaultkit.vault.links import is_external
from vaultkit.vault.markdown import Node

_RIGHTS = r"(?:https?://|www\.)\S|©|\b(?:CC|CC0|OGL|SRD|ISBN|GPL|(?:ORC|MIT) Licen[cs]e)\b"
_ABOUT_TIME = re.compile(r"^(?:date|last)[- ]?|[- ]?(?:date|on|at)$")


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    file = Path(__file__).with_name("record_words.toml")
    return files.parse_toml(files.read_text(file, allow_links=True))


@cache
def _terms(kind: str, language: str = "") -> frozenset[str]:
    """Return the words of a kind in a language, else in all languages."""
    tables = [table for code, table in _tables().items() if language in ("", code)]
    return frozenset(" ".join(table.get(kind, "") for table in tables).split())


@cache
def _citation() -> re.Pattern[str]:
    works = "|".join(table["works"] for table in _tables().values())
    return re.compile(rf"{_RIGHTS}|(?i:\b(?:{'|'.join(_terms('pages'))})\.? ?\d|{works})")


def has_no_value(words: str, language: str) -> bool:
    """Return whether a word says that a fact has no value, in a note of that language."""
    return words.casefold() in _terms("none") | (_terms("nothing", language) if language else frozenset())


def is_record(label: str, value: Sequence[Node]) -> bool:
    """Return whether a fact only says where a note comes from, or when it was written."""
    name, words = _name(label), plain_text(value)
    return (
        (name in _terms("sources") | _terms("rights") and _cites(value))
        or (name in _terms("pages") and words.isdecimal())
        or (_ABOUT_TIME.sub("", name) in _terms("times") and any(map(str.isdecimal, words)))
    )


def remove_record_properties(facts: Sequence[Fact]) -> list[Fact]:
    """Return properties without the names of sources and books from which the note was taken; links stay."""
    names = [_name(plain_text(label)) for label, _ in facts]
    records = _terms("sources") | (_terms("books") if (_terms("sources") | _terms("pages")) & {*names} else frozenset())
    return [fact for name, fact in zip(names, facts, strict=True) if name not in records or _links_note(fact[1])]


def _links_note(value: Sequence[Node]) -> bool:
    parts = (part for node in value for part in node.walk())
    return any(part.kind == "Link" and not is_external(part.text) for part in parts)


def is_record_section(title: str, blocks: Sequence[Node]) -> bool:
    """Return whether a section with that title only says where a note comes from."""
    return _name(title) in _terms("sources") | _terms("rights") and _cites(blocks)


def is_record_line(line: Sequence[Node], *, at_end: bool = False) -> bool:
    """Return whether a line, such as `Source: Our Cellar p. 4`, only says where a note comes from.

    One that cites nothing does so in italics, or at the end of the note.
    """
    name, colon, _ = plain_text(line).partition(":")
    is_source, is_right = (_name(name) in _terms(kind) for kind in ("sources", "rights"))
    is_aside = at_end or [node.kind for node in line if node.words().strip()] == ["Emphasis"]
    return bool(colon) and ((is_source and is_aside) or ((is_source or is_right) and _cites(line)))


def _name(label: str) -> str:
    return re.sub(r"[\W_]+", " ", label).strip().casefold()


def _cites(nodes: Sequence[Node]) -> bool:
    parts = [part for node in nodes for part in node.walk()]
    is_linked = any(part.kind in {"Link", "Image"} and is_external(part.text) for part in parts)
    return is_linked or any(_citation().search(part.text) for part in parts if part.kind == "Text")
