"""ReportLab's flowables, imported after setting up its styles, and flowables for pictures and long tables."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from copy import copy
from itertools import accumulate
from typing import Any

from vaultkit.sheets.pdf.tags import Tag
from vaultkit.theme import image_transcoding
from vaultkit.theme import model as look

look.prepare_styles()

from reportlab.platypus import Flowable, HRFlowable, Paragraph, Table, TableStyle  # noqa: E402

__all__ = [
    "DrawingFlowable",
    "Flowable",
    "HRFlowable",
    "LongTable",
    "Paragraph",
    "PictureFlowable",
    "Table",
    "TableStyle",
    "page_box",
]
_MIN_DPI = 150
_PICTURE_GAP_PT = 6.0
"""The space between flowables and the picture beside them, in points."""


def page_box(canvas: Any, x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
    """Return a rectangle given in a flowable's coordinates as left, bottom, right and top on the page, in points."""
    left, bottom = canvas.absolutePosition(x, y)
    return left, bottom, left + width, bottom + height


class PictureFlowable(Flowable):  # type: ignore[misc]
    """A picture of at most `width` x `height` points and at least 150 dpi, as content of `tag`.

    With a `size` in points, the picture has that size, or less if there is no room, at any resolution. `side` is its
    horizontal position, from 0 at the left to 1 at the right.
    """

    def __init__(
        self, picture: image_transcoding.Picture, width: float, height: float, tag: Tag | None, *,
        size: tuple[float, float] | None, side: float,
    ) -> None:  # fmt: skip
        super().__init__()
        self._side = side
        wide, high = size or (float(picture.width), float(picture.height))
        scale = min(width / wide, height / high, 1.0 if size else 72 / _MIN_DPI)
        self._picture, self._tag = picture, tag
        self._size = wide * scale, high * scale
        self.spaceBefore = self.spaceAfter = 6

    @property
    def breadth(self) -> float:
        """The width of the picture itself, in points."""
        return self._size[0]

    def wrap(self, wide: float, _high: float) -> tuple[float, float]:
        """Return the available width, which the flowable takes, and the picture's height."""
        self.width, self.height = wide, self._size[1]
        return self.width, self.height

    def draw(self) -> None:
        x = (self.width - self._size[0]) * self._side
        if self._tag is not None:
            self._tag.box = page_box(self.canv, x, 0, *self._size)
        with self.canv.tag_content(self._tag):
            image_transcoding.draw_picture(self.canv, self._picture, x, 0, self._size)


class DrawingFlowable(Flowable):  # type: ignore[misc]
    """A drawing of a given width and height in points; `draw` draws it on the canvas."""

    def __init__(self, width: float, height: float, draw: Callable[[], None]) -> None:
        super().__init__()
        self.width, self.height, self.draw = width, height, draw


class LinePicture:
    """An inline picture of `size` (width and height in points), as content of its own tag."""

    def __init__(self, picture: image_transcoding.Picture, size: tuple[float, float], words: str) -> None:
        self._picture, self.size = picture, size
        self._tag = Tag("Figure", words)
        self.marks: Any = None
        """The content marks of the text that holds the picture."""

    def draw_on(self, canvas: Any, x: float, y: float) -> None:
        """Draw the picture; ReportLab calls this while it draws the text of the line."""
        tag = self._tag if self.marks is not None and self.marks.add_figure(self._tag) else None
        if tag is not None:
            tag.box = page_box(canvas, x, y, *self.size)
        with canvas.tag_content(tag):
            image_transcoding.draw_picture(canvas, self._picture, x, y, self.size)


