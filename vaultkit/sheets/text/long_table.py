"""A table of very many rows: ReportLab's own would go through all that are left again at every page."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from copy import copy
from itertools import accumulate
from typing import Any

from vaultkit.sheets.text.flowables import Flowable

Make = Callable[[Sequence[Any], bool], Any]
"""Rows of cells to ReportLab's table; whether the table ends with them."""


class LongTable(Flowable):  # type: ignore[misc]
    """`rows` below the first `head` ones, which are repeated; `widths` are those of the cells' words, in points.

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
        first = self._make([*self._head, *self._rows[self._start : end]], False)
        return [first, self._from(end)]

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

    def _from(self, start: int) -> "LongTable":
        rest = copy(self)
        rest._start, rest.splitInRow = start, 0
        return rest

    def _torn(self, wide: float, high: float) -> list[Any]:
        """The first row in two parts, if it must be so."""
        if not self.splitInRow:
            return []
        table = self._whole()
        table.splitInRow = 1
        return list(table.splitOn(self.canv, wide, high))


def _height(row: Sequence[Any], widths: Sequence[float]) -> float:
    return float(max(cell.wrap(width, 10_000)[1] for cell, width in zip(row, widths, strict=True)))
