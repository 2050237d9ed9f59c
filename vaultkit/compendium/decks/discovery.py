"""Grouping of a vault's notes into decks, and reading of the cards inside a deck note.

A note that is marked as part of a deck (`vaultkit-deck: tarokka`, or the converter's `json5e-deck`) is one of these:

- **a deck note**, which has its cards inside: it is the converter's, or has a card table or headings of cards;
- **a card note**: it has a `suit`, a `rank` or a `card` of its own;
- **a deck's head note**, which has neither: the title, an introduction, the words of another language. It has the
  name of its folder or of the deck, or gives such words, or lies above all card notes.

A note with `vaultkit-deck` and none of this is a card without a suit, such as the Raven, if there are other card notes
of its kind beside it, or a head note above it.

All card notes of one kind below the folder of a head note are one deck, and those without a head note are one deck for
each folder. So several decks may share a folder if they are of different kinds; of one kind, one deck of card notes and
any number of deck notes. A deck note whose table links to card notes is their head note.
"""

import posixpath
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TypeVar

import msgspec

from vaultkit.budget import Limit
from vaultkit.cards.deck import known_deck
from vaultkit.compendium.decks import card_line, raw_cards
from vaultkit.compendium.decks.card_line import NO_TRANSLATIONS, WORD_PROPERTIES, CardFacts, Words
from vaultkit.compendium.decks.markers import is_converted, kind_of
from vaultkit.compendium.decks.raw_cards import WrittenCard, is_card_note, read_section
from vaultkit.compendium.decks.table_rows import find_card_rows, read_card_row
from vaultkit.text import group, name_key, name_sort_key
from vaultkit.vault import Heading, Note, Vault
from vaultkit.vault.subpath import comparable_heading, to_subpath

MAX_CARDS = Limit("This deck has", 1_000, "cards", "Make several decks of it, each with a note of its own.")


class DeckSource(msgspec.Struct, frozen=True):
    """The notes of one deck. `note` is the deck note or head note, else (`headed` is False) the first card note.

    `cards` are the card notes, without those that a table in `note` links to.
    """

    note: Note
    cards: tuple[Note, ...] = ()
    headed: bool = True


def find_decks(notes: Iterable[Note], vault: Vault) -> list[DeckSource]:
    """Return the decks that marked notes make up, in the order of paths."""
    converted, unconverted = _partition(notes, is_converted)
    by_kind = group((kind_of(note), note) for note in unconverted)
    decks = (deck for kind, notes_of_kind in by_kind.items() for deck in _decks_of_kind(kind, notes_of_kind, vault))
    return sorted((*map(DeckSource, converted), *decks), key=lambda deck: name_sort_key(deck.note.path))


def _decks_of_kind(kind: str, notes: list[Note], vault: Vault) -> Iterator[DeckSource]:
    """Yield the decks among the notes of one kind."""
    card_notes, other_notes = _partition(notes, is_card_note)
    written_cards = {note.path: read_cards(note, vault, card_line.read_translations(note)[0]) for note in other_notes}
    deck_notes = [note for note in other_notes if _is_deck_note(note, written_cards[note.path], card_notes)]
    targets = {path: {item.target for item in items} - {"", path} for path, items in written_cards.items()}
    linked_paths = {note.path: targets[note.path] for note in deck_notes}
    card_paths = {card.path for card in card_notes}
    complete, incomplete = _partition(deck_notes, lambda note: card_paths.isdisjoint(linked_paths[note.path]))
    yield from map(DeckSource, complete)
    assigned_paths = set(linked_paths).union(*linked_paths.values())
    loose_notes = [note for note in other_notes if note.path not in assigned_paths]
    free_card_notes = [note for note in card_notes if note.path not in assigned_paths]
    note_counts = Counter(map(_folder_of, [*free_card_notes, *loose_notes]))
    head_notes, others = _partition(loose_notes, lambda note: _is_head_note(note, kind, note_counts))
    folders = set(map(_folder_of, head_notes))

    def is_empty_deck(note: Note) -> bool:
        folder = _folder_of(note)
        return note_counts[folder] == 1 and folders.isdisjoint(_folder_and_parents(folder))

    empty_decks, cards = _partition(others, is_empty_deck)
    yield from map(DeckSource, empty_decks)
    yield from _group_by_head([*incomplete, *head_notes], [*free_card_notes, *cards])


def _partition(notes: Iterable[Note], condition: Callable[[Note], bool]) -> tuple[list[Note], list[Note]]:
    """Partition the notes into two lists by whether `condition` is true."""
    matching: list[Note] = []
    rest: list[Note] = []
    for note in notes:
        (matching if condition(note) else rest).append(note)
    return matching, rest


def _group_by_head(heads: list[Note], cards: list[Note]) -> Iterator[DeckSource]:
    """Yield each head note with the cards below its folder, then the cards without a head note, folder by folder."""
    by_folder: dict[str, Note] = {}
    for head in heads:
        if by_folder.setdefault(_folder_of(head), head) is not head:
            yield DeckSource(head)
    ordered = sorted(cards, key=lambda note: note.path)
    folders = map(_folder_of, ordered)
    head_folders = (next(filter(by_folder.__contains__, _folder_and_parents(folder)), folder) for folder in folders)
    decks = group(zip(head_folders, ordered, strict=True))
    for folder, head in by_folder.items():
        yield DeckSource(head, tuple(decks.pop(folder, ())))
    yield from (DeckSource(card_notes[0], tuple(card_notes), headed=False) for card_notes in decks.values())


