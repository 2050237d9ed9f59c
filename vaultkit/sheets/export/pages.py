"""A deck with one card a page, bleed and all: what the files for a print service are made from."""

from collections.abc import Sequence
from dataclasses import dataclass

from vaultkit.look.glyphs import Glyphs
from vaultkit.look.theme import Theme
from vaultkit.sheets.cards.back import Back, BackPainter
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.fitting import fit_deck
from vaultkit.sheets.export.vendor import Vendor
from vaultkit.sheets.pdf.document import Document


@dataclass(frozen=True)
class ServicePages:
    """A PDF with one card a page. `fronts` are pairs of a page, from 0, and the title of the card on it."""

    pdf: bytes
    fronts: tuple[tuple[int, str], ...]
    backs: tuple[int, ...]
    missing: tuple[str, ...]


def service_pages(
    cards: Sequence[PrintableCard], back: Back, vendor: Vendor, *, title: str, theme: Theme
) -> ServicePages:
    """Draws every card on a page of its own.

    For a service that takes one PDF a back stands before each front, for others one back stands after all fronts.
    """
    document = Document(title, f"Cards of {title} for {vendor.title}", vendor.page, Glyphs(theme), tagged=False)
    faces, painter = fit_deck(document, cards, vendor.card, title)
    backs_of = BackPainter(document, back, vendor.card, bleed=vendor.trim.x)
    trim, bleed = vendor.trim, vendor.page.box

    def end_page() -> int:
        document.boxes(trim, bleed)
        document.end_page()
        return document.pages - 1

    def draw_back() -> int:
        backs_of.draw(trim, bleed)
        return end_page()

    fronts, backs = [], []
    for face in faces:
        backs += [draw_back()] if vendor.files == "pdf" else []
        painter.draw(face, trim, bleed)
        fronts.append((end_page(), face.card.title))
    backs = backs or [draw_back()]
    return ServicePages(document.finished(), tuple(fronts), tuple(backs), tuple(sorted(document.glyphs.missing)))
