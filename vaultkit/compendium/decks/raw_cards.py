"""Cards as written in notes, with their pictures and links, before they are matched with a deck."""

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from vaultkit.compendium.decks import card_line
from vaultkit.compendium.decks.card_line import CardFacts, Words
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.file_facts import PICTURE_SUFFIXES
from vaultkit.vault.links import is_external, split_destination, split_wikilink
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
    as_written = (
        None if is_external(value.strip()) else _resolve_picture(value.strip(), note, vault)
    )  # its name may hold a `#`
    return as_written or _resolve_picture(_linked_path(value), note, vault)


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
