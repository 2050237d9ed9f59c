"""A printed card reading: the text of its note, with a picture of the cards laid out in the shape of the spread."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from vaultkit.campaign.property_names import READING
from vaultkit.compendium import Compendium, DeckNote
from vaultkit.compendium.spreads.spread import Spread, SpreadPosition, build_plain_shape
from vaultkit.compendium.spreads.spreads import Spreads
from vaultkit.errors import InvalidError, NothingFound
from vaultkit.sheets.cards.deck_cards import printable
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.recaps.session_recap import RecapBuilder, find_logged_note, recap_chapter
from vaultkit.sheets.rules.rule_sheet import count_pages, print_chapters, reading_plan
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.paragraphs import Place
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import split_wikilink
from vaultkit.vault.markdown import Node
from vaultkit.vault.note_facts import texts

_HINT = "Lay one and log it with: vaultkit reading SPREAD"
_COMPACT_HEIGHT_SHARE, _LARGE_HEIGHT_SHARE = 0.42, 0.8
"""The height of the spread's picture as a share of the page's: if all text fits on the same page, and if not."""


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
        replace(recap, builder=partial(ReadingBuilder, spread=spread, cards=cards, share=share))
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
        from vaultkit.sheets.cards.card_pictures import SpreadPicture

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
