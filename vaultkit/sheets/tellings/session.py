"""The recap of one finished game, as its note tells it, with small pictures of the cards that mattered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from vaultkit.campaign.keys import SESSION
from vaultkit.compendium import Compendium
from vaultkit.look import theme as look
from vaultkit.look.theme import Theme
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.decks import printable
from vaultkit.sheets.pdf.document import PrintedFile
from vaultkit.sheets.rule_sheet import rule_sheets
from vaultkit.sheets.sources import image_cache
from vaultkit.sheets.tellings.logged import KnownCards, chapter_of_telling, find_telling
from vaultkit.sheets.tellings.thumbnails import Thumbnail
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.builder import TextBuilder
from vaultkit.vault import Vault
from vaultkit.vault.markdown import Node

_RECORD = "info"


class TellingBuilder(TextBuilder):
    """Makes the blocks of a note that vaultkit wrote. Other notes are linked, but not listed at the end.

    A callout that is a list, such as the record of how a game was played, becomes one small paragraph. Its tables
    have a row for each player.
    """

    row_heads: ClassVar[bool] = True

    def build(self, tree: Node) -> list[Block]:
        """All blocks; what stands before the first heading goes over all columns."""
        self.setting.inline.listed = False
        blocks = super().build(tree)
        first = self.opening(blocks)
        return [replace(block, span=True) if number < first else block for number, block in enumerate(blocks)]

    @staticmethod
    def opening(blocks: Sequence[Block]) -> int:
        """How many blocks stand before the first heading."""
        return next((number for number, block in enumerate(blocks) if block.title), 0)

    def _callout(self, node: Node, place: Any) -> None:
        title, *rest = node.children
        if node.text != _RECORD or [child.kind for child in rest] != ["List"]:
            super()._callout(node, place)
            return
        words = [Node("Strong", children=title.children), Node("Text", ": ")]
        for number, item in enumerate(rest[0].children):
            words += [Node("Text", " · ")] if number else []
            words += [
                child for part in item.children for child in (part.children if part.kind == "Paragraph" else [part])
            ]
        self._rule(node, place)
        self._line(words, place)
        self._blocks[-2:] = [replace(self._blocks[-2], keep=True, span=True), replace(self._blocks[-1], span=True)]


_HINT = "See: vaultkit sessions. A game that has no note yet gets one with: vaultkit log --session ID"
_CARD, _WHITE, _GAP, _NARROWEST = 60.0, 10.0, 5.0, 54.0
"""How wide a picture of a card is at most, the white beside it, the least white between names,
and the least width of a place, in points."""
_BETWEEN = set(" ·,;|\u00a0–-")


def print_session(
    session: str,
    vault: Vault,
    compendium: Compendium,
    *,
    paper: str,
    out: Callable[[str], Path],
    theme: Theme,
    vault_name: str = "",
    qr: bool = False,
) -> PrintedFile:
    """The recap of a game, by its id, the end of its id, or its note; `out` is given a name for the file.

    Raises NothingFound for a game that has no note.
    """
    note = find_telling(vault, SESSION, session, _HINT)
    known = KnownCards(vault, compendium)

    def card(target: str, shown: str) -> PrintableCard | None:
        entry = known.linked(target, shown, note.path)
        return printable(entry, vault) if entry else None

    chapter = chapter_of_telling(note, vault, vault_name, qr=qr)
    chapter = replace(chapter, builder=partial(StoryBuilder, card=card))
    place = out(str(note.property(SESSION)))
    return rule_sheets([chapter], paper=paper, out=place, cache=image_cache(), theme=theme)


def no_card(_target: str, _shown: str) -> PrintableCard | None:
    """Knows no card."""
    return None


@dataclass
class StoryBuilder(TellingBuilder):
    """Makes the blocks of a story: a paragraph of nothing but cards is a row of their pictures."""

    card: Callable[[str, str], PrintableCard | None] = no_card

    def _paragraph(self, node: Node, place: Any) -> None:
        cards = self._cards(node)
        if not cards:
            super()._paragraph(node, place)
            return
        from vaultkit.sheets.tellings.laid_out import CardRow

        glyphs, cache, width = self.setting.inline.glyphs, self.setting.cache, self.setting.full_width
        rows = -(-len(cards) // max(1, int(width / max(_NARROWEST, self._widest(cards)))))
        each = -(-len(cards) // rows)
        cell = min(max(_CARD + _WHITE, self._widest(cards)), width / each)
        held = place.tag.add("L")
        for start in range(0, len(cards), each):
            row = [Thumbnail(card, min(_CARD, cell - _WHITE), glyphs, cache) for card in cards[start : start + each]]
            last = start + each >= len(cards)
            self._add(CardRow(row, cell, glyphs, held), place, span=True, whole=True, keep=not last)

    def _widest(self, cards: Sequence[PrintableCard]) -> float:
        """How wide a cell must be so that no word of a name is broken."""
        glyphs = self.setting.inline.glyphs
        words = (word for card in cards for word in card.title.split())
        return max(glyphs.width(word, look.TEXT, glyphs.theme.floor) for word in words) + _GAP

    def _cards(self, node: Node) -> list[PrintableCard]:
        """The cards of a paragraph that holds links to cards and nothing else."""
        found = []
        for child in node.children:
            card = self.card(child.text, child.words()) if child.kind == "Link" else None
            if card is None and not set(child.words()) <= _BETWEEN:
                return []
            found += [card] if card else []
        return found
