"""All cards of a deck fitted to one size, titles on one level where words are nearly as long as each other's."""

from collections.abc import Sequence
from dataclasses import replace

from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.draw import CardPainter
from vaultkit.sheets.cards.face import Face, Fitter
from vaultkit.sheets.geometry.paper import Size
from vaultkit.sheets.pdf.document import Document

_NEAR = 26.0
"""Points by which the heights of pictures may differ to be made one: two lines of words."""


def fit_deck(
    document: Document, cards: Sequence[PrintableCard], size: Size, title: str, most: int | None = None
) -> tuple[list[Face], CardPainter]:
    """The faces of a deck of that title in their order, `most` of them, and what draws them, its pictures ready."""
    fitter = Fitter(document.glyphs, size, document.canvas, title).for_deck(cards)
    faces: list[Face] = []
    for card in cards:
        if most is None or len(faces) < most:
            faces += fitter.faces(card)
    faces, painter = level_titles(faces[:most]), CardPainter(document)
    painter.prepare(faces, size)
    return faces, painter


def level_titles(faces: Sequence[Face]) -> list[Face]:
    """The faces in their order; pictures almost as high as the highest are all as high as the lowest of these."""
    heights = [face.art[3] for face in faces if face.art is not None and _can_give(face)]
    nearly = [height for height in heights if height > max(heights) - _NEAR]
    return [_lowered(face, min(nearly)) if _can_give(face) else face for face in faces]


def _can_give(face: Face) -> bool:
    """Whether its picture stands over words that tell how high it is."""
    return face.frame.layout == "above" and face.art is not None and not face.whole and bool(face.placed or face.facts)


def _lowered(face: Face, most: float) -> Face:
    """The face with its picture no higher than that, what is below moved up, words in the middle."""
    if face.art is None or face.art[3] <= most:
        return face
    x, y, width, height = face.art
    gained = height - most
    placed = tuple(replace(item, top=item.top + gained / 2) for item in face.placed)
    art = (x, y + gained, width, most)
    return replace(face, art=art, title_top=face.title_top + gained, placed=placed, facts_y=face.facts_y + gained / 2)
