"""A deck for reading: one card a page, tagged, so that it can be listened to, searched and read on a screen."""

from collections.abc import Sequence
from pathlib import Path

from vaultkit.errors import NothingFound
from vaultkit.look.glyphs import Glyphs
from vaultkit.look.theme import CLASSIC, Theme
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.draw import CardPainter
from vaultkit.sheets.cards.evening import evened
from vaultkit.sheets.cards.face import Fitter
from vaultkit.sheets.geometry.paper import load_stock
from vaultkit.sheets.pdf.document import Document, PrintedFile


def card_pages(
    cards: Sequence[PrintableCard],
    *,
    deck_title: str,
    out: Path,
    cache: Path,
    card_size: str = "poker",
    theme: Theme = CLASSIC,
) -> PrintedFile:
    """Every card in its order and with all its words, on a page of a card's size. Raises NothingFound without cards."""
    if not cards:
        raise NothingFound(f"The deck '{deck_title}' has no cards to print.")
    size = load_stock(theme.vault).card(card_size)
    glyphs = Glyphs(theme)
    document = Document(deck_title, f"The cards of {deck_title}, one a page", size, glyphs)
    fitter = Fitter(glyphs, size, cache, document.canvas, deck_title).for_deck(cards)
    painter = CardPainter(document, cache)
    faces = evened([face for card in cards for face in fitter.faces(card)])
    painter.prepare(faces, size)
    for number, face in enumerate(faces, 1):
        if face.part == 1:
            document.bookmark(face.card.title, f"card-{number}", 0)
        painter.draw(face, size.box)
        document.end_page()
    return document.save(out, tuple(card.title for card in cards))
