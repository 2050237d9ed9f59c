"""Cards as written in notes, with their pictures and links, before they are matched with a deck.

A card may have a note of its own: `vaultkit-deck: tarokka`, `suit: Swords`, `rank: 3`, perhaps `card:` and `image:`.
Its name is the property `card`, else the title, else the note's name. Its text is the body without the title and the
picture. A card line in the body (`*Three of Swords*`) may replace the properties. Other plain properties are traits,
like the columns of a table.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from vaultkit.compendium.decks import card_line
from vaultkit.compendium.decks.card_line import CardFacts, Words
from vaultkit.errors import VaultkitError
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.file_facts import PICTURE_SUFFIXES, is_note
from vaultkit.vault.links import is_external, split_destination, split_wikilink
from vaultkit.vault.note import texts
from vaultkit.vault.text_positions import LINE_END

Form = Literal["heading", "row", "note"]
TEXT_HEADINGS = ("text", "meaning", "effect", "description")
"""The table columns and note properties that hold a card's text; several are joined, one below the other."""


_WIKILINK = re.compile(r"!?\[\[(?P<inner>[^\[\]\r\n]+)\]\]")
_MARKDOWN = re.compile(r"!?\[(?P<text>[^\[\]\r\n]*)\]\(<?(?P<to>[^<>\r\n]{0,2000}?)>?\)")


class Unread(msgspec.Struct, frozen=True):
    """A text that seems to be rank and suit but has unknown words; `certain` if it can be nothing else."""

    text: str
    line: int
    certain: bool = False


@dataclass(frozen=True)
class WrittenCard:
    """A card as written in line `line` of the note `path`. `facts` is None without suit and rank.

    `link` leads to the card: `path#heading`, or the path of the card's own note. If the row of a table links to another
    place, `target` is its note and `target_line` the line there. `also` are further names of the card's own note;
    `lost` is the name of a picture that the card has and that does not exist, else "".
    """

    name: str
    path: str
    link: str
    line: int
    facts: CardFacts | None = None
    form: Form = "heading"
    image: str | None = None
    text: str = ""
    unread: Unread | None = None
    target: str = ""
    target_line: int = 0
    also: tuple[str, ...] = ()
    lost: str = ""


def read_section(card: WrittenCard, note: Note, span: tuple[int, int], vault: Vault, words: Words) -> WrittenCard:
    """Return a copy of `card` with the facts, picture and remaining text that a span of `note` contains."""
    start, end = span
    images = [link for link in note.links if link.embed and start <= link.start < end]
    facts: CardFacts | None = None
    unread: Unread | None = None
    text_lines: list[str] = []
    for line_number, line in enumerate(LINE_END.split(note.text[start:end]), note.places.line(start)):
        parsed = card_line.parse_card_line(line, words) if facts is None else None
        if parsed is not None:
            facts = replace(parsed, line=line_number)
        elif not _is_only_image(line, line_number, images, note):
            if not unread and not any(map(str.strip, text_lines)) and card_line.looks_like_card_line(line):
                unread = Unread(line.strip(" *_\t"), line_number)
            text_lines.append(line)
    image = find_embedded(images, note, vault)
    return replace(card, facts=facts, unread=None if facts else unread, image=image, text="\n".join(text_lines).strip())


def _is_only_image(line: str, line_number: int, images: list[Link], note: Note) -> bool:
    """Return whether a line holds a picture and nothing else."""
    return any(link.line == line_number and line.strip() == note.text[link.start : link.end] for link in images)


def find_embedded(links: Iterable[Link], note: Note, vault: Vault) -> str | None:
    """Return the vault path of the first existing picture that `links` embed, or None."""
    embedded_paths = (link.path for link in links if link.embed and not link.external)
    picture_paths = (_resolve_picture(path, note, vault) for path in embedded_paths)
    return next((path for path in picture_paths if path), None)


