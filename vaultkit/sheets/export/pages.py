"""A deck with one card a page, bleed and all: what the files for a print service are made from."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from vaultkit.look.glyphs import Glyphs
from vaultkit.look.theme import Theme
from vaultkit.sheets.cards.back import Back, BackPainter
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.draw import CardPainter
from vaultkit.sheets.cards.evening import evened
from vaultkit.sheets.cards.face import Face, Fitter
from vaultkit.sheets.export.vendor import Vendor
from vaultkit.sheets.pdf.document import Document


@dataclass(frozen=True)
class CardPages:
    """A PDF with one card a page. `fronts` are pairs of a page, from 0, and the title of the card on it."""

    pdf: bytes
    fronts: tuple[tuple[int, str], ...]
    backs: tuple[int, ...]
    missing: tuple[str, ...]


def card_pages(
    cards: Sequence[PrintableCard], back: Back, vendor: Vendor, *, title: str, cache: Path, theme: Theme
) -> CardPages:
    """Draws every card on a page of its own.

    For a service that takes one PDF a back stands before each front, for others one back stands after all fronts.
    """
    glyphs = Glyphs(theme)
    document = Document(title, f"Cards of {title} for {vendor.title}", vendor.page, glyphs, tagged=False)
    fitter = Fitter(glyphs, vendor.card, cache, document.canvas, title).for_deck(cards)
    faces = evened([face for card in cards for face in fitter.faces(card)])
    page = _Page(document, vendor, BackPainter(document, back, vendor.card, cache, bleed=vendor.trim.x))
    painter = CardPainter(document, cache)
    painter.prepare(faces, vendor.card)
    fronts, backs = [], []
    for face in faces:
        if vendor.files == "pdf":
            backs.append(page.back())
        fronts.append((page.front(painter, face), face.card.title))
    if vendor.files != "pdf":
        backs.append(page.back())
    return CardPages(document.finished(), tuple(fronts), tuple(backs), tuple(sorted(glyphs.missing)))


@dataclass(frozen=True)
class _Page:
    document: Document
    vendor: Vendor
    backs: BackPainter

    def front(self, painter: CardPainter, face: Face) -> int:
        painter.draw(face, self.vendor.trim, self.vendor.page.box)
        return self._end()

    def back(self) -> int:
        self.backs.draw(self.vendor.trim, self.vendor.page.box)
        return self._end()

    def _end(self) -> int:
        self.document.boxes(self.vendor.trim, self.vendor.page.box)
        self.document.end_page()
        return self.document.pages - 1
