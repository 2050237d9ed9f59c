"""The recap of one finished game, as its note tells it, with small pictures of the cards that mattered."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from vaultkit.campaign.keys import SESSION
from vaultkit.compendium import CardEntry, Compendium
from vaultkit.look import theme as look
from vaultkit.look.theme import Theme
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.decks import printable
from vaultkit.sheets.pdf.document import PrintedFile
from vaultkit.sheets.recaps.recap import RecapBuilder, find_logged, recap_chapter
from vaultkit.sheets.rules.rule_sheet import print_chapters, reading_plan
from vaultkit.sheets.text.paragraphs import Place
from vaultkit.vault import Vault
from vaultkit.vault.links import split_destination
from vaultkit.vault.markdown import Node
from vaultkit.vault.subpath import comparable

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
    note = find_logged(vault, SESSION, session, _HINT)
    known = KnownCards(vault, compendium)

    def card(target: str, words: str) -> PrintableCard | None:
        entry = known.linked(target, words, note.path)
        return printable(entry, vault) if entry else None

    chapter = recap_chapter(note, vault, vault_name, qr=qr)
    chapter = replace(chapter, builder=partial(StoryBuilder, card=card))
    place = out(str(note.property(SESSION)))
    return print_chapters([chapter], reading_plan(paper, theme), out=place, theme=theme)


class KnownCards:
    """The cards of a vault's decks by the places that links to them lead to."""

    def __init__(self, vault: Vault, compendium: Compendium) -> None:
        self._vault = vault
        self._by_place: defaultdict[tuple[str, str], list[CardEntry]] = defaultdict(list)
        for entry in (entry for deck in compendium.decks for entry in deck.entries):
            self._by_place[_place(*split_destination(entry.link))].append(entry)

    def linked(self, target: str, words: str, source: str) -> CardEntry | None:
        """The card that a link in the note `source` leads to; None where it leads elsewhere.

        Cards of a table have no places of their own: there `words`, those of the link, say which one it is.
        """
        path, heading = split_destination(target)
        found = self._vault.files.resolve(path, source).path if path else None
        entries = self._by_place.get(_place(found, heading), []) if found else []
        named = [entry for entry in entries if entry.card.name == words]
        return next(iter(named), entries[0] if len(entries) == 1 else None)


def _place(path: str, heading: str) -> tuple[str, str]:
    return path, comparable(heading)


@dataclass
class StoryBuilder(RecapBuilder):
    """Makes the blocks of a story: a paragraph of nothing but cards is a row of their pictures."""

    card: Callable[[str, str], PrintableCard | None] = lambda _target, _words: None

    def visit_paragraph(self, node: Node, place: Place) -> None:
        cards = self._cards(node)
        if not cards:
            super().visit_paragraph(node, place)
            return
        from vaultkit.sheets.recaps.card_pictures import CardRow, Thumbnail

        width = self.setting.full_width
        rows = -(-len(cards) // max(1, int(width / max(_NARROWEST, self._widest(cards)))))
        each = -(-len(cards) // rows)
        cell = min(max(_CARD + _WHITE, self._widest(cards)), width / each)
        held = place.tag.add("L")
        for start in range(0, len(cards), each):
            row = [Thumbnail(card, min(_CARD, cell - _WHITE), self.glyphs) for card in cards[start : start + each]]
            last = start + each >= len(cards)
            self._add(CardRow(row, cell, self.glyphs, held), place, span=True, whole=True, keep=not last)

    def _widest(self, cards: Sequence[PrintableCard]) -> float:
        """How wide a cell must be so that no word of a name is broken."""
        words = (word for card in cards for word in card.title.split())
        return max(self.glyphs.width(word, look.TEXT, self.glyphs.theme.floor) for word in words) + _GAP

    def _cards(self, node: Node) -> list[PrintableCard]:
        """The cards of a paragraph that holds links to cards and nothing else."""
        found = []
        for child in node.children:
            card = self.card(child.text, child.words()) if child.kind == "Link" else None
            if card is None and not set(child.words()) <= _BETWEEN:
                return []
            found += [card] if card else []
        return found
