"""The cards inside of a deck note, under headings or in tables."""

from vaultkit.compendium import headings, rows
from vaultkit.compendium.rows import CardRow
from vaultkit.compendium.words import PLAIN, Words
from vaultkit.compendium.written import WrittenCard
from vaultkit.vault import Heading, Note, Vault


def cards(note: Note, vault: Vault, words: Words = PLAIN) -> tuple[WrittenCard, ...]:
    """The cards of a deck note, below its heading `Cards` if it has one, else anywhere.

    They are the rows of its card tables or its headings of level 3, whichever of these are more: a card's own section
    may hold a table, and a table may stand under each suit. Tables may lie outside of an empty section `Cards`, too.
    """
    below = cards_heading(note)
    start, end = (below.end, headings.section_end(note, below)) if below else (note.body_start, len(note.text))
    named = [heading for heading in headings.card_headings(note) if start <= heading.start < end]
    found = _rows(note, start, end) or ([] if named else _rows(note, note.body_start, len(note.text)))
    if found and len(found) >= len(named):
        return tuple(rows.card(row, note, vault, words) for row in found)
    first = headings.firsts(note)
    return tuple(headings.card(note, heading, first, vault, words) for heading in named)


def cards_heading(note: Note) -> Heading | None:
    """The heading under which the converter puts the cards."""
    return next((heading for heading in note.headings if heading.text.casefold() == "cards"), None)


def _rows(note: Note, start: int, end: int) -> list[CardRow]:
    return [row for table in rows.tables_of(note, start, end) for row in table]
