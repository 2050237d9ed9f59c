"""The flowable of a grid: it measures columns and lines, breaks between lines, and draws blocks of cells."""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import accumulate
from operator import sub
from typing import Any, NamedTuple

from vaultkit.errors import InvalidError
from vaultkit.sheets.paper import MM_POINTS as MM
from vaultkit.sheets.pdf.forms import FIELD_FACE
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.design import PLAYER
from vaultkit.sheets.scoresheets.painter import ROUND_HEIGHT_PT, WRITABLE_HEIGHT_PT, Place, SheetPainter
from vaultkit.sheets.scoresheets.parts import MAX_BOX_WIDTH_MM, Cell, Cells, Grid, SheetBox
from vaultkit.sheets.text.flowables import Flowable
from vaultkit.sheets.text.html_blocks import place_cells
from vaultkit.theme import icons
from vaultkit.theme import model as look

_PADDING_PT = 4.0
_BLOCK_GAP_PT = 5 * MM
_MAX_LABEL_SHARE = 0.42
_MIN_WIDTH_SHARE, _MIN_WORD_SHARE, _MIN_BOX_WIDTH_PT = 0.6, 0.75, 9 * MM
"""The least share of their usual width to which labels, and then the words of titles, are narrowed, and the minimum
width of a box."""
_COMFORTABLE_WIDTH_FACTOR = 1.5
"""The width of a comfortable column of boxes, as a multiple of its minimum."""
_MIN_BLOCK_LINE_COUNT, _MAX_BLOCK_COUNT = 10, 4
_SECTION_HEIGHT_PT = 6 * MM
_MIN_INNER_WIDTH_PT = 6.5 * MM
"""The minimum width to which the white around a box reduces it."""


class CellLook(NamedTuple):
    """The look of the words of a cell: face, colour, the name of their size in the style, and the scope of a heading.

    `face` is the style's by default; a cell without `scope` is no heading.
    """

    face: str
    colour: str
    size: str = "text"
    scope: str = "Row"


_LOOKS = {
    "head": CellLook("", look.ON_HEAD, "head", "Column"),
    "label": CellLook(look.BOLD, look.ACCENT, scope="Column"),
    "section": CellLook("", look.ACCENT, "head"),
    "title": CellLook("", look.ACCENT, "row"),
    "total": CellLook("", look.ACCENT, "row"),
    "name": CellLook(look.TEXT, look.INK),
    "hint": CellLook(look.TEXT, look.INK, scope=""),
    "aside": CellLook(look.ITALIC, look.MUTED, scope=""),
}


class PlacedLine(NamedTuple):
    """The cells of a line with their columns."""

    cells: Sequence[tuple[int, Cell]]

    @property
    def joined(self) -> bool:
        """Whether the line belongs to the line above, as a cell spans both."""
        return not self.cells or self.cells[0][0] > 0

    @property
    def look(self) -> str:
        """The look of the first cell, which is that of a section or of the total."""
        return self.cells[0][1].look if self.cells else ""


def _place(lines: Sequence[Cells]) -> list[PlacedLine]:
    """Return lines with the columns of their cells, which are the free ones from left to right as in HTML."""
    columns_by_line = place_cells(((cell.columns, cell.rows) for cell in line) for line in lines)
    pairs = zip(columns_by_line, lines, strict=True)
    return [PlacedLine(list(zip(columns, line, strict=True))) for columns, line in pairs]


@dataclass
class _Column:
    """The measures of a column in points; `word` is the width of its longest word, and `share` that of spare width."""

    least: float
    most: float
    share: float
    is_box: bool
    word: float

    @property
    def lowest(self) -> float:
        """The width to which it is narrowed at most."""
        return max(self.least * _MIN_WIDTH_SHARE, min(_MIN_BOX_WIDTH_PT, self.least) if self.is_box else self.word)


