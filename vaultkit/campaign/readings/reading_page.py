"""A reading rendered for its note: cards linked, their texts quoted, every word escaped for its place."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from vaultkit.campaign.dates import format_day
from vaultkit.campaign.property_names import READING, block_id
from vaultkit.campaign.readings.reading import Reading
from vaultkit.campaign.template_rendering import render_line, render_note
from vaultkit.compendium.decks.deck_note import CardEntry
from vaultkit.compendium.linking import card_targets
from vaultkit.compendium.spreads.spread import SpreadPosition
from vaultkit.session.examples.parser import LANGUAGE
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.writing.escape import escape_markdown, escape_property
from vaultkit.vault.writing.link_style import Linker

PICTURE_WIDTH_PX = "120"
"""The width of a card's picture, in pixels."""
_LINE_KINDS = frozenset({"Paragraph", "Heading", "TableRow", "TableHead", "CodeBlock", "CalloutTitle"})
_SKIPPED_KINDS = frozenset({"HtmlBlock", "FootnoteDefinition"})


class ReadingPage:
    """A reading rendered for the note at `path`, from which its links start.

    `in_world` are the properties of the date in the world, by name.
    """

    def __init__(self, reading: Reading, path: str, linker: Linker, in_world: Mapping[str, str]) -> None:
        self.reading = reading
        self.path = path
        self._linker = linker
        self._in_world = in_world

    def link(self, note: str, text: str, subpath: str = "") -> str:
        """Return a link to a note, or the words alone without a note."""
        return self._linker.link(note, self.path, text, subpath)

    def context(self) -> dict[str, object]:
        """Return the values that the templates of readings may use."""
        reading, deck, spread = self.reading, self.reading.deck, self.reading.spread
        deck_note, linker = deck.note.path if deck.headed else "", self._linker
        return {
            "reading": reading.id,
            "kind": reading.kind,
            "title": escape_markdown(spread.title),
            "date": reading.date.isoformat(),
            "day": format_day(reading.date),
            "question": escape_markdown(reading.question),
            "question_value": escape_property(reading.question),
            "spread": self.link(spread.note, spread.title),
            "spread_value": linker.property_link(spread.note, self.path, spread.title),
            "deck": self.link(deck_note, deck.deck.title),
            "deck_value": linker.property_link(deck_note, self.path, deck.deck.title),
            "cards": [self._card_values(position, entry) for position, entry in reading.laid],
            "in_world": {name: escape_property(value) for name, value in self._in_world.items()},
            "seed": reading.seed,
            "version": reading.version,
        }

    def _card_values(self, position: SpreadPosition, entry: CardEntry) -> dict[str, object]:
        """Return one card for the template, with all texts as Markdown.

        `position` and `meaning` are "" in a draw, `picture` without one. `link` leads to the card and shows its name;
        `title` has the rank and suit too, for a property.
        """
        note, subpath = card_targets.address(entry)
        picture = self.link(entry.image, PICTURE_WIDTH_PX) if entry.image else ""
        return {
            "position": escape_markdown(position.name),
            "meaning": escape_markdown(position.meaning),
            "link": self.link(note, entry.card.name, subpath),
            "title": escape_property(entry.card.title),
            "picture": f"!{picture}" if picture.startswith("[") else "",
            "text": tuple(filter(None, map(escape_markdown, text_lines(entry.text)))),
        }


def reading_note(page: ReadingPage, vault: Path | None) -> str:
    """Return the text of the note. Raises InvalidError if the template loses the property that identifies the note."""
    return render_note("reading.md.j2", page.context(), READING, vault)


def reading_line(page: ReadingPage, note: str, vault: Path | None) -> str:
    """Return the line that links the campaign note to the reading's note: exactly one line, with its block id."""
    link = page.link(note, page.reading.spread.title)
    return render_line("reading-line.md.j2", {**page.context(), "link": link}, block_id(page.reading.id), vault)


def text_lines(text: str) -> tuple[str, ...]:
    """Return the plain text of a card's Markdown: a line for each paragraph, heading, list item and table row."""
    return tuple(filter(None, (" ".join(line.split()) for line in _find_lines(parse(text)))))


def _find_lines(node: Node) -> Iterator[str]:
    """Yield the words of a node's blocks, one line for each; HTML and examples of games are left out."""
    if node.kind in _SKIPPED_KINDS or (node.kind == "CodeBlock" and node.text.strip().casefold() == LANGUAGE):
        return
    if node.kind in _LINE_KINDS:
        cells = [cell.words() for cell in node.children if cell.kind == "TableCell"]
        yield " – ".join(cells) if cells else node.words()
        return
    inline_nodes = [child for child in node.children if not _is_block(child)]
    if inline_nodes:
        yield Node("Line", children=inline_nodes).words()
    for child in node.children:
        if _is_block(child):
            yield from _find_lines(child)


def _is_block(node: Node) -> bool:
    return node.kind in _LINE_KINDS | _SKIPPED_KINDS | {"List", "Item", "Table", "BlockQuote", "Callout"}
