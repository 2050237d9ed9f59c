"""The rule of one card in a game's rule note: the line, the table row or the section about it."""

import re

from vaultkit.vault import Note
from vaultkit.vault.tables import tables

_MARKS = " \t*_=~"


def line_of(note: Note, name: str) -> str:
    """The line of the note that opens with the card's name in bold, as `**Raven.** ...`, or nothing."""
    found = _opening(note, name)
    return found.string.strip() if found else ""


def rule_of(note: Note, name: str) -> str:
    """The rule of a card in the note, as Markdown without the card's name before it; "" if there is none.

    It may stand in a line or list item that opens with the name in bold, in a table row whose first cell is the
    name, or under a heading that is the name. The first of these that there is counts.
    """
    found = _opening(note, name)
    if found:
        return found.string[found.end() :].strip(" \t:–—-")
    return _row(note, name) or (note.section(name) or "").strip()


def _opening(note: Note, name: str) -> re.Match[str] | None:
    opening = re.compile(rf"\s*(?:[-*+] |\d+[.)] )?\*\*(?:{_linked(name)})[.:]?\*\*[.:]?")
    return next((match for line in note.text.splitlines() if (match := opening.match(line))), None)


def _linked(name: str) -> str:
    """A pattern for the name, plain or as a link of either kind."""
    plain = re.escape(name)
    return rf"\[{plain}\]\([^)\n]*\)|\[\[[^\]\n]*{plain}\]\]|{plain}"


def _row(note: Note, name: str) -> str:
    """The other cells of the table row that begins with the card's name; a row of nothing but numbers says nothing."""
    called = re.compile(_linked(name))
    rows = (row.cells for block in tables(note) for row in (block.header, *block.rows) if len(row.cells) == 2)
    return next((rule for first, rule in rows if called.fullmatch(first.strip(_MARKS)) and " " in rule), "")