class GridFlowable(Flowable):  # type: ignore[misc]
    """A grid of a sheet, `width` points wide; its tags are below a new one in `tag`."""

    def __init__(self, pen: SheetPainter, grid: Grid, width: float, tag: Tag) -> None:
        super().__init__()
        self.pen, self.style, self.grid, self.full = pen, pen.style, grid, width
        self.tag, self.is_first, self.title_scale = tag.add("Div"), True, 1.0
        self.heads, self.lines = _place(grid.heads), _place(grid.lines)
        columns = [self._measure_column(number) for number in range(len(grid.widths))]
        self.blocks = self._count_blocks(columns)
        self.widths = self._widths(columns, (width - _BLOCK_GAP_PT * (self.blocks - 1)) / self.blocks)
        names = [place for line in (*self.heads, *self.lines) for place in line.cells
                 if place[1].box and place[1].box.key == PLAYER]  # fmt: skip
        widths = [cell_width - 2 * self._side_margin(cell, cell_width)
                  for column, cell in names for cell_width in [self._cell_width(column, cell)]]  # fmt: skip
        boxes = [cell.box for _, cell in names if cell.box]
        self.name_size, self.name_lines = pen.name_size(boxes, min(widths, default=0.0))
        self.head_heights = [self._line_height(line) for line in self.heads]
        self.heights = [self._line_height(line) for line in self.lines]
        self.spaceBefore, self.spaceAfter = pen.style.gap * 0.4, pen.style.gap

    # --- widths ---

    def _measure_column(self, number: int) -> _Column:
        width, lines = self.grid.widths[number], (*self.heads, *self.lines)
        cells = [cell for line in lines for column, cell in line.cells
                 if column == number and cell.columns == 1 and cell.look != "label"]  # fmt: skip
        natural = self._widest((cell.words, cell) for cell in cells)
        least, most = width.least * MM, width.most * MM or max(natural, width.least * MM)
        if not (width.least or width.most):
            boxed = max((0.24 * bool(cell.hint) + 0.22 * bool(cell.box) for cell in cells), default=0.0)
            least = most = min(max(natural, boxed * self.full), _MAX_LABEL_SHARE * self.full)
        word = self._widest((word, cell) for cell in cells for word in cell.words.split())
        return _Column(least, most, width.share, bool(width.most), min(least, word))

    def _widest(self, parts: Iterable[tuple[str, Cell]]) -> float:
        """Return the greatest width in points of words of cells on one line, with their signs and padding."""
        measure = self.pen.glyphs.measure_width
        widths = (measure(words, *self._letters(cell)) + self._sign_width(cell) for words, cell in parts)
        return max(widths, default=0.0) + 2 * _PADDING_PT

    def _sign_width(self, cell: Cell) -> float:
        return self.style.row * 1.9 + _PADDING_PT if cell.icon else 0.0

    def _letters(self, cell: Cell) -> tuple[str, float]:
        looks = _LOOKS[cell.look]
        scale = self.title_scale if looks.size == "row" else 1.0
        return looks.face or self.style.face, getattr(self.style, looks.size) * scale

    def _count_blocks(self, columns: Sequence[_Column]) -> int:
        """Return the number of blocks side by side: the grid's, or as many as have room, plus the style's `fold`."""
        narrow, count = sum(column.least for column in columns), len(self.lines)
        if self.grid.blocks:
            return min(self.grid.blocks, 1 if self.pen.glyphs.theme.large else self._room_for(narrow))
        comfortable = sum(min(column.most, column.least * _COMFORTABLE_WIDTH_FACTOR) for column in columns)
        enough = max(1, min(self._room_for(comfortable), count // _MIN_BLOCK_LINE_COUNT))
        return max(1, min(enough + self.style.fold, self._room_for(narrow), _MAX_BLOCK_COUNT, count))

    def _room_for(self, width: float) -> int:
        return max(1, int((self.full + _BLOCK_GAP_PT) // (width + _BLOCK_GAP_PT)))

    def _widths(self, columns: Sequence[_Column], room: float) -> Sequence[float]:
        """Return the widths of the columns of a block, `room` points wide. Raises InvalidError if they have no room.

        Labels are narrowed first, then the words of titles with them, then boxes.
        """
        first, boxes = columns[0], [column for column in columns if column.is_box]
        first_word, min_share = first.word, self.pen.glyphs.theme.min_text_size / self.style.row
        for is_box in (False, False, True):
            gains = [(column.least - column.lowest) * (column.is_box is is_box) for column in columns]
            shortfall = max(0.0, sum(column.least for column in columns) - room)
            part = min(1.0, shortfall / sum(gains)) if sum(gains) else 0.0
            for column, gain in zip(columns, gains, strict=True):
                column.least -= part * gain
            first.word = first_word * min(1.0, max(_MIN_WORD_SHARE, min_share))
        self.title_scale = min(1.0, first.least / max(1.0, first_word))
        spare = room - sum(column.least for column in columns)
        if spare < -0.01:
            wide = sum(column.least for column in boxes)
            count = max(1, int((spare + wide) * max(1, len(boxes)) / wide))
            message = f"The score sheet has {len(boxes)} columns, and at most {count} columns fit."
            hint = "Use fewer columns or shorter names of rows, or choose a larger paper or another layout."
            raise InvalidError(message, hint=hint)
        growth = [(max(column.least, column.most) - column.least) * column.share if column.is_box else 0.0
                  for column in columns]  # fmt: skip
        part = min(1.0, spare / sum(growth)) if sum(growth) else 0.0
        widths = [column.least + part * grown for column, grown in zip(columns, growth, strict=True)]
        widths[0 if columns[1].is_box or len(widths) < 3 else 1] += room - sum(widths)
        return widths

    def _cell_width(self, column: int, cell: Cell) -> float:
        return sum(self.widths[column : column + cell.columns])

    # --- heights ---

    def _line_height(self, line: PlacedLine) -> float:
        own = max((self._height(*place) / place[1].rows for place in line.cells), default=0.0)
        return max(own, _SECTION_HEIGHT_PT) if line.look == "section" else own

    def _height(self, column: int, cell: Cell) -> float:
        """Return the minimum height of a cell in points."""
        style = self.style
        if cell.box and cell.look == "head":
            return max(style.name_line, self.name_lines * 1.2 * self.name_size + 10)
        if cell.ticks or (cell.box and cell.box.kind == "tick"):
            return style.tick
        if cell.box:
            return min(style.row_height, style.list_line) if self.grid.title else style.row_height
        room = self._cell_width(column, cell) - 2 * _PADDING_PT - self._sign_width(cell)
        high = sum(self.pen.height(words, face, size, room) for words, face, size, _ in self._texts(cell))
        return high + 4 if high else 0.0

    def _texts(self, cell: Cell) -> list[tuple[str, str, float, str]]:
        """Return the words and the hint of a cell, with face, size and colour."""
        looks, theme, words, (face, size) = _LOOKS[cell.look], self.pen.glyphs.theme, cell.words, self._letters(cell)
        if cell.box and (name := self.pen.values.get(cell.box.field)):
            words, face, size = name, FIELD_FACE, self.name_size
        title = words, face, size, theme.suit_role(cell.icon) if cell.icon else looks.colour
        return [text for text in (title, (cell.hint, look.ITALIC, self.style.text, look.MUTED)) if text[0]]

    # --- breaking ---

    @property
    def _rows(self) -> int:
        return -(-len(self.lines) // self.blocks)

    def _row_heights(self) -> list[float]:
        """Return the heights of the rows, each of which has a line of every block."""
        return [max(self.heights[row :: self._rows]) for row in range(self._rows)]

    def wrap(self, _wide: float, _high: float) -> tuple[float, float]:
        """Return the width of the grid, and the height of its header and lines."""
        self.width, self.height = self.full, sum(self.head_heights) + sum(self._row_heights())
        return self.width, self.height

    def split(self, _wide: float, high: float) -> list[Any]:
        """Return two grids, the first with as many lines as fit, or [] if only a few lines would fit."""
        room = high - sum(self.head_heights)
        if room // max(self.heights) < min(3, self._rows):
            return []
        sums = accumulate(self.heights if self.blocks == 1 else [max(self.heights)] * self._rows)
        count = min(len(self.lines), sum(height <= room for height in sums) * self.blocks)
        while 0 < count < len(self.lines) and (self.lines[count].joined or self.lines[count - 1].look == "section"):
            count -= 1
        if not 0 < count < len(self.lines):
            return []
        first, rest = copy(self), copy(self)
        first.lines, first.heights = self.lines[:count], self.heights[:count]
        rest.lines, rest.heights, rest.is_first = self.lines[count:], self.heights[count:], False
        return [first, rest]

    # --- drawing ---

    def draw(self) -> None:
        """Draw block after block from the top, each a table of its own."""
        rows, heights = self._rows, self._row_heights()
        self.drawn = not self.is_first
        for block in range(self.blocks):
            if lines := self.lines[block * rows : (block + 1) * rows]:
                self._draw_block(lines, heights[: len(lines)], block * (sum(self.widths) + _BLOCK_GAP_PT))
                self.drawn = True

    def _draw_block(self, lines: Sequence[PlacedLine], heights: Sequence[float], left: float) -> None:
        table, width, canvas = self.tag.add("Table"), sum(self.widths), self.pen.canvas
        heights, head_count = [*self.head_heights, *heights], len(self.heads)
        tops = [*accumulate(heights, sub, initial=self.height)]
        for line, y, height in zip(self.heads, tops[1:], heights, strict=False):
            kind = line.cells[-1][1].look
            canvas.fill({"head": look.HEAD, "label": look.PANEL_DARK}.get(kind, look.PAPER))
            canvas.pen(look.HEAD_LINE, 0.6)
            canvas.rect(left, y, width, height, stroke=kind == "head", fill=kind != "hint")
        is_even = True  # every other group of lines has a ground; sections begin the pattern again
        for number, line in enumerate(lines, head_count):
            is_even = line.look == "section" or (is_even if line.joined else not is_even)
            if not is_even and line.look != "total":
                canvas.fill(look.PANEL)
                canvas.rect(left, tops[number + 1], width, heights[number], stroke=0, fill=1)
            if number > head_count and not line.joined:
                is_strong = line.look in ("total", "section")
                canvas.pen(look.ACCENT if is_strong else look.LINE, 1 if line.look == "total" else 0.4)
                canvas.line(left, tops[number], left + width, tops[number])
        for number, line in enumerate((*self.heads, *lines)):
            row, ends = table.add("TR"), [*accumulate(self.widths, initial=left)]
            for column, cell in line.cells:
                looks, high = _LOOKS[cell.look], sum(heights[number : number + cell.rows])
                tag = row.add("TH" if looks.scope else "TD", scope=looks.scope)
                tag.rows, tag.columns = cell.rows, cell.columns
                place = ends[column], tops[number] - high, self._cell_width(column, cell), high
                self._draw_cell(cell, place, tag)
        canvas.pen(look.ACCENT, 1)
        canvas.line(left, tops[-1], left + width, tops[-1])

    def _draw_cell(self, cell: Cell, place: Place, tag: Tag) -> None:
        (x, y, width, height), theme = place, self.pen.glyphs.theme
        if cell.ticks:
            wide = width / len(cell.ticks)
            for number, box in enumerate(cell.ticks):
                left = x + number * wide + _PADDING_PT
                self.pen.tick(box, (left, y + height / 2), width, tag)
            return
        if cell.box and not (cell.look == "head" and self.drawn):
            self._draw_box(cell, cell.box, place, tag)
            return
        if cell.icon:
            sign = self._sign_width(cell)
            side = min(sign - _PADDING_PT, height - 4)
            at: dict[str, Any] = {"size": side, "colour": theme.suit_role(cell.icon), "letter": cell.words}
            icons.draw_sign(self.pen.canvas, theme, cell.icon, x=x + _PADDING_PT, y=y + (height - side) / 2, **at)
            x, width = x + sign, width - sign
        align = 1 if cell.look in ("head", "label", "hint") and cell is not self.grid.heads[0][0] else 0
        room, flowables = width - 2 * _PADDING_PT, list[tuple[Any, float]]()
        for words, face, size, colour in self._texts(cell):
            paragraph = self.pen.words(words, face, size, room, tag, textColor=colour, alignment=align)
            flowables.append((paragraph, paragraph.wrapOn(self.pen.canvas, room, 10_000)[1]))
        top = y + (height + sum(high for _, high in flowables)) / 2
        for paragraph, high in flowables:
            top -= high
            paragraph.drawOn(self.pen.canvas, x + _PADDING_PT, top)

    def _side_margin(self, cell: Cell, width: float) -> float:
        """Return the white at each side of a box; a box across several columns is aligned with their boxes."""
        if cell.look == "head":
            return 3.0
        column = width / cell.columns
        aside = min(3 * MM, (column - _MIN_INNER_WIDTH_PT) / 2, column * 0.06)
        is_number = cell.box is not None and cell.box.kind == "number"
        return max(aside, (width - MAX_BOX_WIDTH_MM * MM) / 2) if is_number else aside

    def _draw_box(self, cell: Cell, box: SheetBox, place: Place, tag: Tag) -> None:
        """Draw a box, which fills its cell in a low line, and has white around it in a higher one."""
        (x, y, width, height), is_head = place, cell.look == "head"
        if box.kind == "tick":
            side = min(height, width, 4.5 * self.style.text / 10 * MM)
            self.pen.box(box, (x + (width - side) / 2, y + (height - side) / 2, side, side), tag)
            return
        is_low = height < ROUND_HEIGHT_PT
        above = 0.0 if is_low else min(1.4 * MM, max(0.4 * MM, (height - WRITABLE_HEIGHT_PT) / 2))
        above = 2.5 if is_head else above
        aside = 0.0 if is_low and not is_head else self._side_margin(cell, width)
        inner = (x + aside, y + above, width - 2 * aside, height - 2 * above)
        looks = {"size": self.name_size} if is_head or box.key == PLAYER else {}
        self.pen.box(box, inner, tag, middle=is_head, **looks)
