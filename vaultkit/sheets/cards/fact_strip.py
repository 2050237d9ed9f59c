"""Parts of a card below its title: labels and values in a strip, and boxes to write in."""

import math
from collections.abc import Sequence
from typing import Any

from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.flowables import Flowable
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.model import Theme

_COLUMN_COUNTS = (2, 3, 4, 6)
"""The numbers of columns of a strip; the least with which it has the fewest rows is taken."""
_GAP_PT, _PADDING_PT, _ROW_GAP_PT, _CORNER_RADIUS_PT = 7.0, 3.0, 1.0, 1.6
"""The white between cells, around and between rows, and the radius of the strip's corners."""
_BOX_COUNT, _BOX_HEIGHT_PT, _BOX_GAP_PT = 5, 12.5, 3.0
"""The boxes in a row, and their height and distance."""

Cell = tuple[float, Any]
"""A paragraph, and the width that it needs for one line."""


class FactStrip(Flowable):  # type: ignore[misc]
    """Labels with their values in rows on a tinted ground, in columns: a cell takes as many as it needs."""

    def __init__(self, cells: Sequence[Cell], theme: Theme) -> None:
        super().__init__()
        self._cells, self._theme = cells, theme
        self.spaceBefore = self.spaceAfter = 3

    def wrap(self, available_width: float, _high: float) -> tuple[float, float]:
        """Return the available width, and the height of all rows."""
        room = available_width - 2 * _PADDING_PT
        self._rows = min((self._arrange(count, room) for count in _COLUMN_COUNTS), key=len)
        self._heights = [max(cell.wrapOn(self.canv, wide, 10_000)[1] for _, wide, cell in row) for row in self._rows]
        self.width = available_width
        self.height = sum(self._heights) + _ROW_GAP_PT * (len(self._rows) - 1) + 2 * _PADDING_PT
        return self.width, self.height

    def _arrange(self, count: int, room: float) -> list[list[tuple[float, float, Any]]]:
        """Return rows of cells in `count` columns, each with its left edge and width; the last cell takes the rest."""
        column, used, rows = (room + _GAP_PT) / count, count, list[list[tuple[float, float, Any]]]()
        for width, paragraph in self._cells:
            span = min(count, math.ceil((width + _GAP_PT) / column))
            if used + span > count:
                used = 0
                rows.append([])
            rows[-1].append((used * column, span * column - _GAP_PT, paragraph))
            used += span
        return [[*row, (row_end[0], room - row_end[0], row_end[2])] for *row, row_end in rows]

    def split(self, available_width: float, available_height: float) -> list[Any]:
        """Return a strip of the rows that fit and one of the others, or [] if not even one row fits."""
        self.wrap(available_width, available_height)
        height, count = 2 * _PADDING_PT - _ROW_GAP_PT, 0
        for row, row_height in zip(self._rows, self._heights, strict=True):
            height += row_height + _ROW_GAP_PT
            count += len(row) if height <= available_height else 0
        parts = [self._cells[:count], self._cells[count:]] if count else []
        return [FactStrip(part, self._theme) for part in parts if part]

    def draw(self) -> None:
        canvas, top = self.canv, self.height - _PADDING_PT
        canvas.fill(look.PANEL)
        canvas.roundRect(0, 0, self.width, self.height, _CORNER_RADIUS_PT, stroke=0, fill=1)
        for row, height in zip(self._rows, self._heights, strict=True):
            for x, width, cell in row:
                _, cell_height = cell.wrapOn(canvas, width, 10_000)
                cell.drawOn(canvas, _PADDING_PT + x, top - cell_height)
            top -= height + _ROW_GAP_PT


class WriteBoxes(Flowable):  # type: ignore[misc]
    """A label, and a row of empty boxes to write in."""

    def __init__(self, label: str, glyphs: Glyphs, size: float, tag: Tag) -> None:
        super().__init__()
        self._label, self._glyphs, self._size, self._tag = label, glyphs, size, tag
        self.spaceBefore = self.spaceAfter = 3

    def wrap(self, available_width: float, _high: float) -> tuple[float, float]:
        """Return the available width, and the height of a box."""
        self.width, self.height = available_width, max(_BOX_HEIGHT_PT, self._size * 1.3)
        return self.width, self.height

    def draw(self) -> None:
        canvas, label = self.canv, f"{self._label} "
        with canvas.tag_content(self._tag):
            self._glyphs.write(canvas, label, (0, self.height * 0.32), look.TEXT, self._size, colour=look.MUTED)
        left = self._glyphs.measure_width(label, look.TEXT, self._size) + _BOX_GAP_PT
        step = (self.width - left + _BOX_GAP_PT) / _BOX_COUNT
        canvas.pen(look.MUTED, 0.6)
        for number in range(_BOX_COUNT):
            x = left + number * step
            canvas.roundRect(x, 0, step - _BOX_GAP_PT, self.height, _CORNER_RADIUS_PT, stroke=1, fill=0)
