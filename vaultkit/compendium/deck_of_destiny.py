"""Inventories of cards in characters' notes: the cards that entries name, and problems of entries (DD-2, DD-15)."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress

from vaultkit.compendium.compendium import Compendium
from vaultkit.errors import Problem, VaultkitError
from vaultkit.spelling import did_you_mean
from vaultkit.text import name_key
from vaultkit.vault import Note
from vaultkit.vault.links import parse_wikilink
from vaultkit.vault.note_facts import texts
from vaultkit.vault.text_positions import LINE_END

INVENTORY_PROPERTY = "destiny-inventory"
"""The property that holds a character's inventory for the Deck of Destiny."""
DEFAULT_KIND = "french52"
"""The kind of deck in which a name is looked up first, since other decks may use the name, too."""

CardNames = Mapping[str, str]
"""Names of cards by id."""


def find_card_id(text: str, names: CardNames) -> str | None:
    """Return the card that an entry means by its name or id, plain or as a link; None if the deck has no such card."""
    if link := parse_wikilink(text):
        display_text, path, subpath = link
        ids = (find_card_id(link_part, names) for link_part in (display_text, subpath.lstrip("#"), path))
        return next(filter(None, ids), None)
    folded_text = name_key(text)
    return next((card for card, name in names.items() if folded_text in {name_key(card), name_key(name)}), None)


def suggest_card(text: str, names: CardNames) -> str:
    """Return a hint that suggests the card with the nearest name, else a hint on how cards are written."""
    example = next(iter(names.values()), "")
    nearest_hint = did_you_mean(text, names.values(), min_score=70, numbers_distinguish=True)
    return nearest_hint or f"Cards are written as the deck has them, such as {example}."


def check_inventories(compendium: Compendium, selected_paths: Collection[str]) -> Iterator[Problem]:
    """Yield an error for each entry that is no card of any deck, and for each card that is in an inventory twice.

    All inventories of the vault are read; only problems of the vault paths `selected_paths` are reported.
    """
    entries_by_path = {facts.path: texts(facts.property(INVENTORY_PROPERTY)) for facts in compendium.vault.note_facts}
    decks = _names_by_kind(compendium) if any(entries_by_path.values()) else ()
    first_inventories: dict[tuple[str, str], str] = {}
    for path in sorted(path for path in entries_by_path if entries_by_path[path] and decks):
        faults = [
            (index, details)
            for index, text in enumerate(entries_by_path[path])
            if (details := _find_problem(text, path, decks, first_inventories))
        ]
        if faults and path in selected_paths:
            lines = _find_entry_lines(compendium, path, entries_by_path[path])
            yield from (Problem(path, lines[index], 1, *details) for index, details in faults)


DeckNames = tuple[tuple[str, CardNames], ...]
"""Pairs of a kind of deck and the names of its cards."""


def _names_by_kind(compendium: Compendium) -> DeckNames:
    names_by_kind: dict[str, CardNames] = {}
    for deck in sorted(compendium.decks, key=lambda deck: deck.deck.kind != DEFAULT_KIND):
        names_by_kind.setdefault(deck.deck.kind, {card.id: card.name for card in deck.deck})
    return tuple(names_by_kind.items())


def _find_problem(
    text: str, path: str, decks: DeckNames, first_inventories: dict[tuple[str, str], str]
) -> tuple[str, str, str] | None:
    """Return code, message and hint for a wrong entry, or None.

    `first_inventories` maps kind and id of a card to the path of the inventory that names it first; it is updated.
    """
    kind_and_card = next(((kind, card) for kind, names in decks if (card := find_card_id(text, names))), None)
    if kind_and_card is None:
        all_names = {f"{kind}:{card}": name for kind, names in decks for card, name in names.items()}
        return "inventory-card", f"No deck of this vault has a card '{text}'.", suggest_card(text, all_names)
    if kind_and_card not in first_inventories:
        first_inventories[kind_and_card] = path
        return None
    kind, card = kind_and_card
    return _duplicate_problem(dict(decks)[kind][card], path, first_inventories[kind_and_card])


def _duplicate_problem(card: str, path: str, first_path: str) -> tuple[str, str, str]:
    if path == first_path:
        return "inventory-twice", f"The inventory names {card} twice.", "Delete one of the two."
    hint = "A deck has each card once. Delete it from one of the two."
    return "inventory-twice", f"{card} is in two inventories: here and in '{first_path}'.", hint


def _find_entry_lines(compendium: Compendium, path: str, entries: tuple[str, ...]) -> tuple[int, ...]:
    """Return the lines of the entries, from 1; the property's line for an entry not found, 0 if the note is gone."""
    with suppress(VaultkitError):
        return tuple(_entry_lines(compendium.vault.read(path), entries))
    return (0,) * len(entries)


def _entry_lines(note: Note, entries: tuple[str, ...]) -> Iterator[int]:
    lines = LINE_END.split(note.text[: note.body_start])
    starts = [line.lstrip("\"'").lower().startswith(INVENTORY_PROPERTY) for line in lines]
    index = starts.index(True) if True in starts else 0
    property_index = index
    for text in entries:
        following_lines = ((place, lines[place]) for place in range(index + (index > property_index), len(lines)))
        places = (place for place, line in following_lines if text in line or text in line.replace('\\"', '"'))
        index = next(places, index)
        yield index + 1
