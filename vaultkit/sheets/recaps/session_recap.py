"""Printed recaps of logged games, with small pictures of the cards that mattered, and parts for those of readings."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import PurePosixPath
from typing import ClassVar

from msgspec import structs

from vaultkit.campaign.dates import format_day
from vaultkit.campaign.logged_game import originals
from vaultkit.campaign.property_names import SESSION
from vaultkit.campaign.unreadable_notes import refuse_unread
from vaultkit.compendium import CardEntry, Compendium
from vaultkit.errors import NothingFound, VaultkitError
from vaultkit.session.session_ids import find_id
from vaultkit.sheets.cards.deck_cards import printable
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.rules.chapter import Chapter, chapter_of
from vaultkit.sheets.rules.rule_sheet import print_chapters, reading_plan
from vaultkit.sheets.text.block_builder import TextBuilder
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.paragraphs import Place
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import split_destination
from vaultkit.vault.markdown import Node
from vaultkit.vault.subpath import comparable

_MAX_LISTED_NAMES = 8
_RECORD, _TITLE_OF_RECORD = "info", "The record"
_HINT = "See: vaultkit sessions. A game that has no note yet gets one with: vaultkit log --session ID"
_BETWEEN = set(" ·,;|\u00a0–-")


def find_logged(vault: Vault, key: str, query: str, hint: str) -> Note:
    """Return the note of a logged game or reading, whose property `key` holds its id.

    It is found by the id, the end of the id, or the note's name. Raises NothingFound with `hint` if there is none,
    or if several ids have that ending.
    """
    logged = {str(facts.property(key)).strip(): facts.path for facts in originals(vault.note_facts, key)[0]}
    kind = key.removeprefix("vaultkit-")
    matching_id = find_id(logged, query, f"{kind}s")
    if matching_id:
        return vault.read(logged[matching_id])
    try:
        note = vault.find(query)
    except VaultkitError as error:
        refuse_unread(vault, key, query.strip())
        more = f"{_last_names(logged.values())} {hint}".strip()
        raise NothingFound(f"There is no {kind} '{query}' with a note.", hint=more) from error
    if not note.property(key):
        raise NothingFound(f"This is not the note of a {kind}.", where=note.path, hint=hint)
    return note


def _last_names(paths: Iterable[str]) -> str:
    """Return a hint that names the last notes in the order of their names; "" if there are none."""
    names = sorted(PurePosixPath(path).stem for path in paths)
    more = f" and {len(names) - _MAX_LISTED_NAMES} before these" if len(names) > _MAX_LISTED_NAMES else ""
    return f"There are: {'; '.join(names[-_MAX_LISTED_NAMES:])}{more}." if names else ""


def recap_chapter(note: Note, vault: Vault, job: PrintJob) -> Chapter:
    """Return the note as a chapter; if its title ends with its date, the date becomes the subtitle."""
    chapter, day = chapter_of(note, vault, job), _day(note)
    title = chapter.title
    if day and title.endswith(f", {day}"):
        title = title.removesuffix(f", {day}")
        return replace(chapter, title=title, marked=None, subtitle=day, headed=True)
    return chapter


def _day(note: Note) -> str:
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
        """Return the blocks of a note; those before the first heading span all columns."""
        self.setting.inline.listed = False
        blocks = super().build(tree)
        first = self.opening(blocks)
        return [block.copy_with_span() if number < first else block for number, block in enumerate(blocks)]

    @staticmethod
    def opening(blocks: Sequence[Block]) -> int:
        """Return the number of blocks before the first heading."""
        return next((number for number, block in enumerate(blocks) if block.title), 0)

    def visit_callout(self, node: Node, place: Place) -> None:
        title, *rest = node.children
        if node.text != _RECORD or [child.kind for child in rest] != ["List"]:
            super().visit_callout(node, place)
            return
        words = [Node("Strong", children=title.children), Node("Text", ": ")]
        for number, item in enumerate(rest[0].children):
            words += [Node("Text", " · ")] if number else []
            for part in item.children:
                words += part.children if part.kind == "Paragraph" else [part]
        self.visit_rule(node, place)
        self._line(words, place)
        self._blocks[-2:] = [structs.replace(self._blocks[-2], keep=True, span=True), self._blocks[-1].copy_with_span()]


def print_session(session: str, vault: Vault, compendium: Compendium, job_of: Callable[[str], PrintJob]) -> PrintedFile:
    """Print the recap of a game, found by its id, the end of its id, or the name of its note.

    `make_job` returns the print job for a file name. Raises NothingFound if the game has no note.
    """
    note = find_logged(vault, SESSION, session, _HINT)
    find, job = _card_finder(vault, compendium, note.path), job_of(str(note.property(SESSION)))

    def card(target: str, words: str) -> PrintableCard | None:
        entry = find(target, words)
        return printable(entry, vault) if entry else None

    chapter = replace(recap_chapter(note, vault, job), builder=partial(StoryBuilder, card=card))
    return print_chapters([chapter], reading_plan(job), job)


def _card_finder(vault: Vault, compendium: Compendium, source: str) -> Callable[[str, str], CardEntry | None]:
    """Return a function that finds the card of a link in the note at the path `source`, or returns None.

    Its arguments are the target and the words of the link. The words distinguish cards of one table, which share a
    target.
    """
    by_place: defaultdict[tuple[str, str], list[CardEntry]] = defaultdict(list)
    for entry in (entry for deck in compendium.decks for entry in deck.entries):
        by_place[_place(*split_destination(entry.link))].append(entry)

    def card(target: str, words: str) -> CardEntry | None:
        path, heading = split_destination(target)
        note_path = vault.files.resolve(path, source).path if path else None
        entries = by_place.get(_place(note_path, heading), []) if note_path else []
        matches = [entry for entry in entries if entry.card.name == words]
        return next(iter(matches), entries[0] if len(entries) == 1 else None)

    return card


def _place(path: str, heading: str) -> tuple[str, str]:
    return path, comparable(heading)


@dataclass
class StoryBuilder(RecapBuilder):
    """A builder for stories of games, with pictures of linked cards.

    Pictures are printed for links that fill a paragraph or begin every item of a list. The record of seed and journal
    is left out, because it is only useful in the vault. `card` returns the card for the target and the words of a link.
    """

    card: Callable[[str, str], PrintableCard | None] = lambda _target, _words: None

    def visit_callout(self, node: Node, place: Place) -> None:
        if node.text != _RECORD or node.children[0].words().strip() != _TITLE_OF_RECORD:
            super().visit_callout(node, place)

    def visit_paragraph(self, node: Node, place: Place) -> None:
        cards = self._cards(node)
        if cards:
            self._pictures(cards, place)
        else:
            super().visit_paragraph(node, place)

    def visit_list(self, node: Node, place: Place) -> None:
        heads = [card for item in node.children if (card := self._head(item))]
        if heads and len(heads) == len(node.children):
            self._pictures(heads, place)
        super().visit_list(node, place)

    def _head(self, item: Node) -> PrintableCard | None:
        """Return the card of the link that begins a list item, or None."""
        first = next(iter(item.children), None)
        if first and first.kind == "Paragraph":
            first = next(iter(first.children), None)
        return self.card(first.text, first.words()) if first and first.kind == "Link" else None

    def _pictures(self, cards: Sequence[PrintableCard], place: Place) -> None:
        from vaultkit.sheets.cards.card_pictures import picture_rows

        titles = [card.title for card in cards]
        rows = [*picture_rows(cards, titles, self.setting.full_width, self.glyphs, place.tag)]
        for number, row in enumerate(rows, 1):
            self._add(row, place, span=True, whole=True, keep=number < len(rows))

    def _cards(self, node: Node) -> list[PrintableCard]:
        """Return the cards of a paragraph that consists only of links to cards; [] for any other paragraph."""
        cards = []
        for child in node.children:
            card = self.card(child.text, child.words()) if child.kind == "Link" else None
            if card is None and not set(child.words()) <= _BETWEEN:
                return []
            cards += [card] if card else []
        return cards
