"""The places of the cards of decks, and the links from other notes to them.

A deck note may hold its cards under headings or in a table, or link to a note of its own for each card.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
from vaultkit.compendium.linking import mentions
from vaultkit.errors import VaultkitError
from vaultkit.text import name_sort_key
from vaultkit.vault import Heading, Link, Vault
from vaultkit.vault.subpath import find_heading

_ADDRESS = re.compile(r"(?P<path>.*?\.md)(?:#(?P<subpath>.*))?", re.IGNORECASE | re.DOTALL)


def address(entry: CardEntry) -> tuple[str, str]:
    """Return the note to which a card's link leads, and the part after the `#`, "" if the whole note is the card."""
    match = _ADDRESS.fullmatch(entry.link)
    return (match["path"], match["subpath"] or "") if match else (entry.link, "")


def own_notes(deck: DeckNote) -> frozenset[str]:
    """Return the paths of the notes that make up the deck: its own note, and the notes of its cards."""
    return frozenset({deck.note.path, *(address(entry)[0] for entry in deck.entries)})


class CardPlaces:
    """An index of the notes and lines at which the cards of some decks stand.

    It finds the card to which a link leads.
    """

    def __init__(self, vault: Vault, decks: Iterable[DeckNote]) -> None:
        self._vault = vault
        self._headings_by_note: dict[str, Sequence[Heading]] = {}
        self._entries_by_line: defaultdict[tuple[str, int], list[CardEntry]] = defaultdict(list)
        self._cached_finder_at = cache(self._make_finder_at)
        deck_notes = tuple(decks)
        self.paths: frozenset[str] = frozenset().union(*map(own_notes, deck_notes))
        for deck in deck_notes:
            for entry in deck.entries:
                self._record_card(deck, entry)

    def card(self, link: Link, source: str) -> CardEntry | None:
        """Return the card to which a link in the note `source` leads, or None.

        If several cards stand there, it is the one that the link's text names.
        """
        if link.external or self._vault.files.resolve(link.path, source).path not in self.paths:
            return None
        target = self._vault.resolve(link, source)
        if target.path is None or target.status not in ("ok", "ambiguous"):
            return None
        line = self._heading_line(target.path, link.subpath)
        note_and_line = (target.path, line) if (target.path, line) in self._entries_by_line else (target.path, 0)
        entries = self._entries_by_line.get(note_and_line, [])
        return entries[0] if len(entries) == 1 else self._cached_finder_at(note_and_line)(link.text)

    def _make_finder_at(self, note_and_line: tuple[str, int]) -> Callable[[str], CardEntry | None]:
        return mentions.make_finder((entry.card.name, entry) for entry in self._entries_by_line.get(note_and_line, ()))

    def _record_card(self, deck: DeckNote, entry: CardEntry) -> None:
        """Record a card under the line of its heading, or of the heading above its table; 0 is the whole note."""
        path, subpath = address(entry)
        if subpath and path not in self._headings_by_note:
            self._headings_by_note[path] = deck.note.headings if path == deck.note.path else self._read_headings(path)
        headings = self._headings_by_note.get(path, ()) if path == deck.note.path else ()
        has_heading = any(heading.line == entry.line for heading in headings)
        line = entry.line if has_heading else self._heading_line(path, subpath)
        if line or not subpath:
            self._entries_by_line[path, line].append(entry)

    def _heading_line(self, path: str, subpath: str) -> int:
        heading = find_heading(self._headings_by_note.get(path, ()), subpath)
        return heading.line if heading else 0

    def _read_headings(self, path: str) -> Sequence[Heading]:
        try:
            return self._vault.read(path).headings
        except VaultkitError:
            return ()


@dataclass(frozen=True, slots=True)
class Backlink:
    """A link to a card: the note that it is in, its line and column in code points from 1, and its text."""

    card: CardEntry
    note: str
    line: int
    column: int
    text: str


def find_backlinks(vault: Vault, deck: DeckNote) -> tuple[Backlink, ...]:
    """Return every link to a card of `deck` from a note that is not the deck's own, by note and place."""
    card_places = CardPlaces(vault, [deck])
    return tuple(
        Backlink(entry, facts.path, link.line, link.column, link.text)
        for facts in sorted(vault.note_facts, key=lambda facts: name_sort_key(facts.path))
        if facts.path not in card_places.paths
        for link in facts.links
        if (entry := card_places.card(link, facts.path)) is not None
    )
