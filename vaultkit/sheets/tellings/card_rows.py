"""Cards in rows, each with its name below: what a story names, at a glance."""

from collections.abc import Sequence
from typing import Any

from vaultkit.sheets import theme as look
from vaultkit.sheets.glyphs import Glyphs
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.tellings.thumbnails import Thumbnail
from vaultkit.sheets.text.flowables import Flowable
from vaultkit.sheets.text.words import Words

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
