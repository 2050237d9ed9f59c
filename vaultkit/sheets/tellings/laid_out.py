"""A spread as it lies on the table: each card at its place, with the number and the name of its position."""

from collections.abc import Sequence
from dataclasses import dataclass

from vaultkit.compendium.spreads.spread import Shape
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.tellings.thumbnails import SHAPE, Thumbnail, placed
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
