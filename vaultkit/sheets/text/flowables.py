"""ReportLab's flowables, with faces that are in the file."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from copy import copy
from itertools import accumulate
from typing import Any

from vaultkit.look import images
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag

look.prepare_styles()

from reportlab.platypus import Flowable, HRFlowable, Paragraph, Table, TableStyle  # noqa: E402

__all__ = [
    "Drawn",
    "Flowable",
    "HRFlowable",
    "LongTable",
    "Paragraph",
    "PictureFlowable",
    "Table",
    "TableStyle",
    "on_page",
]
_LEAST_DPI = 150
_BESIDE = 6.0
"""White between flowables and the picture beside them, in points."""


def on_page(canvas: Any, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
    """A rectangle of a flowable in places of its page: left, bottom, right and top."""
    left, bottom = canvas.absolutePosition(x, y)
    return left, bottom, left + width, bottom + height


class PictureFlowable(Flowable):  # type: ignore[misc]
    """A picture, as large as `width` x `height` points and 150 dots an inch allow; content of `tag`.

    Its `side` is from 0 at the left to 1 at the right. With a `size` in points it has that one, if there is room.
    """

    def __init__(
        self, picture: images.Picture, width: float, height: float, tag: Tag | None, *,
        size: tuple[float, float] | None, side: float,
    ) -> None:  # fmt: skip
        super().__init__()
        self._side = side
        wide, high = size or (float(picture.width), float(picture.height))
        scale = min(width / wide, height / high, 1.0 if size else 72 / _LEAST_DPI)
        self._picture, self._tag = picture, tag
        self._size = wide * scale, high * scale
        self.spaceBefore = self.spaceAfter = 6

    @property
    def breadth(self) -> float:
        """The width of the picture itself, in points."""
        return self._size[0]

    def wrap(self, wide: float, _high: float) -> tuple[float, float]:
        """All of the width, and the picture's height."""
        self.width, self.height = wide, self._size[1]
        return self.width, self.height

    def draw(self) -> None:
        """Draws the picture."""
        x = (self.width - self._size[0]) * self._side
        if self._tag is not None:
            self._tag.box = on_page(self.canv, x, 0, *self._size)
        with self.canv.marked(self._tag):
            images.draw_picture(self.canv, self._picture, x, 0, self._size)


class Drawn(Flowable):  # type: ignore[misc]
    """A drawing of this width and height, by a function that needs nothing more."""

    def __init__(self, width: float, height: float, draw: Callable[[], None]) -> None:
        super().__init__()
        self.width, self.height, self.draw = width, height, draw


class LinePicture:
    """A picture in a line of words, `size` points wide and high; content of a tag of its own."""

    def __init__(self, picture: images.Picture, size: tuple[float, float], words: str) -> None:
        self._picture, self.size = picture, size
        self._tag = Tag("Figure", words)
        self.marks: Any = None
        """The marks of the text in which it stands."""

    def draw_on(self, canvas: Any, x: float, y: float) -> None:
        """Draws the picture while ReportLab goes through the words of its line."""
        tag = self._tag if self.marks is not None and self.marks.holds(self._tag) else None
        if tag is not None:
            tag.box = on_page(canvas, x, y, *self.size)
        with canvas.marked(tag):
            images.draw_picture(canvas, self._picture, x, y, self.size)


class BesideFlowable(Flowable):  # type: ignore[misc]
    """Flowables one below the other, and a picture at their right."""

    def __init__(self, parts: Sequence[Any], picture: PictureFlowable) -> None:
        super().__init__()
        self._parts, self._picture = parts, picture
        self.spaceBefore, self.spaceAfter = parts[0].getSpaceBefore(), parts[-1].getSpaceAfter()

    def wrap(self, wide: float, high: float) -> tuple[float, float]:
        """All of the width, and the height of the picture or of the flowables, whichever is more."""
        room = wide - self._picture.breadth - _BESIDE
        self._heights = [part.wrapOn(self.canv, room, high)[1] + part.getSpaceAfter() for part in self._parts]
        self.width, self.height = wide, max(sum(self._heights), self._picture.wrapOn(self.canv, wide, high)[1])
        return self.width, self.height

    def draw(self) -> None:
        """Draws the flowables from the top, and the picture."""
        top = self.height
        for part, height in zip(self._parts, self._heights, strict=True):
            part.drawOn(self.canv, 0, top - height + part.getSpaceAfter())
            top -= height
        _, high = self._picture.wrapOn(self.canv, self._picture.breadth, self.height)
        self._picture.drawOn(self.canv, self.width - self._picture.breadth, self.height - high)


Make = Callable[[Sequence[Any], bool], Any]
"""Rows of cells to ReportLab's table; whether the table ends with them."""


class LongTable(Flowable):  # type: ignore[misc]
    """A table of very many rows: ReportLab's own would go through all that are left again at every page.

    `rows` below the first `head` ones, which are repeated; `widths` are those of the cells' words, in points.

    It is drawn as the smaller tables into which it is split; `padding` is the white above and below a row's words.
    """

    def __init__(self, rows: Sequence[Any], widths: Sequence[float], make: Make, *, head: int, padding: float) -> None:
        super().__init__()
        self._head, self._rows, self._make = rows[:head], rows[head:], make
        self._ends = list(accumulate(_height(row, widths) + padding for row in self._rows))
        """Where each row ends, from the first on."""
        self._top = sum(_height(row, widths) + padding for row in self._head)
        self._start = 0
        self.splitInRow = 0
        self.spaceBefore, self.spaceAfter = 6, 8

    def wrap(self, wide: float, _high: float) -> tuple[float, float]:
        """All of the width, and the height of all rows that are left."""
        self.width, self.height = wide, self._top + self._ends[-1] - self._above
        return self.width, self.height

    def split(self, wide: float, high: float) -> list[Any]:
        """As many rows as fit, and the others."""
        end = bisect_right(self._ends, self._above + high - self._top)
        if end >= len(self._rows):
            return [self._whole()]
        if end <= self._start:
            return self._torn(wide, high)
        first, rest = self._make([*self._head, *self._rows[self._start : end]], False), copy(self)
        rest._start, rest.splitInRow = end, 0
        return [first, rest]

    def draw(self) -> None:
        """Draws all rows that are left."""
        table = self._whole()
        table.wrapOn(self.canv, self.width, self.height)
        table.drawOn(self.canv, 0, 0)

    @property
    def _above(self) -> float:
        return self._ends[self._start - 1] if self._start else 0.0

    def _whole(self) -> Any:
        return self._make([*self._head, *self._rows[self._start :]], True)

    def _torn(self, wide: float, high: float) -> list[Any]:
        """The first row in two parts, if it must be so."""
        if not self.splitInRow:
            return []
        table = self._whole()
        table.splitInRow = 1
        return list(table.splitOn(self.canv, wide, high))


def _height(row: Sequence[Any], widths: Sequence[float]) -> float:
    return max(_tall(cell, width) for cell, width in zip(row, widths, strict=True))


def _tall(cell: Any, width: float) -> float:
    """The height of a cell: of a paragraph, or of several flowables with the white between them."""
    if not isinstance(cell, list):
        return float(cell.wrap(width, 10_000)[1])
    white = sum(part.getSpaceBefore() + part.getSpaceAfter() for part in cell)
    return float(white + sum(part.wrap(width, 10_000)[1] for part in cell))
