"""Printed recaps of logged games and of card readings.

A recap of a game has small pictures of the cards that mattered, that of a reading the cards laid out in the shape of
the spread.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path, PurePosixPath
from typing import ClassVar

from msgspec import structs

from vaultkit.campaign.dates import format_day
from vaultkit.campaign.logged_game import find_originals
from vaultkit.campaign.property_names import READING, SESSION
from vaultkit.campaign.unreadable_notes import refuse_unread
from vaultkit.compendium import CardEntry, Compendium, DeckNote
from vaultkit.compendium.spreads import Spread, SpreadPosition, Spreads, build_plain_shape
from vaultkit.errors import InvalidError, NothingFound, VaultkitError
from vaultkit.session.session_ids import find_id
from vaultkit.sheets.cards.card_pictures import SpreadPicture, picture_rows
from vaultkit.sheets.cards.deck_cards import printable
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.rules.chapter import Chapter, chapter_of
from vaultkit.sheets.rules.rule_sheet import count_pages, print_chapters, reading_plan
from vaultkit.sheets.text.block_builder import TextBuilder
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.setting import Place
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import split_destination, split_wikilink
from vaultkit.vault.markdown import Node
from vaultkit.vault.note_facts import texts
from vaultkit.vault.subpath import comparable_heading

_MAX_LISTED_NAMES = 8
_RECORD_CALLOUT, _RECORD_TITLE = "info", "The record"
_NO_NOTE_HINT = "See: vaultkit sessions. A game that has no note yet gets one with: vaultkit log --session ID"
_SEPARATORS = set(" ·,;|\u00a0–-")


_HINT = "Lay one and log it with: vaultkit reading SPREAD"
_COMPACT_HEIGHT_SHARE, _LARGE_HEIGHT_SHARE = 0.42, 0.8
"""The height of the spread's picture as a share of the page's: if all text fits on the same page, and if not."""


def find_logged_note(vault: Vault, key: str, query: str, hint: str) -> Note:
    """Return the note of a logged game or reading, whose property `key` holds its id.

    It is found by the id, the end of the id, or the note's name, whose beginning, such as the date, may be left out if
    the rest is unique. Raises NothingFound with `hint` if there is none, or if several ids have that ending.
    """
    paths_by_id = {str(facts.property(key)).strip(): facts.path for facts in find_originals(vault.note_facts, key)[0]}
    noun = key.removeprefix("vaultkit-")
    matching_id = find_id(paths_by_id, query, f"{noun}s")
    if matching_id:
        return vault.read(paths_by_id[matching_id])
    name = query.strip().casefold()
    stems = {path: PurePosixPath(path).stem.casefold() for path in paths_by_id.values()}
    dateless_paths = [path for path, stem in stems.items() if stem.endswith(f" {name}")]
    if len(dateless_paths) == 1 and name not in stems.values():
        return vault.read(dateless_paths[0])
    try:
        note = vault.find(query)
    except VaultkitError as error:
        refuse_unread(vault, key, query.strip())
        hint_with_names = f"{_list_last_names(paths_by_id.values())} {hint}".strip()
        raise NothingFound(f"There is no {noun} '{query}' with a note.", hint=hint_with_names) from error
    if not note.property(key):
        raise NothingFound(f"This is not the note of a {noun}.", where=note.path, hint=hint)
    return note


def _list_last_names(paths: Iterable[str]) -> str:
    """Return a hint that names the last notes in the order of their names; "" if there are none."""
    names = sorted(PurePosixPath(path).stem for path in paths)
    more = f" and {len(names) - _MAX_LISTED_NAMES} before these" if len(names) > _MAX_LISTED_NAMES else ""
    return f"There are: {'; '.join(names[-_MAX_LISTED_NAMES:])}{more}." if names else ""


def recap_chapter(note: Note, vault: Vault, job: PrintJob) -> Chapter:
    """Return the note as a chapter; if its title ends with its date, the date becomes the subtitle."""
    chapter, day = chapter_of(note, vault, job), _date_text(note)
    title = chapter.title
    if day and title.endswith(f", {day}"):
        title = title.removesuffix(f", {day}")
        return replace(chapter, title=title, title_node=None, subtitle=day, replaces_heading=True)
    return chapter


def _date_text(note: Note) -> str:
    try:
        return format_day(date.fromisoformat(str(note.property("date"))))
    except ValueError:
        return ""


class RecapBuilder(TextBuilder):
    """A builder for notes that vaultkit wrote; other notes that they name are not listed at the end.

    An `info` callout with a list, such as the record of how a game was played, becomes one paragraph. The first column
    of tables holds row headings.
    """

    row_heads: ClassVar[bool] = True

    def build(self, tree: Node) -> list[Block]:
        """Return the blocks of a note; the ones before the first heading span all columns."""
        self.setting.inline.listed = False
        blocks = super().build(tree)
        opening_count = self.count_opening_blocks(blocks)
        return [
            structs.replace(block, span=True) if number < opening_count else block
            for number, block in enumerate(blocks)
        ]

    @staticmethod
    def count_opening_blocks(blocks: Sequence[Block]) -> int:
        """Return the number of blocks before the first heading."""
        return next((number for number, block in enumerate(blocks) if block.title), 0)

    def visit_callout(self, node: Node, place: Place) -> None:
        title, *rest = node.children
        if node.text != _RECORD_CALLOUT or [child.kind for child in rest] != ["List"]:
            super().visit_callout(node, place)
            return
        words = [Node("Strong", children=title.children), Node("Text", ": ")]
        for number, item in enumerate(rest[0].children):
            words += [Node("Text", " · ")] if number else []
            for part in item.children:
                words += part.children if part.kind == "Paragraph" else [part]
        self.visit_rule(node, place)
        self._add_line(words, place)
        rule, record = self._blocks[-2:]
        self._blocks[-2:] = [structs.replace(rule, keep=True, span=True), structs.replace(record, span=True)]


def print_session(
    session: str, vault: Vault, compendium: Compendium, make_job: Callable[[str], PrintJob]
) -> PrintedFile:
    """Print the recap of a game, found by its id, the end of its id, or the name of its note.

    `make_job` returns the print job for a file name. Raises NothingFound if the game has no note.
    """
    note = find_logged_note(vault, SESSION, session, _NO_NOTE_HINT)
    find_card, job = _make_card_finder(vault, compendium, note.path), make_job(str(note.property(SESSION)))

    def card(target: str, words: str) -> PrintableCard | None:
        entry = find_card(target, words)
        return printable(entry, vault) if entry else None

    chapter = replace(recap_chapter(note, vault, job), make_builder=partial(StoryBuilder, card=card))
    return print_chapters([chapter], reading_plan(job), job)


def _make_card_finder(vault: Vault, compendium: Compendium, source: str) -> Callable[[str, str], CardEntry | None]:
    """Return a function that finds the card of a link in the note at the path `source`, or returns None.

    Its arguments are the target and the words of the link. The words distinguish cards of one table, which share a
    target.
    """
    entries_by_link: defaultdict[tuple[str, str], list[CardEntry]] = defaultdict(list)
    for entry in (entry for deck in compendium.decks for entry in deck.entries):
        entries_by_link[_link_key(*split_destination(entry.link))].append(entry)

    def card(target: str, words: str) -> CardEntry | None:
        path, heading = split_destination(target)
        note_path = vault.files.resolve(path, source).path if path else None
        entries = entries_by_link.get(_link_key(note_path, heading), []) if note_path else []
        matches = [entry for entry in entries if entry.card.name == words]
        return next(iter(matches), entries[0] if len(entries) == 1 else None)

    return card


def _link_key(path: str, heading: str) -> tuple[str, str]:
    return path, comparable_heading(heading)


@dataclass
class StoryBuilder(RecapBuilder):
    """A builder for stories of games, with pictures of linked cards.

    Pictures are printed for links that fill a paragraph or begin every item of a list. The record of seed and journal
    is left out, because it is only useful in the vault. `card` returns the card for the target and the words of a link.
    """

    card: Callable[[str, str], PrintableCard | None] = lambda _target, _words: None

    def visit_callout(self, node: Node, place: Place) -> None:
        if node.text != _RECORD_CALLOUT or node.children[0].words().strip() != _RECORD_TITLE:
            super().visit_callout(node, place)

    def visit_paragraph(self, node: Node, place: Place) -> None:
        cards = self._linked_cards(node)
        if cards:
            self._add_card_pictures(cards, place)
        else:
            super().visit_paragraph(node, place)

    def visit_list(self, node: Node, place: Place) -> None:
        leading_cards = [card for item in node.children if (card := self._leading_card(item))]
        if leading_cards and len(leading_cards) == len(node.children):
            self._add_card_pictures(leading_cards, place)
        super().visit_list(node, place)

    def _leading_card(self, item: Node) -> PrintableCard | None:
        """Return the card of the link that begins a list item, or None."""
        first = next(iter(item.children), None)
        if first and first.kind == "Paragraph":
            first = next(iter(first.children), None)
        return self.card(first.text, first.words()) if first and first.kind == "Link" else None

    def _add_card_pictures(self, cards: Sequence[PrintableCard], place: Place) -> None:
        titles = [card.title for card in cards]
        rows = [*picture_rows(cards, titles, self.setting.full_width, self.glyphs, place.tag)]
        for number, row in enumerate(rows, 1):
            self._add_block(row, place, span=True, whole=True, keep=number < len(rows))

    def _linked_cards(self, node: Node) -> list[PrintableCard]:
        """Return the cards of a paragraph that consists only of links to cards; [] for any other paragraph."""
        cards = []
        for child in node.children:
            card = self.card(child.text, child.words()) if child.kind == "Link" else None
            if card is None and not set(child.words()) <= _SEPARATORS:
                return []
            cards += [card] if card else []
        return cards


def print_reading(
    reading: str, vault: Vault, compendium: Compendium, make_job: Callable[[str], PrintJob]
) -> PrintedFile:
    """Print a logged card reading, found by its id, the end of its id, or its note.

    `make_job` makes the print job from a name for the file, here the reading's id. Raises NothingFound if the reading
    has no note, or if its deck is missing, InvalidError if it names no cards or a card that the deck does not have.
    """
    note = find_logged_note(vault, READING, reading, _HINT)
    cards = _find_cards(note, compendium.deck(_linked_name(note, "deck")), vault)
    spread, job = _find_spread(note, vault, len(cards)), make_job(str(note.property(READING)))
    recap, page_layout = recap_chapter(note, vault, job), reading_plan(job)
    compact, large = (
        replace(recap, make_builder=partial(ReadingBuilder, spread=spread, cards=cards, share=share))
        for share in (_COMPACT_HEIGHT_SHARE, _LARGE_HEIGHT_SHARE)
    )
    fits = count_pages(compact, page_layout, job.theme) == 1
    return print_chapters([compact if fits else large], page_layout, job)


def _linked_name(note: Note, key: str) -> str:
    """Return the name of the note that a property holds, as a link or as text."""
    words = " ".join(texts(note.property(key))).strip()
    if not words.startswith("[["):
        return words
    return Path(split_wikilink(words.removeprefix("[[").removesuffix("]]"))[1]).name.removesuffix(".md")


def _find_cards(note: Note, deck: DeckNote, vault: Vault) -> list[PrintableCard]:
    """Return the cards that the note's property `cards` names. Raises InvalidError for an unknown one, or for none."""
    entries_by_title = {entry.card.title: entry for entry in deck.entries}
    titles = texts(note.property("cards"))
    missing = [name for name in titles if name not in entries_by_title]
    if missing or not titles:
        problem = f"The deck has no card '{missing[0]}'." if missing else "This reading names no cards."
        raise InvalidError(problem, where=note.path, hint="Its property 'cards' has the cards' titles, one a line.")
    return [printable(entries_by_title[name], vault) for name in titles]


