"""Rows of text in columns, without boxes and without blanks at line ends; the last column wraps within itself."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.text import Text

_GAP_WIDTH = 2
_MIN_LAST_COLUMN_WIDTH = 12


class Columns:
    """A renderable of rows, all of one length. Widths are in cells, since some symbols take two.

    `cap` is the most that any column but the last may take; what is longer wraps within its column.
    """

    def __init__(
        self, rows: Sequence[Sequence[Text]], *, margin: int = _GAP_WIDTH, gap: int = _GAP_WIDTH, cap: int | None = None
    ) -> None:
        self.rows = rows
        self.margin = margin
        self.gap = gap
        self.cap = cap

    @property
    def widths(self) -> list[int]:
        """The cells of every column but the last."""
        widest = (max(cell.cell_len for cell in column) for column in zip(*self.rows, strict=True))
        return [min(width, self.cap or width) for width in widest][:-1]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        widths = self.widths
        used = self.margin + sum(widths) + self.gap * len(widths)
        room = [*widths, max(options.max_width - used, _MIN_LAST_COLUMN_WIDTH)]
        for row in self.rows:
            cells = [_wrap_cell(cell, width, console) for cell, width in zip(row, room, strict=True)]
            for line in zip_longest(*cells, fillvalue=Text()):
                yield self._line(line, widths)

    def _line(self, cells: Sequence[Text], widths: list[int]) -> Text:
        text = Text(" " * self.margin)
        for cell, width in zip(cells, widths, strict=False):
            text.append_text(cell).append(" " * (width - cell.cell_len + self.gap))
        text.append_text(cells[-1]).rstrip()
        return text


class ColumnBlocks(Columns):
    """Rows of which the columns that have no room stand below, as often behind the first column as it takes."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        for number, column_numbers in enumerate(self._chunks(options.max_width)):
            if number:
                yield Text()
            rows = [[row[0], *(row[column] for column in column_numbers)] for row in self.rows]
            block = Columns(rows, margin=self.margin, gap=self.gap, cap=self.cap)
            yield from block.__rich_console__(console, options)

    def _chunks(self, room: int) -> Iterator[list[int]]:
        """The numbers of the columns behind the first that have room beside it, block by block."""
        widths = [max(cell.cell_len for cell in column) for column in zip(*self.rows, strict=True)]
        column_numbers, used = list[int](), 0
        for column, width in enumerate(widths[1:], 1):
            used += self.gap + width
            if column_numbers and self.margin + widths[0] + used > room:
                yield column_numbers
                column_numbers, used = [], self.gap + width
            column_numbers.append(column)
        yield column_numbers


def _wrap_cell(cell: Text, width: int, console: Console) -> list[Text]:
    lines = list(cell.wrap(console, width)) if cell.cell_len > width or "\n" in cell.plain else [cell.copy()]
    for line in lines:
        line.rstrip()
    return lines or [Text()]


def flow(pieces: Sequence[Text], width: int, gap: int = 3) -> Text:
    """Pieces side by side, broken between them only."""
    flowing, used = Text(), 0
    for piece in pieces:
        room = cell_len(piece.plain)
        if used and used + gap + room > width:
            flowing.append("\n")
            used = 0
        flowing.append(" " * gap if used else "").append_text(piece)
        used += room + (gap if used else 0)
    return flowing
