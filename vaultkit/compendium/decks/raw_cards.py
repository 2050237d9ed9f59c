"""Cards as written in notes, before they are matched with a deck."""

from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from vaultkit.compendium.decks import card_line, card_picture
from vaultkit.compendium.decks.card_line import CardFacts
from vaultkit.compendium.decks.rank_words import Words
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.text_positions import LINE_END

Form = Literal["heading", "row", "note"]
TEXT_HEADINGS = ("text", "meaning", "effect", "description")
"""The table columns and note properties that hold a card's text; several are joined, one below the other."""


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
    image = card_picture.find_embedded(images, note, vault)
    return replace(card, facts=facts, unread=None if facts else unread, image=image, text="\n".join(text_lines).strip())


def _is_only_image(line: str, line_number: int, images: list[Link], note: Note) -> bool:
    """Return whether a line holds a picture and nothing else."""
    return any(link.line == line_number and line.strip() == note.text[link.start : link.end] for link in images)