def _is_deck_note(note: Note, items: tuple[WrittenCard, ...], card_notes: list[Note]) -> bool:
    """Return whether a note is a deck note, with cards inside; `items` are its possible cards.

    Near card notes, headings alone prove nothing, since a card's own note may have some, such as `### Upright`.
    """
    if not items or not any(_is_below(card.path, _folder_of(note)) for card in card_notes):
        return bool(items)
    is_marked_as_deck = find_cards_heading(note) is not None or any(item.form == "row" for item in items)
    return is_marked_as_deck or any(item.facts for item in items)


def _is_head_note(note: Note, kind: str, note_counts: Counter[str]) -> bool:
    """Return whether a note without cards is the head note of a deck.

    `note_counts` has the number of the deck's notes in each folder.
    """
    folder, reference_deck = _folder_of(note), known_deck(kind)
    has_folders_below = any(other != folder and _is_below(f"{other}/", folder) for other in note_counts)
    own_names = {name_key(note.name), name_key(note.title)}
    card_names = {name_key(card.name) for card in reference_deck or ()}
    if (not has_folders_below and note_counts[folder] == 1) or own_names & card_names:
        return False
    deck_title = reference_deck.title if reference_deck else kind
    names = set(map(name_key, (posixpath.basename(folder), kind, deck_title)))
    gives_words = any(note.property(key) is not None for key in WORD_PROPERTIES)
    return gives_words or bool(own_names & names) or note_counts[folder] == 1


def _is_below(path: str, folder: str) -> bool:
    """Return whether a path lies in `folder` or deeper; everything lies below "", the vault itself."""
    return not folder or path.startswith(f"{folder}/")


def _folder_of(note: Note) -> str:
    return posixpath.dirname(note.path)


def _folder_and_parents(folder: str) -> Iterator[str]:
    """Yield the folder and its parents, up to the vault's root, ""."""
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def read_cards(note: Note, vault: Vault, words: Words = NO_TRANSLATIONS) -> tuple[WrittenCard, ...]:
    """Return the cards of a deck note, below its heading `Cards` if it has one, else anywhere.

    They are the rows of its card tables or its headings of level 3, whichever are more: a card's own section may hold a
    table, and a table may stand under each suit. If the section `Cards` is empty, tables outside of it count, too.
    """
    start, end = note.body_start, len(note.text)
    if cards_section := find_cards_heading(note):
        start, end = cards_section.end, section_end(note, cards_section)
    headings = take(heading for heading in card_headings(note) if start <= heading.start < end)
    rows = take(find_card_rows(note, start, end))
    rows = rows if rows or headings else take(find_card_rows(note, note.body_start, len(note.text)))
    if rows and len(rows) >= len(headings):
        return tuple(read_card_row(row, note, vault, words) for row in rows)
    first_headings_by_name = first_headings(note)
    return tuple(read_heading_card(note, heading, first_headings_by_name, vault, words) for heading in headings)


Item = TypeVar("Item")


def take(items: Iterable[Item]) -> list[Item]:
    """Return the first items of a deck, one more than MAX_CARDS at most."""
    return list(islice(items, MAX_CARDS.maximum + 1))


def find_cards_heading(note: Note) -> Heading | None:
    """Return the heading `Cards`, under which the converter puts the cards, or None."""
    return next((heading for heading in note.headings if heading.text.casefold() == "cards"), None)


FirstHeadings = Mapping[str, Heading]


def card_headings(note: Note) -> Iterator[Heading]:
    """Yield headings of level 3, without headings that begin a footnote."""
    return (heading for heading in note.headings if heading.level == 3 and _is_at_margin(heading, note))


def first_headings(note: Note) -> FirstHeadings:
    """Return the first heading of each name, to which Obsidian's links lead (S2)."""
    return {comparable_heading(heading.text): heading for heading in reversed(note.headings)}


def section_end(note: Note, heading: Heading) -> int:
    """Return the offset where the section under `heading` ends; a heading that begins a footnote does not end it."""
    index = bisect_right(note.headings, heading.start, key=lambda other: other.start)
    for later in islice(note.headings, index, None):
        if later.level <= heading.level and _is_at_margin(later, note):
            return later.start
    return len(note.text)


def read_heading_card(note: Note, heading: Heading, headings: FirstHeadings, vault: Vault, words: Words) -> WrittenCard:
    """Return the card whose section begins with `heading`; `headings` are from `first_headings`."""
    name = raw_cards.without_links(heading.text).strip("*_ ")
    heading_card = WrittenCard(name, note.path, f"{note.path}#{_subpath(note, heading, headings)}", heading.line)
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
    earlier = (other for other in note.headings if other.start < heading.start)
    parents = [other for other in earlier if other.level < heading.level]
    nested = f"{to_subpath(parents[-1].text)}#{own_subpath}" if parents else own_subpath
    return nested if note.outline.find_heading(nested) == heading else own_subpath


def _is_at_margin(heading: Heading, note: Note) -> bool:
    """Return whether only blanks stand before a heading: no `[^1]:` of a footnote."""
    return not note.text[note.places.start(heading.line) : heading.start].strip()
