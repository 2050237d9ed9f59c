"""Reading of the cards inside a deck note, under headings or in tables."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from vaultkit.compendium.decks import card_line, card_picture, table_rows
from vaultkit.compendium.decks.card_line import CardFacts
from vaultkit.compendium.decks.rank_words import NO_TRANSLATIONS, Words
from vaultkit.compendium.decks.raw_cards import WrittenCard, read_section
from vaultkit.compendium.decks.table_rows import CardRow
from vaultkit.vault import Heading, Note, Vault
from vaultkit.vault.subpath import comparable_heading, find_heading, to_subpath


def read_cards(note: Note, vault: Vault, words: Words = NO_TRANSLATIONS) -> tuple[WrittenCard, ...]:
    """Return the cards of a deck note, below its heading `Cards` if it has one, else anywhere.

    They are the rows of its card tables or its headings of level 3, whichever are more: a card's own section may hold a
    table, and a table may stand under each suit. If the section `Cards` is empty, tables outside of it count, too.
    """
    cards_section = find_cards_heading(note)
    start, end = (
        (cards_section.end, section_end(note, cards_section)) if cards_section else (note.body_start, len(note.text))
    )
    headings = [heading for heading in card_headings(note) if start <= heading.start < end]
    rows = _find_rows(note, start, end) or ([] if headings else _find_rows(note, note.body_start, len(note.text)))
    if rows and len(rows) >= len(headings):
        return tuple(table_rows.read_card_row(row, note, vault, words) for row in rows)
    first_headings_by_name = first_headings(note)
    return tuple(read_heading_card(note, heading, first_headings_by_name, vault, words) for heading in headings)


def find_cards_heading(note: Note) -> Heading | None:
    """Return the heading `Cards`, under which the converter puts the cards, or None."""
    return next((heading for heading in note.headings if heading.text.casefold() == "cards"), None)


def _find_rows(note: Note, start: int, end: int) -> list[CardRow]:
    return [row for table in table_rows.card_tables(note, start, end) for row in table]


FirstHeadings = Mapping[str, Heading]


def card_headings(note: Note) -> Iterator[Heading]:
    """Yield headings of level 3, without headings that begin a footnote."""
    return (heading for heading in note.headings if heading.level == 3 and _is_at_margin(heading, note))


def first_headings(note: Note) -> FirstHeadings:
    """Return the first heading of each name, to which Obsidian's links lead (S2)."""
    return {comparable_heading(heading.text): heading for heading in reversed(note.headings)}


def section_end(note: Note, heading: Heading) -> int:
    """Return the offset where the section under `heading` ends; a heading that begins a footnote does not end it."""
    later_headings = islice(
        note.headings, bisect_right(note.headings, heading.start, key=lambda other: other.start), None
    )
    ends = (
        later_heading.start
        for later_heading in later_headings
        if later_heading.level <= heading.level and _is_at_margin(later_heading, note)
    )
    return next(ends, len(note.text))


def read_heading_card(
    note: Note, heading: Heading, first_headings_by_name: FirstHeadings, vault: Vault, words: Words
) -> WrittenCard:
    """Return the card whose section begins with `heading`; `first_headings_by_name` is from `first_headings`."""
    name = card_picture.without_links(heading.text).strip("*_ ")
    heading_card = WrittenCard(
        name, note.path, f"{note.path}#{_subpath(note, heading, first_headings_by_name)}", heading.line
    )
    full_card = read_section(heading_card, note, (heading.end, section_end(note, heading)), vault, words)
    return full_card if full_card.facts else replace(full_card, facts=_facts_from_name(name, words))


def _facts_from_name(name: str, words: Words) -> CardFacts | None:
    """Return the rank and suits in a card's name such as `Ace of Moons`, or None for one such as `Wheel of Fortune`."""
    facts = card_line.parse_card_line(f"*{name}*", words)
    return facts if facts and words.is_rank(str(facts.rank)) else None


def _subpath(note: Note, heading: Heading, first_headings_by_name: FirstHeadings) -> str:
    """Return the subpath of links to a heading, with its parent heading if an earlier heading has its name (S2)."""
    own_subpath = to_subpath(heading.text)
    if first_headings_by_name.get(comparable_heading(own_subpath)) == heading:
        return own_subpath
    headings_above = [
        earlier_heading
        for earlier_heading in note.headings
        if earlier_heading.start < heading.start and earlier_heading.level < heading.level
    ]
    nested = f"{to_subpath(headings_above[-1].text)}#{own_subpath}" if headings_above else own_subpath
    return nested if find_heading(note.headings, nested) == heading else own_subpath


def _is_at_margin(heading: Heading, note: Note) -> bool:
    """Return whether only blanks stand before a heading: no `[^1]:` of a footnote."""
    return not note.text[note.places.start(heading.line) : heading.start].strip()
