"""Readings and draws: the positions of a spread with cards that a seed gives, or drawn cards, and their notes.

In a note, cards are linked, their texts quoted, and every word is escaped for its place.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from vaultkit import __version__
from vaultkit.campaign.property_names import READING, block_id
from vaultkit.campaign.template_rendering import render_line, render_note
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
from vaultkit.compendium.linking import card_targets
from vaultkit.compendium.spreads import Spread, SpreadPosition, check_size, draw_for_positions
from vaultkit.compendium.words import VaultWords, load_words
from vaultkit.errors import UsageError
from vaultkit.session.examples.parser import LANGUAGE
from vaultkit.session.seeded_choices import make_generator
from vaultkit.session.session_ids import create_id
from vaultkit.text import format_command
from vaultkit.vault.markdown import Node, parse
from vaultkit.vault.writing.escape import clean_line, escape_markdown, escape_property
from vaultkit.vault.writing.link_style import Linker

PICTURE_WIDTH_PX = "120"
"""The width of a card's picture, in pixels."""
_MAX_UNTITLED_COLUMNS = 2
"""The number of columns up to which the cells of a table are understood without the titles of the columns."""
_LINE_KINDS = frozenset({"Paragraph", "Heading", "TableRow", "TableHead", "CodeBlock", "CalloutTitle"})
_SKIPPED_KINDS = frozenset({"HtmlBlock", "FootnoteDefinition"})


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A reading: one card for each position of `spread`. A draw is a reading whose positions have no names.

    Equal day, seed, cards and question give an equal `id`, so that a reading is never logged twice.
    """

    id: str
    kind: str
    date: date
    spread: Spread
    deck: DeckNote
    cards: tuple[CardEntry, ...]
    question: str = ""
    seed: int

    @property
    def positions_with_cards(self) -> tuple[tuple[SpreadPosition, CardEntry], ...]:
        """The positions, each with its card."""
        return tuple(zip(self.spread.positions, self.cards, strict=True))

    def limit_to(self, places: Collection[int]) -> "Reading":
        """Return the reading with the cards at some `places` only, counted from 0."""
        kept_places = [place for place in range(len(self.cards)) if place in places]
        positions = tuple(self.spread.positions[place] for place in kept_places)
        spread = replace(self.spread, positions=positions)
        return replace(self, spread=spread, cards=tuple(self.cards[place] for place in kept_places))

    def repeat_hint(self, campaign: str | None, *, is_logged: bool, is_at_table: bool = False) -> str:
        """Return the sentence with the command that lays the same cards again, and logs them as they were logged.

        `campaign` is the campaign note that was named.
        """
        deck, is_draw = self.deck.deck.kind, self.kind == "draw"
        words = ["draw", deck, str(len(self.cards))] if is_draw else ["reading", self.spread.title]
        options = {
            "--deck": not is_draw and deck, "--question": self.question, "--seed": self.seed, "--campaign": campaign,
            "--log": is_draw and is_logged, "--no-log": not (is_draw or is_logged), "--table": is_at_table,
        }  # fmt: skip
        return f"The same cards again: {format_command(words, options)}"


def deck_for(workspace: Workspace, spread: Spread, name: str) -> DeckNote:
    """Return the named deck, else the spread's own, else the only one of the vault. Raises UsageError without any."""
    compendium = workspace.compendium
    deck_name = name.strip() or spread.deck
    if deck_name:
        return workspace.deck(deck_name)
    if len(compendium.decks) == 1:
        return compendium.decks[0]
    kinds = ", ".join(deck.deck.kind for deck in compendium.decks) or "this vault has none"
    hint = f"Name one with --deck: {kinds}."
    raise UsageError(f"'{spread.title}' does not say with which deck it is laid.", where=spread.source, hint=hint)


def draw_cards(deck: DeckNote, count: int = 1, *, seed: int, question: str = "", now: datetime) -> Reading:
    """Draw `count` cards, at least 1. Raises UsageError if the deck has fewer.

    With the same seed, a larger number of cards begins with the cards of a smaller one.
    """
    check_size(deck, count)
    spread = Spread("draw", f"Draw from {deck.deck.title}", (SpreadPosition(""),) * count)
    return lay_reading(spread, deck, seed=seed, question=question, now=now, kind="draw")


