"""Small pictures of cards, as they lie in a reading or are named in a story."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vaultkit.look import images
from vaultkit.look import theme as look
from vaultkit.look.glyphs import Glyphs
from vaultkit.look.icons import draw_sign
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.flowables import Flowable
from vaultkit.sheets.text.words import Words

SHAPE = 88 / 63
"""Height over width of a card."""
_ROUND = 0.06
_DPI = 300


@dataclass(frozen=True)
class Thumbnail:
    """A card as small as `width` points: its art, or its sign where the vault has no picture of it."""

    card: PrintableCard
    width: float
    glyphs: Glyphs
    cache: Path

    @property
    def height(self) -> float:
        return self.width * SHAPE

    def draw(self, canvas: Any, x: float, y: float) -> None:
        """Draws it with its lower left corner at x, y points; what it is content of, the caller says."""
        theme = self.glyphs.theme
        corner = self.width * _ROUND
        canvas.saveState()
        outline = canvas.beginPath()
        outline.roundRect(x, y, self.width, self.height, corner)
        canvas.clipPath(outline, stroke=0, fill=0)
        if not self._picture(canvas, x, y):
            self._sign(canvas, x, y)
        canvas.restoreState()
        canvas.setStrokeColor(theme.colour(look.GOLD))
        canvas.setLineWidth(0.8)
        canvas.roundRect(x, y, self.width, self.height, corner, stroke=1, fill=0)

    def _picture(self, canvas: Any, x: float, y: float) -> bool:
        if self.card.image is None:
            return False
        size = round(self.width / 72 * _DPI), round(self.height / 72 * _DPI)
        tone = self.glyphs.theme.tone
        try:
            picture = images.prepare(self.card.image, self.cache, width=size[0], height=size[1], cover=True, tone=tone)
        except images.UnusablePicture:
            return False
        images.draw(canvas, picture, x, y, (self.width, self.height))
        return True

    def _sign(self, canvas: Any, x: float, y: float) -> None:
        theme = self.glyphs.theme
        canvas.setFillColor(theme.colour(look.PANEL))
        canvas.rect(x, y, self.width, self.height, stroke=0, fill=1)
        names = self.card.suit_icon.split()[:2] or [""]
        size = self.width * (0.5 if len(names) == 1 else 0.36)
        left = x + (self.width - size * len(names)) / 2
        for number, name in enumerate(names):
            place = left + number * size
            bottom = y + (self.height - size) / 2
            colour = theme.suit(name) if name else look.MUTED
            draw_sign(canvas, theme, name, x=place, y=bottom, size=size, colour=colour, letter=self.card.title)


_NAME_ABOVE = 3.0


class CardRow(Flowable):  # type: ignore[misc]
    """Thumbnails side by side in the middle of the column, in cells of `cell` points; each is an item of a list."""

    def __init__(self, cards: Sequence[Thumbnail], cell: float, glyphs: Glyphs, tag: Tag) -> None:
        super().__init__()
        self._cards = cards
        self._cell = cell
        style = glyphs.theme.style(look.TEXT, glyphs.theme.floor, glyphs.theme.floor * 1.15, alignment=1)
        bodies = [tag.add("LI").add("LBody") for _ in cards]
        self._figures = [
            body.add("Figure", alt=f"The card {one.card.title}") for body, one in zip(bodies, cards, strict=True)
        ]
        self._names = [
            Words(glyphs.markup(one.card.title, look.TEXT), style, tag=body.add("P"))
            for one, body in zip(cards, bodies, strict=True)
        ]
        self.spaceBefore = self.spaceAfter = 7

    def wrap(self, wide: float, _high: float) -> tuple[float, float]:
        """All of the width, and the height of the pictures with the longest name."""
        names = max(name.wrapOn(None, self._cell - 4, 1000)[1] for name in self._names)
        self.width, self.height = wide, self._cards[0].height + _NAME_ABOVE + names
        return self.width, self.height

    def draw(self) -> None:
        """Draws pictures and names."""
        left = (self.width - self._cell * len(self._cards)) / 2
        for number, (card, name) in enumerate(zip(self._cards, self._names, strict=True)):
            x = left + number * self._cell
            self._picture(self._figures[number], card, x + (self._cell - card.width) / 2, self.height - card.height)
            _, high = name.wrapOn(self.canv, self._cell - 4, 1000)
            name.drawOn(self.canv, x + 2, self.height - card.height - _NAME_ABOVE - high)

    def _picture(self, figure: Tag, card: Thumbnail, x: float, y: float) -> None:
        figure.box = placed(self.canv, x, y, card.width, card.height)
        with self.canv.marked(figure):
            card.draw(self.canv, x, y)


def placed(canvas: Any, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
    """The rectangle on the page: left, bottom, right and top."""
    left, bottom = canvas.absolutePosition(x, y)
    return left, bottom, left + width, bottom + height
