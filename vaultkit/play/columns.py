"""Rows of text in columns, without boxes and without blanks at line ends; the last column wraps within itself."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.text import Text

_GAP = 2
_NARROWEST = 12


class Columns:
    """A renderable of rows, all of one length. Widths are in cells, since some symbols take two."""

    def __init__(self, rows: Sequence[Sequence[Text]], *, margin: int = _GAP, gap: int = _GAP) -> None:
        self.rows = rows
        self.margin = margin
        self.gap = gap

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        widths = [max(cell.cell_len for cell in column) for column in zip(*self.rows, strict=True)][:-1]
        used = self.margin + sum(widths) + self.gap * len(widths)
        for row in self.rows:
            lines = row[-1].wrap(console, max(options.max_width - used, _NARROWEST)) or [Text()]
            for number, line in enumerate(lines):
                line.rstrip()
                first = self._first(row, widths) if number == 0 else Text(" " * used)
                first.append_text(line).rstrip()
                yield first

    def _first(self, row: Sequence[Text], widths: list[int]) -> Text:
        text = Text(" " * self.margin)
        for cell, width in zip(row[:-1], widths, strict=True):
            text.append_text(cell).append(" " * (width - cell.cell_len + self.gap))
        return text


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
