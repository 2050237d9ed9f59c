"""Cards that have a note each: `vaultkit-deck: tarokka`, `suit: Swords`, `rank: 3`, perhaps `card:` and `image:`.

The card's name is the property `card`, else the title, else the note's name. Its text is the body without the title and
the picture. A card line in the body (`*Three of Swords*`) may replace the properties. Other plain properties are
traits, like the columns of a table.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from vaultkit.compendium.decks import card_line, raw_cards
from vaultkit.compendium.decks.card_line import CardFacts, Words
from vaultkit.compendium.decks.raw_cards import TEXT_HEADINGS, Unread, WrittenCard, read_section
from vaultkit.errors import VaultkitError
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.note import texts
from vaultkit.vault.subpath import find_heading

_CARD_PROPERTIES = ("suit", "suits", "rank", "card")
_NON_TRAIT_PROPERTIES = frozenset(
    {
        *_CARD_PROPERTIES,
        *TEXT_HEADINGS,
        "image",
        "aliases",
        "alias",
        "tags",
        "tag",
        "cssclasses",
        "cssclass",
        "cover",
        "publish",
    }
    | {"permalink", "obsidianuimode", "banner", "icon", "id", "uid"}
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def is_card_note(note: Note) -> bool:
    """Return whether a note with `vaultkit-deck` is one card: it has a suit, a rank, or a card's name."""
    return any(note.property(property_name) is not None for property_name in _CARD_PROPERTIES)


def read_card_note(note: Note, vault: Vault, words: Words) -> WrittenCard:
    """Return the card of a card note."""
    card_name = " ".join(map(raw_cards.without_links, texts(note.property("card"))))
    card = WrittenCard(card_name or note.title, note.path, note.path, 1, form="note")
    section_card = read_section(card, note, (_body_start(note), len(note.text)), vault, words)
    image = next(iter(texts(note.property("image"))), "")
    facts = _read_facts(note, words)
    return replace(
        section_card,
        facts=facts
        or (
            replace(section_card.facts, traits=_read_traits(note) | section_card.facts.traits)
            if section_card.facts
            else None
        ),
        image=raw_cards.find_picture(image, note, vault) or section_card.image,
        text=section_card.text
        or "\n\n".join(" ".join(texts(note.property(key))) for key in TEXT_HEADINGS if note.property(key)),
        unread=None if facts else next(_unread_facts(note), section_card.unread),
        also=() if card_name else (note.name,),
        lost=image if raw_cards.is_lost(image, note, vault) else "",
    )


def join_linked_card(row: WrittenCard, link: Link, vault: Vault, words: Words) -> WrittenCard:
    """Return a table row's card, with what the row lacks taken from the note or heading that it links to."""
    path = vault.files.resolve(link.path, row.path).path
    try:
        note = vault.read(path) if path and is_note(path) else None
        linked_card = _read_target(note, link.subpath, vault, words) if note else None
    except VaultkitError:
        linked_card = None
    if linked_card is None:
        return row
    return replace(
        row,
        link=linked_card.link,
        facts=_merge_facts(row.facts, linked_card.facts),
        image=row.image or linked_card.image,
        text=row.text or linked_card.text,
        also=(linked_card.name, *linked_card.also),
        target=linked_card.path,
        target_line=linked_card.line,
    )


def _read_target(note: Note, subpath: str, vault: Vault, words: Words) -> WrittenCard | None:
    if not subpath:
        return read_card_note(note, vault, words)
    heading = find_heading(note.headings, subpath)
    if heading is None:
        return None
    card = WrittenCard(heading.text, note.path, f"{note.path}#{subpath}", heading.line)
    return read_section(card, note, (heading.end, note.section_end(heading)), vault, words)


def _merge_facts(row_facts: CardFacts | None, linked_facts: CardFacts | None) -> CardFacts | None:
    if row_facts is None or linked_facts is None:
        return row_facts or linked_facts
    traits = {**linked_facts.traits, **row_facts.traits}
    rank_source = row_facts if row_facts.suits or row_facts.rank is not None else linked_facts
    return CardFacts(rank_source.suits, rank_source.rank, traits, row_facts.line)


def _body_start(note: Note) -> int:
    """Return the offset where the body begins, after the title if the title comes first."""
    for heading in note.headings[:1]:
        if heading.level == 1 and not note.text[note.body_start : heading.start].strip():
            return heading.end
    return note.body_start


def _read_facts(note: Note, words: Words) -> CardFacts | None:
    """Return suits and rank from the properties, or None if there is neither."""
    suit_texts = [*texts(note.property("suits")), *texts(note.property("suit"))]
    suits = tuple(suit for text in suit_texts for suit in card_line.parse_suits(raw_cards.without_links(text), words))
    rank = words.rank(" ".join(map(raw_cards.without_links, texts(note.property("rank")))).strip("-–— "))
    return CardFacts(suits, rank, _read_traits(note), 1) if suits or rank is not None else None


def _read_traits(note: Note) -> dict[str, str]:
    words_by_key = {key.lower(): map(raw_cards.without_links, texts(value)) for key, value in note.properties.items()}
    values_by_key = {key: ", ".join(words) for key, words in words_by_key.items()}
    return {key: value for key, value in values_by_key.items() if value and _is_trait(key, value)}


def _is_trait(key: str, value: str) -> bool:
    """Return whether a property is a trait: not Obsidian's or vaultkit's own, and not a date, which plugins change."""
    return key not in _NON_TRAIT_PROPERTIES and not key.startswith("vaultkit") and not _DATE.match(value)


def _unread_facts(note: Note) -> Iterator[Unread]:
    """Yield an Unread for each suit or rank that is not text, as `[[Swords]]` without quotes, and for invalid YAML."""
    for key in ("suits", "suit", "rank"):
        value = note.property(key)
        if value not in (None, "", []) and not texts(value):
            yield Unread(f"{key}: {value}", 1, certain=True)
    for problem in note.problems:
        if problem.code == "frontmatter":
            yield Unread("its properties", problem.line, certain=True)
