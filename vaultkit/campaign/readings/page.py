"""A reading as a note tells it: cards linked, their texts quoted, every word safe for the place where it goes."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from vaultkit.campaign.readings.reading import Reading
from vaultkit.campaign.session_note import block_id
from vaultkit.campaign.templating import render
from vaultkit.compendium import places
from vaultkit.compendium.decknote import CardEntry
from vaultkit.compendium.spread import Position
from vaultkit.errors import InvalidError
from vaultkit.vault import Note
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.writing.escape import markdown, property_text
from vaultkit.vault.writing.linkstyle import Linker

WIDTH = "120"
"""How wide a card's picture is shown, in pixels."""
_LINES = frozenset({"Paragraph", "Heading", "TableRow", "TableHead", "CodeBlock", "CalloutTitle"})
_NOT_WORDS = frozenset({"HtmlBlock", "FootnoteDefinition"})


@dataclass(frozen=True, slots=True)
class LaidCard:
    """One card for a template, Markdown all of it. `position` and `meaning` are "" in a draw, `picture` if none.

    `link` leads to the card and shows its name; `title` has rank and suit besides, for a property.
    """

    position: str
    meaning: str
    link: str
    title: str
    picture: str
    text: tuple[str, ...]


class ReadingPage:
    """A reading as seen from the note `path`, in which it is going to be told."""

    def __init__(self, reading: Reading, path: str, linker: Linker) -> None:
        self.reading = reading
        self.path = path
        self._linker = linker

    @cached_property
    def cards(self) -> tuple[LaidCard, ...]:
        return tuple(self._laid(position, entry) for position, entry in self.reading.laid)

    def link(self, note: str, shown: str) -> str:
        """A link to a note, or the words alone where there is none."""
        return self._linker.link(note, self.path, shown) if note else markdown(shown)

    def context(self) -> dict[str, object]:
        """What the templates of readings may use."""
        reading, deck, spread = self.reading, self.reading.deck, self.reading.spread
        return {
            "reading": reading.id,
            "kind": reading.kind,
            "title": markdown(spread.title),
            "date": reading.date.isoformat(),
            "day": f"{reading.date.day} {reading.date:%B %Y}",
            "question": markdown(reading.question),
            "question_value": property_text(reading.question),
            "spread": self.link(spread.note, spread.title),
            "spread_value": self._value(spread.note, spread.title),
            "deck": self.link(self._deck_note, deck.deck.title),
            "deck_value": self._value(self._deck_note, deck.deck.title),
            "cards": self.cards,
            "seed": reading.seed,
            "version": reading.version,
        }

    @property
    def _deck_note(self) -> str:
        return self.reading.deck.note.path if self.reading.deck.headed else ""

    def _value(self, note: str, shown: str) -> str:
        return (note and self._linker.wikilink(note, self.path, shown)) or property_text(shown)

    def _laid(self, position: Position, entry: CardEntry) -> LaidCard:
        note, subpath = places.address(entry)
        return LaidCard(
            position=markdown(position.name),
            meaning=markdown(position.meaning),
            link=self._linker.link(note, self.path, entry.card.name, subpath),
            title=property_text(entry.card.title),
            picture=self._picture(entry.image),
            text=tuple(filter(None, map(markdown, plain_lines(entry.text)))),
        )

    def _picture(self, image: str | None) -> str:
        link = self._linker.link(image, self.path, WIDTH) if image else ""
        return f"!{link}" if link.startswith("[") else ""


def reading_note(page: ReadingPage, vault: Path | None) -> str:
    """The text of the note. Raises InvalidError if the template loses the property by which the note is known."""
    text = render("reading.md.j2", page.context(), vault)
    if Note(page.path, text.encode("utf-8")).property("vaultkit-reading") != page.reading.id:
        raise InvalidError(
            "The template of readings must write the property 'vaultkit-reading'.",
            where="reading.md.j2",
            hint="Without it the same reading would be logged twice. Write: vaultkit-reading: {{ reading }}",
        )
    return text if text.endswith("\n") else f"{text}\n"


def reading_line(page: ReadingPage, note: str, vault: Path | None) -> str:
    """The line that leads from the campaign note to the reading's note; exactly one, with its block id."""
    block = block_id(page.reading.id)
    link = page.link(note, page.reading.spread.title)
    line = render("reading-line.md.j2", {**page.context(), "link": link, "block": block}, vault).strip()
    if len(line.splitlines()) != 1 or not line.endswith(f" ^{block}"):
        raise InvalidError(
            "The template of a reading's line must make one line that ends with its block id.",
            where="reading-line.md.j2",
            hint="Without it the same reading would be logged twice. End the line with: ^{{ block }}",
        )
    return line


def plain_lines(text: str) -> tuple[str, ...]:
    """The words of a card's Markdown, a line for each paragraph, heading, list item and row of a table."""
    return tuple(filter(None, (" ".join(line.split()) for line in _lines(parse(text)))))


def _lines(node: Node) -> Iterator[str]:
    if node.kind in _NOT_WORDS:
        return
    if node.kind in _LINES:
        cells = [cell.words() for cell in node.children if cell.kind == "TableCell"]
        yield " – ".join(cells) if cells else node.words()
        return
    inline = [child for child in node.children if not _is_block(child)]
    if inline:
        yield Node("Line", children=inline).words()
    for child in node.children:
        if _is_block(child):
            yield from _lines(child)


def _is_block(node: Node) -> bool:
    return node.kind in _LINES | _NOT_WORDS | {"List", "Item", "Table", "BlockQuote", "Callout"}