def lay_reading(
    spread: Spread, deck: DeckNote, *, seed: int, question: str = "", now: datetime, kind: str = "reading"
) -> Reading:
    """Lay a spread with the cards that `seed` gives; `kind` is "reading" or "draw".

    Raises UsageError if the deck has too few cards, and InvalidError if the part of the deck for a position has too
    few.
    """
    cards = draw_for_positions(spread.positions, deck, make_generator(seed, 0, "lay"))
    clean_question = clean_line(question)
    identity = "|".join((spread.title, deck.note.path, clean_question, *(entry.card.id for entry in cards)))
    return Reading(
        id=create_id(kind, now, make_generator(seed, 0, identity)),
        kind=kind,
        date=now.date(),
        spread=spread,
        deck=deck,
        cards=cards,
        question=clean_question,
        seed=seed,
    )


class ReadingPage:
    """A reading rendered for the note at `path`, from which its links start.

    `in_world` maps the names of properties to parts of the date in the world of the campaign.
    """

    def __init__(self, reading: Reading, path: str, linker: Linker, in_world: Mapping[str, str]) -> None:
        self.reading = reading
        self.path = path
        self._linker = linker
        self._in_world = in_world

    def link(self, note: str, text: str, subpath: str = "") -> str:
        """Return a link to a note, or the words alone without a note."""
        return self._linker.link(note, self.path, text, subpath)

    def context(self, words: VaultWords) -> dict[str, object]:
        """Return the values that the templates of readings may use."""
        reading, deck, spread = self.reading, self.reading.deck, self.reading.spread
        deck_note, linker = deck.note.path if deck.headed else "", self._linker
        return {
            "reading": reading.id,
            "kind": reading.kind,
            "title": escape_markdown(spread.title),
            "date": reading.date.isoformat(),
            "day": words.day(reading.date),
            "question": escape_markdown(reading.question),
            "question_value": escape_property(reading.question),
            "spread": self.link(spread.note, spread.title),
            "spread_value": linker.property_link(spread.note, self.path, spread.title),
            "deck": self.link(deck_note, deck.deck.title),
            "deck_value": linker.property_link(deck_note, self.path, deck.deck.title),
            "cards": [self._card_values(position, entry) for position, entry in reading.positions_with_cards],
            "in_world": {name: escape_property(value) for name, value in self._in_world.items()},
            "seed": reading.seed,
            "version": __version__,
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
    return render_note("reading.md.j2", page.context(load_words(vault)), READING, vault)


def reading_line(page: ReadingPage, note: str, vault: Path | None) -> str:
    """Return the line that links the campaign note to the reading's note: exactly one line, with its block id."""
    link = page.link(note, page.reading.spread.title)
    return render_line(
        "reading-line.md.j2", {**page.context(load_words(vault)), "link": link}, block_id(page.reading.id), vault
    )


def text_lines(text: str) -> tuple[str, ...]:
    """Return the plain text of a card's Markdown: a line for each paragraph, heading, list item and table row."""
    return tuple(filter(None, (" ".join(line.split()) for line in _find_lines(parse(text)))))


def _find_lines(node: Node) -> Iterator[str]:
    """Yield the words of a node's blocks, one line for each; HTML and examples of games are left out."""
    if node.kind in _SKIPPED_KINDS or (node.kind == "CodeBlock" and node.text.strip().casefold() == LANGUAGE):
        return
    if node.kind == "Table":
        yield from _find_row_lines(*([cell.words() for cell in row.children] for row in node.children))
        return
    if node.kind in _LINE_KINDS:
        yield node.words()
        return
    inline_nodes = [child for child in node.children if not _is_block(child)]
    if inline_nodes:
        yield Node("Line", children=inline_nodes).words()
    for child in node.children:
        if _is_block(child):
            yield from _find_lines(child)


def _find_row_lines(titles: Sequence[str] = (), *rows: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a table; with more than two columns, each cell but the first follows the title of its column.

    For example: `Win – Played cards: lost; Reward: yes`.
    """
    if len(titles) <= _MAX_UNTITLED_COLUMNS:
        yield from (" – ".join(filter(None, cells)) for cells in (titles, *rows))
        return
    for first, *cells in rows:
        pairs = zip(titles[1:], cells, strict=False)
        yield " – ".join(filter(None, (first, "; ".join(f"{title}: {cell}" for title, cell in pairs if cell))))


def _is_block(node: Node) -> bool:
    return node.kind in _LINE_KINDS | _SKIPPED_KINDS | {"List", "Item", "Table", "BlockQuote", "Callout"}
