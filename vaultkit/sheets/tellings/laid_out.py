"""A spread as it lies on the table: each card at its place, with the number and the name of its position."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vaultkit.compendium.spreads.spread import Shape
from vaultkit.look import theme as look
from vaultkit.look.glyphs import Glyphs
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.tellings.thumbnails import SHAPE, Thumbnail
from vaultkit.sheets.text.flowables import Flowable
from vaultkit.sheets.text.words import Words

_LABEL_ABOVE, _BETWEEN, _LARGEST = 4.0, 12.0, 130.0


@dataclass(frozen=True)
class Laid:
    """A card at a position; the position may have no name."""

    position: str
    picture: Thumbnail


class SpreadPicture(Flowable):  # type: ignore[misc]
    """The cards of a spread, `width` x `height` points at most, as one picture with everything in its `alt`."""

    def __init__(self, laid: Sequence[Laid], shape: Shape, tag: Tag, *, width: float, height: float) -> None:
        super().__init__()
        glyphs = laid[0].picture.glyphs
        self._laid, self._shape, self._tag = laid, shape, tag
        self._glyphs = glyphs
        size = glyphs.theme.floor
        style = glyphs.theme.style(look.BOLD, size, size * 1.15, alignment=1)
        self._labels = [
            Words(glyphs.markup(_label(number, one), look.BOLD), style) for number, one in enumerate(laid, 1)
        ]
        room = width / len(shape[0]) - _BETWEEN
        self._label: float = max(label.wrapOn(None, room, 1000)[1] for label in self._labels) + _LABEL_ABOVE
        high = (height + _BETWEEN) / len(shape) - _BETWEEN - self._label
        self._card: float = min(high / SHAPE, room, _LARGEST)
        widest = max(glyphs.width(_label(number, one), look.BOLD, size) for number, one in enumerate(laid, 1))
        self._cell = min(width / len(shape[0]), max(self._card, widest) + 2 * _BETWEEN)
        self.spaceBefore = self.spaceAfter = 10

    @property
    def _row(self) -> float:
        return self._card * SHAPE + self._label + _BETWEEN

    def wrap(self, wide: float, _high: float) -> tuple[float, float]:
        """All of the width, and the height of all rows."""
        self.width, self.height = wide, self._row * len(self._shape) - _BETWEEN
        return self.width, self.height

    def draw(self) -> None:
        """Draws everything as content of the one picture."""
        left = (self.width - self._cell * len(self._shape[0])) / 2
        self._tag.box = placed(self.canv, 0, 0, self.width, self.height)
        with self.canv.marked(self._tag):
            for row, numbers in enumerate(self._shape):
                for column, number in enumerate(numbers):
                    if number:
                        self._place(number - 1, left + column * self._cell, self.height - row * self._row)

    def _place(self, number: int, x: float, top: float) -> None:
        picture = self._laid[number].picture
        thumbnail = Thumbnail(picture.card, self._card, picture.glyphs, picture.cache)
        thumbnail.draw(self.canv, x + (self._cell - self._card) / 2, top - thumbnail.height)
        label = self._labels[number]
        _, high = label.wrapOn(self.canv, self._cell - _BETWEEN, 1000)
        label.drawOn(self.canv, x + _BETWEEN / 2, top - thumbnail.height - _LABEL_ABOVE - high)


def _label(number: int, laid: Laid) -> str:
    return f"{number}. {laid.position or laid.picture.card.title}"


def spoken(title: str, laid: Sequence[Laid]) -> str:
    """What a screen reader says of the picture."""
    cards = (
        f"{_label(n, one)}{': ' + one.picture.card.title if one.position else ''}" for n, one in enumerate(laid, 1)
    )
    return f"{title} as it lies. {'; '.join(cards)}."


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