class BesideFlowable(Flowable):  # type: ignore[misc]
    """Flowables one below the other, with a picture at their right."""

    def __init__(self, parts: Sequence[Any], picture: PictureFlowable) -> None:
        super().__init__()
        self._parts, self._picture = parts, picture
        self.spaceBefore, self.spaceAfter = parts[0].getSpaceBefore(), parts[-1].getSpaceAfter()

    def wrap(self, wide: float, high: float) -> tuple[float, float]:
        """Return the available width, and the height of the picture or of the flowables, whichever is larger."""
        room = wide - self._picture.breadth - _PICTURE_GAP_PT
        self._heights = [part.wrapOn(self.canv, room, high)[1] + part.getSpaceAfter() for part in self._parts]
        self.width, self.height = wide, max(sum(self._heights), self._picture.wrapOn(self.canv, wide, high)[1])
        return self.width, self.height

    def draw(self) -> None:
        """Draw the flowables from the top, and the picture."""
        top = self.height
        for part, height in zip(self._parts, self._heights, strict=True):
            part.drawOn(self.canv, 0, top - height + part.getSpaceAfter())
            top -= height
        _, high = self._picture.wrapOn(self.canv, self._picture.breadth, self.height)
        self._picture.drawOn(self.canv, self.width - self._picture.breadth, self.height - high)


TableFactory = Callable[[Sequence[Any], bool], Any]
"""A function that makes a ReportLab table from rows of cells.

The second argument says whether the last of them is the last row of the whole table.
"""


class LongTable(Flowable):  # type: ignore[misc]
    """A table of very many rows; ReportLab's own table would measure all remaining rows again on every page.

    It is split into smaller tables, which `make` makes. The first `head` of the `rows` are repeated on each page.
    `widths` are those of the cells' text in points, and `padding` is the total space above and below the text of a row.
    """

    def __init__(
        self, rows: Sequence[Any], widths: Sequence[float], make: TableFactory, *, head: int, padding: float
    ) -> None:
        super().__init__()
        self._head, self._rows, self._make = rows[:head], rows[head:], make
        self._ends = list(accumulate(_height(row, widths) + padding for row in self._rows))
        """The distance in points from the end of the head to the end of each row below it, on one endless page."""
        self._top = sum(_height(row, widths) + padding for row in self._head)
        self._start = 0
        self.splitInRow = 0
        self.spaceBefore, self.spaceAfter = 6, 8

    def wrap(self, wide: float, _high: float) -> tuple[float, float]:
        """Return the available width, and the height of the head and all remaining rows."""
        self.width, self.height = wide, self._top + self._ends[-1] - self._height_above
        return self.width, self.height

    def split(self, wide: float, high: float) -> list[Any]:
        """Return a table of as many rows as fit and a table of the others, or one table if all fit.

        If not even one row fits, the row is split, or the list is empty if `splitInRow` is 0.
        """
        end = bisect_right(self._ends, self._height_above + high - self._top)
        if end >= len(self._rows):
            return [self._make_table()]
        if end <= self._start:
            return self._split_row(wide, high)
        first, rest = self._make([*self._head, *self._rows[self._start : end]], False), copy(self)
        rest._start, rest.splitInRow = end, 0
        return [first, rest]

    def draw(self) -> None:
        """Draw all remaining rows."""
        table = self._make_table()
        table.wrapOn(self.canv, self.width, self.height)
        table.drawOn(self.canv, 0, 0)

    @property
    def _height_above(self) -> float:
        return self._ends[self._start - 1] if self._start else 0.0

    def _make_table(self) -> Any:
        return self._make([*self._head, *self._rows[self._start :]], True)

    def _split_row(self, wide: float, high: float) -> list[Any]:
        """Return two tables that share the first row, if `splitInRow` allows it, else an empty list."""
        if not self.splitInRow:
            return []
        table = self._make_table()
        table.splitInRow = 1
        return list(table.splitOn(self.canv, wide, high))


def _height(row: Sequence[Any], widths: Sequence[float]) -> float:
    return max(_cell_height(cell, width) for cell, width in zip(row, widths, strict=True))


def _cell_height(cell: Any, width: float) -> float:
    """Return the height of a cell, which is a paragraph or a list of flowables with space between them, in points."""
    if not isinstance(cell, list):
        return float(cell.wrap(width, 10_000)[1])
    white = sum(part.getSpaceBefore() + part.getSpaceAfter() for part in cell)
    return float(white + sum(part.wrap(width, 10_000)[1] for part in cell))