def _find_spread(note: Note, vault: Vault, count: int) -> Spread:
    """Return the spread that the note names, if it exists and has `count` positions.

    Otherwise return a spread with the note's title and `count` positions without names.
    """
    fallback_spread = Spread("draw", note.title, (SpreadPosition(""),) * count)
    name = _linked_name(note, "spread")
    if not name:
        return fallback_spread
    try:
        spread = Spreads(vault).find(name)
    except (NothingFound, InvalidError):
        return fallback_spread
    return spread if len(spread.positions) == count else fallback_spread


@dataclass
class ReadingBuilder(RecapBuilder):
    """A builder for card readings, which puts a picture of the spread before the first position.

    Pictures of the cards in the note's text are left out, since the spread shows them. `share` is the height of the
    picture as a share of the page's height.
    """

    spread: Spread = field(default_factory=lambda: Spread("", "", ()))
    cards: Sequence[PrintableCard] = ()
    share: float = _COMPACT_HEIGHT_SHARE

    def build(self, tree: Node) -> list[Block]:
        """Return all blocks, with the picture after the text before the first heading."""
        blocks = super().build(tree)
        opening_count = self.count_opening_blocks(blocks)
        return [*blocks[:opening_count], self._spread_picture(blocks[opening_count:]), *blocks[opening_count:]]

    def _spread_picture(self, following: Sequence[Block]) -> Block:
        """Return the picture of the spread; its PDF tag goes before that of a heading right below it, or else first."""
        names, tag = [position.name for position in self.spread.positions], Tag("Figure")
        shape, picture_height = self.spread.shape or build_plain_shape(len(names)), self.setting.height * self.share
        width = self.setting.full_width
        picture = SpreadPicture(self.cards, names, shape, self.glyphs, tag, width=width, height=picture_height)
        tag.alt = f"{self.spread.title} as it lies. {picture.words}."
        tags = self.structure.children
        head = following[0].flowable.tag if following and following[0].title else None
        tags.insert(tags.index(head) if head in tags else 0, tag)
        return Block(picture, span=True, whole=True, structure=self.structure)

    def visit_callout(self, node: Node, place: Place) -> None:
        """Add a `quote` callout, the name and text of a card, without a box, as the main content of the sheet."""
        if node.text != "quote":
            super().visit_callout(node, place)
            return
        name = Node("Paragraph", children=[Node("Strong", children=node.children[0].children)])
        self._visit_all([name, *node.children[1:]], place)

    def visit_image(self, node: Node, place: Place) -> None:
        """Add a picture, unless it is that of a card in the spread."""
        image = self.setting.source.image(node.text)
        if image is None or image not in {card.image for card in self.cards}:
            super().visit_image(node, place)