def find_picture(value: str, note: Note, vault: Vault) -> str | None:
    """Return the vault path of the picture that `[[x.png]]`, `![x](x.png)` or plain `x.png` names, or None."""
    plain_path = "" if is_external(value.strip()) else value.strip()  # its name may hold a `#`
    return _resolve_picture(plain_path, note, vault) or _resolve_picture(_linked_path(value), note, vault)


def is_lost(value: str, note: Note, vault: Vault) -> bool:
    """Return whether `value` is the plain path of a picture that this vault lacks.

    For links, it is False: another check reports broken links.
    """
    text = value.strip()
    is_link = _WIKILINK.fullmatch(text) or _MARKDOWN.fullmatch(text) or is_external(text)
    return bool(text) and not is_link and find_picture(text, note, vault) is None


def without_links(value: str) -> str:
    """Return the text of a property or cell with each link replaced by its display text."""
    text = _WIKILINK.sub(lambda match: split_wikilink(match["inner"])[0], value)
    return _MARKDOWN.sub(lambda match: match["text"], text)


def _linked_path(value: str) -> str:
    text = value.strip()
    if wiki := _WIKILINK.fullmatch(text):
        return split_wikilink(wiki["inner"].replace("\\|", "|"))[1]
    markdown = _MARKDOWN.fullmatch(text)
    destination = markdown["to"] if markdown else text
    return "" if is_external(destination) else split_destination(destination)[0]


def _resolve_picture(path: str, note: Note, vault: Vault) -> str | None:
    target_path = vault.files.resolve(path, note.path).path if path else None
    is_picture = target_path is not None and posixpath.splitext(target_path)[1].lower() in PICTURE_SUFFIXES
    return target_path if is_picture else None


_CARD_PROPERTIES = ("suit", "suits", "rank", "card")
_NOTE_PROPERTIES = (
    "image aliases alias tags tag cssclasses cssclass cover publish permalink obsidianuimode banner icon id uid"
)
_NON_TRAIT_PROPERTIES = frozenset((*_CARD_PROPERTIES, *TEXT_HEADINGS, *_NOTE_PROPERTIES.split()))
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def is_card_note(note: Note) -> bool:
    """Return whether a note with `vaultkit-deck` is one card: it has a suit, a rank, or a card's name."""
    return any(note.property(property_name) is not None for property_name in _CARD_PROPERTIES)


def read_card_note(note: Note, vault: Vault, words: Words) -> WrittenCard:
    """Return the card of a card note."""
    card_name = " ".join(map(without_links, texts(note.property("card"))))
    card = WrittenCard(card_name or note.title, note.path, note.path, 1, form="note")
    section_card = read_section(card, note, (_body_start(note), len(note.text)), vault, words)
    image = next(iter(texts(note.property("image"))), "")
    facts = _read_facts(note, words)
    section_facts = section_card.facts
    if section_facts:
        section_facts = replace(section_facts, traits=_read_traits(note) | section_facts.traits)
    text = "\n\n".join(" ".join(texts(note.property(key))) for key in TEXT_HEADINGS if note.property(key))
    return replace(
        section_card,
        facts=facts or section_facts,
        image=find_picture(image, note, vault) or section_card.image,
        text=section_card.text or text,
        unread=None if facts else next(_unread_facts(note), section_card.unread),
        also=() if card_name else (note.name,),
        lost=image if is_lost(image, note, vault) else "",
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
    heading = note.outline.find_heading(subpath)
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
    suits = tuple(suit for text in suit_texts for suit in card_line.parse_suits(without_links(text), words))
    rank = words.rank(" ".join(map(without_links, texts(note.property("rank")))).strip("-–— "))
    return CardFacts(suits, rank, _read_traits(note), 1) if suits or rank is not None else None


def _read_traits(note: Note) -> dict[str, str]:
    values_by_key = {key.lower(): ", ".join(map(without_links, texts(value))) for key, value in note.properties.items()}
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
