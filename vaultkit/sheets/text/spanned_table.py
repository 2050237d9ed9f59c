"""A table of many rows or with cells over several rows, which may be broken between and within those rows."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from vaultkit.sheets.text.flowables import Flowable
from vaultkit.sheets.text.html_blocks import Span
from vaultkit.sheets.text.tagged_text import TaggedParagraph
from vaultkit.theme.reportlab_private import row_heights

SpannedTableFactory = Callable[[Sequence[Sequence[Any]], bool, Sequence[Span]], Any]
"""A function that makes ReportLab's table of rows and spans; the flag says whether it has the last row of all."""
_MAX_HEIGHT_PT = 1_000_000.0
"""A height in points above that of all tables; ReportLab measures no row below the height that it is given."""
_MAX_LABEL_HEIGHT_PT = 42.0
"""The most height in points of a cell that is repeated on the next page, since it names rows there too."""
_MAX_MEASURED_ROWS = 100
"""The most rows that are measured at once, more than a page takes."""
_MIN_ROW_PART_PT = 40.0
"""The least height in points of a part of a row beside a cell over several rows."""


class SpannedTable(Flowable):  # type: ignore[misc]
    """A table of many rows or with cells over several rows.

    ReportLab's own table would measure all remaining rows again on each page, and keep the rows of a cell on one page.

    The first `head` of the `rows` are repeated on each page. `widths` are those of the columns in points without their
    padding, `padding` is that at the sides, and above and below, of a cell.
    """

    def __init__(
        self, rows: Sequence[Sequence[Any]], spans: Sequence[Span], widths: Sequence[float],
        make: SpannedTableFactory, *, head: int, padding: tuple[float, float],
    ) -> None:  # fmt: skip
        super().__init__()
        self._rows, self._spans, self._widths, self._table_factory = rows, spans, widths, make
        self._head, self._padding = head, padding
        self._end = min(len(rows), _MAX_MEASURED_ROWS)
        part_spans = [(x, y, last_x, min(last_y, self._end - 1)) for x, y, last_x, last_y in spans if y < self._end]
        self._table = make(rows[: self._end], self._end == len(rows), part_spans)
        self.is_right_to_left = getattr(self._table, "is_right_to_left", False)
        self.splitInRow = 0
        self.spaceBefore, self.spaceAfter = 6, 8

    def wrap(self, available_width: float, _high: float) -> tuple[float, float]:
        """Return the width of the table and its height in points, which is an estimate for very many rows."""
        self.width, self.height = self._table.wrapOn(self.canv, available_width, _MAX_HEIGHT_PT)
        self.height += (len(self._rows) - self._end) * self.height / self._end
        return self.width, self.height

    def draw(self) -> None:
        self._table.drawOn(self.canv, 0, 0)

    def split(self, available_width: float, available_height: float) -> list[Any]:
        """Return a table that fits and one of the rest, [] if not even one row below the head fits.

        A row beside a cell over several rows, and with `splitInRow` any row, is broken if much space would stay empty.
        """
        self.wrap(available_width, available_height)
        edges = [0.0, *accumulate(row_heights(self._table))]
        row = next((n for n in range(self._end) if edges[n + 1] > available_height), self._end)
        if row == len(self._rows):
            return [self]
        is_spanned = any(span[1] != span[3] and span[1] <= row <= span[3] for span in self._spans)
        if self._head <= row < self._end and (
            self.splitInRow or (is_spanned and available_height - edges[row] > _MIN_ROW_PART_PT)
        ):
            parts = self._split_at(row, available_height, edges, includes_row=True)
            if parts:
                return parts
        return self._split_at(row, edges[row], edges, includes_row=False) if row > self._head else []

    def _split_at(self, row: int, height: float, edges: Sequence[float], *, includes_row: bool) -> list[Any]:
        """Return two tables, of which the first is `height` points high and ends with or before a row.

        The list is empty if nothing of the row fits.
        """
        first: list[list[Any]] = [list(cells) for cells in self._rows[: row + 1]]
        rest: list[Any] = list(self._rows)
        rest[row] = list(rest[row])
        spans_by_place = {span[:2]: span for span in self._spans}
        has_words = False
        for y, cells in enumerate(self._rows[: row + 1]):
            for x, cell in enumerate(cells):
                _, _, last_x, last_y = spans_by_place.get((x, y), (x, y, x, y))
                if not cell or last_y < row or (y == row and not includes_row):
                    continue
                room = height - edges[y] - self._padding[1]
                width = sum(self._widths[x : last_x + 1]) + 2 * self._padding[0] * (last_x - x)
                first[y][x], rest[row][x] = self._split_cell(cell, width, room)
                if y < row and isinstance(cell, TaggedParagraph) and not rest[row][x]:
                    rest[row][x] = self._repeat_label(cell, width)
                has_words = has_words or (y == row and bool(first[y][x]))
        if includes_row and not has_words:
            return []
        end = row + includes_row
        first_spans = [(x, y, last_x, min(last_y, end - 1)) for x, y, last_x, last_y in self._spans if y < end]
        shift = row - self._head
        rest_spans = [span for span in self._spans if span[3] < self._head]
        rest_spans += [
            (x, max(y, row) - shift, last_x, last_y - shift) for x, y, last_x, last_y in self._spans if last_y >= row
        ]
        rows = [*self._rows[: self._head], *rest[row:]]
        rest_table = SpannedTable(
            rows, rest_spans, self._widths, self._table_factory, head=self._head, padding=self._padding
        )
        return [self._table_factory(first[:end], False, first_spans), rest_table]

    def _repeat_label(self, cell: TaggedParagraph, width: float) -> Any:
        """Return a short cell over several rows, to be repeated on the next page as no content; "" for a longer one."""
        if cell.wrapOn(self.canv, width, _MAX_HEIGHT_PT)[1] > _MAX_LABEL_HEIGHT_PT:
            return ""
        cell.once = True
        return cell

    def _split_cell(self, cell: Any, width: float, height: float) -> tuple[Any, Any]:
        """Return the content of a cell that fits into a height, and the rest; "" for nothing."""
        first, rest = list[Any](), list[Any]()
        for flowable in cell if isinstance(cell, list) else [cell]:
            flowable_height = flowable.wrapOn(self.canv, width, max(height, 1))[1]
            parts = [flowable] if flowable_height <= height else flowable.splitOn(self.canv, width, max(height, 1))
            if rest or not parts:
                rest.append(flowable)
                continue
            first.append(parts[0])
            rest += parts[1:]
            height -= flowable_height
        return first or "", rest or ""
