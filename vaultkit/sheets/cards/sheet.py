"""Decks to cut: cards butted nine to a sheet, crop marks to the paper's edge, a ruler to check the scale by."""

from collections.abc import Sequence
from pathlib import Path

from vaultkit.errors import NothingFound
from vaultkit.sheets import theme as look
from vaultkit.sheets.cards.draw import CardPainter
from vaultkit.sheets.cards.face import Face, Fitter, PrintableCard
from vaultkit.sheets.geometry.imposition import Line, SheetPlan, grid
from vaultkit.sheets.geometry.paper import load_stock, points
from vaultkit.sheets.glyphs import Glyphs
from vaultkit.sheets.pdf.document import Document, PrintedFile
from vaultkit.sheets.theme import CLASSIC, Theme

__all__ = ["PrintableCard", "card_sheet"]


def card_sheet(
    cards: Sequence[PrintableCard],
    *,
    deck_title: str,
    paper: str,
    out: Path,
    cache: Path,
    first_page_only: bool = False,
    card_size: str = "poker",
    theme: Theme = CLASSIC,
) -> PrintedFile:
    """Prints `cards` in their order. `cache` keeps transcoded pictures; the result's `sheets` are the cards.

    A text that does not fit at 7 points continues on a card of its own, marked "(continued)".
    """
    if not cards:
        raise NothingFound(f"The deck '{deck_title}' has no cards to print.")
    stock = load_stock(theme.vault)
    plan = grid(stock.paper(paper), stock.card(card_size))
    glyphs = Glyphs(theme)
    document = Document(deck_title, f"Cards of {deck_title}", plan.paper, glyphs, tagged=False)
    fitter = Fitter(glyphs, plan.card, cache, document.canvas).for_deck(cards)
    faces = _faces(cards, fitter, plan.per_sheet if first_page_only else None)
    pages = [faces[start : start + plan.per_sheet] for start in range(0, len(faces), plan.per_sheet)]
    painter = CardPainter(document, cache, deck_title)
    for number, page in enumerate(pages, 1):
        _sheet(document, plan, deck_title, f"{number} / {len(pages)}")
        for place, face in enumerate(page):
            slot = plan.slots[place]
            key = f"card-{number}-{place}"
            name = face.card.title if face.part == 1 else f"{face.card.title} (continued)"
            document.bookmark(name, key, 0, slot.corners[3])
            painter.draw(face, slot)
        document.end_page()
    return document.save(out, tuple(face.card.title for face in faces if face.part == 1))


def _faces(cards: Sequence[PrintableCard], fitter: Fitter, most: int | None) -> list[Face]:
    faces: list[Face] = []
    for card in cards:
        faces += fitter.faces(card)
        if most is not None and len(faces) >= most:
            return faces[:most]
    return faces


def _sheet(document: Document, plan: SheetPlan, title: str, page: str) -> None:
    """Boxes, crop marks, the ruler and the sheet's own line of text, all outside the cards."""
    document.boxes(plan.trim, plan.bleed)
    canvas = document.canvas
    canvas.setStrokeColor(document.colour(look.INK))
    canvas.setLineWidth(0.3)
    for mark in plan.marks:
        _stroke(document, mark)
    _ruler(document, plan.ruler)
    _upright(document, plan, f"{title} · {page}")


def _stroke(document: Document, line: Line) -> None:
    document.canvas.line(points(line.x1), points(line.y1), points(line.x2), points(line.y2))


def _ruler(document: Document, ruler: Line) -> None:
    canvas = document.canvas
    canvas.setLineWidth(0.5)
    _stroke(document, ruler)
    for step in range(11):
        y = ruler.y1 + (ruler.y2 - ruler.y1) * step // 10
        _stroke(document, Line(ruler.x1, y, ruler.x1 + (1200 if step % 5 else 2000), y))


def _upright(document: Document, plan: SheetPlan, words: str) -> None:
    """Lines of text that run up the margins: how to print on the left, which sheet this is on the right."""
    canvas, size, ruler = document.canvas, 6.5, plan.ruler
    left = ruler.x1
    row = plan.card.height
    for text, x, y in (
        ("Print at 100 %: the ruler is 50 mm", left, ruler.y1 - row),
        (words, plan.bleed.right + 2800, ruler.y1),
    ):
        canvas.saveState()
        canvas.translate(points(x) + size * 0.7, points(y))
        canvas.rotate(90)
        fitting = document.shorten(text, look.BOX, size, points(row) - 30)
        document.write(fitting, 0, 0, look.BOX, size, colour=look.MUTED)
        canvas.restoreState()
