"""The flowable of a grid: it measures columns and lines, breaks between lines, and draws blocks of cells."""

from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from vaultkit.errors import InvalidError
from vaultkit.sheets.paper import MM_POINTS as MM
from vaultkit.sheets.pdf.forms import FIELD_FACE
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.design import PLAYER
from vaultkit.sheets.scoresheets.painter import ROUND_HEIGHT_PT, WRITABLE_HEIGHT_PT, Item, SheetPainter
from vaultkit.sheets.scoresheets.parts import MAX_BOX_WIDTH_MM
from vaultkit.sheets.scoresheets.sheet_cells import Cell, Cells, Grid, GridLine
from vaultkit.sheets.text.flowables import Flowable
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


class GridFlowable(Flowable):  # type: ignore[misc]
    """A grid of a sheet, `width` points wide; its tags are below a new one in `tag`."""

    def __init__(self, pen: SheetPainter, grid: Grid, width: float, tag: Tag) -> None:
        super().__init__()
        self.pen, self.style, self.grid, self.full = pen, pen.style, grid, width
        self.tag, self.lines, self.is_first, self.title_scale = tag.add("Div"), grid.lines, True, 1.0
        bounds = [self._bounds(column) for column in range(len(grid.widths))]
        self.least, self.most = [least for least, _ in bounds], [most for _, most in bounds]
        self.blocks = self._count_blocks()
        self.widths = self._widths((width - _BLOCK_GAP_PT * (self.blocks - 1)) / self.blocks)
        cells = [(line, cell) for line in (*grid.heads, *(line.cells for line in grid.lines)) for cell in line if cell]
        name_cells = [(line, cell) for line, cell in cells if cell.box and cell.box.key == PLAYER]
        widths = [
            width - 2 * self._side_margin(cell, width)
            for line, cell in name_cells
            for width in [self._cell_width(line, cell)]
        ]
        self.name_size, self.name_lines = pen.name_size(
            [cell.box for _, cell in name_cells if cell.box], min(widths, default=0.0)
        )
        self.spaceBefore, self.spaceAfter = pen.style.gap * 0.4, pen.style.gap

    # --- widths ---

    def _bounds(self, column: int) -> tuple[float, float]:
        """Return the minimum and the maximum width of a column in points."""
        width = self.grid.widths[column]
        if width.most:
            return width.least * MM, width.most * MM
        cells = self._cells_of(column)
        natural = self._widest((cell.words, cell) for cell in cells)
        if width.least:
            return width.least * MM, max(natural, width.least * MM)
        boxed = max((0.24 * bool(cell.hint) + 0.22 * bool(cell.box) for cell in cells), default=0.0)
        label = min(max(natural, boxed * self.full), _MAX_LABEL_SHARE * self.full)
        return label, label

    def _cells_of(self, column: int) -> list[Cell]:
        """Return the cells that are in this column only."""
        lines = [*self.grid.heads, *(line.cells for line in self.grid.lines)]
        return [cell for line in lines if (cell := line[column]) and cell.columns == 1 and cell.look != "label"]

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

    def _count_blocks(self) -> int:
        """Return the number of blocks side by side: the grid's, or as many as have room, plus the style's `fold`."""
        if self.grid.blocks:
            return min(self.grid.blocks, self._room_for(sum(self.least)) if self.style.columns > 1 else 1)
        bounds, count = zip(self.least, self.most, strict=True), len(self.grid.lines)
        comfortable = sum(min(most, least * _COMFORTABLE_WIDTH_FACTOR) for least, most in bounds)
        enough = max(1, min(self._room_for(comfortable), count // _MIN_BLOCK_LINE_COUNT))
        return max(1, min(enough + self.style.fold, self._room_for(sum(self.least)), _MAX_BLOCK_COUNT, count))

    def _room_for(self, width: float) -> int:
        return max(1, int((self.full + _BLOCK_GAP_PT) // (width + _BLOCK_GAP_PT)))

    def _widths(self, room: float) -> Sequence[float]:
        """Return the widths of the columns of a block, `room` points wide. Raises InvalidError if they have no room."""
        boxes = [bool(width.most) for width in self.grid.widths]
        words = [((word, cell) for cell in self._cells_of(n) for word in cell.words.split()) for n in range(len(boxes))]
        word_widths = [min(least, self._widest(own)) for least, own in zip(self.least, words, strict=True)]
        first_word = word_widths[0]
        for kind, lowest in ((False, 0.0), (False, 0.0), (True, _MIN_BOX_WIDTH_PT)):
            lows = [
                max(min(lowest, least), least * _MIN_WIDTH_SHARE, 0.0 if box else word_width)
                for least, box, word_width in zip(self.least, boxes, word_widths, strict=True)
            ]
            give = [(least - low) * (box is kind) for least, low, box in zip(self.least, lows, boxes, strict=True)]
            part = min(1.0, max(0.0, sum(self.least) - room) / sum(give)) if sum(give) else 0.0
            self.least = [least - part * spared for least, spared in zip(self.least, give, strict=True)]
            min_share = self.pen.glyphs.theme.min_text_size / self.style.row
            word_widths[0] = first_word * min(1.0, max(_MIN_WORD_SHARE, min_share))
        self.title_scale = min(1.0, self.least[0] / max(1.0, first_word))
        self.most = [max(pair) if box else pair[0] for *pair, box in zip(self.least, self.most, boxes, strict=True)]
        spare = room - sum(self.least)
        if spare < -0.01:
            narrow = sum(least for least, box in zip(self.least, boxes, strict=True) if box) / max(1, sum(boxes))
            count = max(1, int((room - sum(self.least) + narrow * sum(boxes)) / narrow))
            message = f"The score sheet has {sum(boxes)} columns, and at most {count} columns fit."
            hint = "Use fewer columns or shorter names of rows, or choose a larger paper or another layout."
            raise InvalidError(message, hint=hint)
        bounds = zip(self.least, self.most, self.grid.widths, strict=True)
        growth = [(most - least) * width.share for least, most, width in bounds]
        part = min(1.0, spare / sum(growth)) if sum(growth) else 0.0
        widths = [least + part * grown for least, grown in zip(self.least, growth, strict=True)]
        widths[0 if boxes[1] or len(widths) < 3 else 1] += room - sum(widths)
        return widths

    def _cell_width(self, line: Cells, cell: Cell) -> float:
        column = next(n for n, other in enumerate(line) if other is cell)
        return sum(self.widths[column : column + cell.columns])

    # --- heights ---

    @cached_property
    def head_heights(self) -> Sequence[float]:
        """The heights of the header lines, in points."""
        return [self._line_height(GridLine(cells)) for cells in self.grid.heads]

    @cached_property
    def _heights(self) -> Sequence[float]:
        """The heights of all lines, in points; lines side by side have the same height."""
        return [self._line_height(line) for line in self.lines]

    def _line_height(self, line: GridLine) -> float:
        cells = [cell for cell in line.cells if cell]
        own = max((self._height(line.cells, cell) / cell.rows for cell in cells), default=0.0)
        return max(own, _SECTION_HEIGHT_PT) if _is_section(line) else own

    def _height(self, line: Cells, cell: Cell) -> float:
        """Return the minimum height of a cell in points."""
        width, style = self._cell_width(line, cell), self.style
        if cell.box and cell.look == "head":
            return max(style.name_line, self.name_lines * 1.2 * self.name_size + 10)
        if cell.ticks:
            return style.tick
        if cell.box:
            high = style.row_height if not self.grid.title else min(style.row_height, style.list_line)
            return style.tick if cell.box.kind == "tick" else high
        room = width - 2 * _PADDING_PT - self._sign_width(cell)
        high = self._wrap(cell.words, *self._letters(cell), room) if cell.words else 0.0
        if cell.hint:
            high += self._wrap(cell.hint, look.ITALIC, style.text, room)
        return high + 4 if high else 0.0

    def _wrap(self, words: str, face: str, size: float, width: float, **style: Any) -> float:
        key = (words, face, size, round(width, 2))
        if key not in self.pen.heights:
            paragraph = self._paragraph(words, face, size, width, Tag("P"), **style)
            self.pen.heights[key] = paragraph.wrapOn(self.pen.canvas, width, 10_000)[1]
        return self.pen.heights[key]

    def _paragraph(self, words: str, face: str, size: float, width: float, tag: Tag, **style: Any) -> Any:
        plain = self.pen.plain and face not in (look.ITALIC, look.TEXT)
        return self.pen.words(words, face, size, width, tag, plain=plain, **style)

    # --- breaking ---

    def _rows(self, lines: Sequence[GridLine]) -> int:
        return -(-len(lines) // self.blocks)

    def _row_heights(self, lines: Sequence[GridLine]) -> list[float]:
        """Return the heights of the rows, each of which has a line of every block."""
        rows, start = self._rows(lines), len(self.lines) - len(lines)
        heights = self._heights
        return [max(heights[start + at] for at in range(row, len(lines), rows)) for row in range(rows)]

    def wrap(self, _wide: float, _high: float) -> tuple[float, float]:
        """Return the width of the grid, and the height of its header and lines."""
        self.width, self.height = self.full, sum(self.head_heights) + sum(self._row_heights(self.lines))
        return self.width, self.height

    def split(self, _wide: float, high: float) -> list[Any]:
        """Return two grids, the first with as many lines as fit, or [] if only a few lines would fit."""
        room = high - sum(self.head_heights)
        if room // max(self._heights) < min(3, self._rows(self.lines)):
            return []
        sums = accumulate(self._heights if self.blocks == 1 else [max(self._heights)] * self._rows(self.lines))
        count = min(len(self.lines), sum(height <= room for height in sums) * self.blocks)
        while 0 < count < len(self.lines) and (self.lines[count].joined or _is_section(self.lines[count - 1])):
            count -= 1
        if not 0 < count < len(self.lines):
            return []
        first, rest = copy(self), copy(self)
        for part, lines in ((first, self.lines[:count]), (rest, self.lines[count:])):
            part.lines = lines
            part.__dict__.pop("_heights", None)
        rest.is_first = False
        return [first, rest]

    # --- drawing ---

    def draw(self) -> None:
        """Draw block after block from the top, each a table of its own."""
        rows, heights = self._rows(self.lines), self._row_heights(self.lines)
        self.drawn = not self.is_first
        for block in range(self.blocks):
            lines = self.lines[block * rows : (block + 1) * rows]
            if lines:
                self._draw_block(lines, heights[: len(lines)], block * (sum(self.widths) + _BLOCK_GAP_PT))
                self.drawn = True

    def _draw_block(self, lines: Sequence[GridLine], heights: Sequence[float], left: float) -> None:
        table, width, canvas = self.tag.add("Table"), sum(self.widths), self.pen.canvas
        head, top = self.head_heights, self.height
        for number, (cells, height) in enumerate(zip(self.grid.heads, head, strict=True)):
            kind, y = next(cell.look for cell in reversed(cells) if cell), top - sum(head[: number + 1])
            canvas.fill({"head": look.HEAD, "label": look.PANEL_DARK}.get(kind, look.PAPER))
            canvas.pen(look.HEAD_LINE, 0.6)
            canvas.rect(left, y, width, height, stroke=kind == "head", fill=kind != "hint")
        self._draw_grounds(lines, heights, left, top - sum(head))
        for number, cells in enumerate(self.grid.heads):
            self._draw_cells(cells, head[number:], (left, top - sum(head[:number])), table)
        y = top - sum(head)
        for number, line in enumerate(lines):
            self._draw_cells(line.cells, heights[number:], (left, y), table)
            y -= heights[number]
        canvas.pen(look.ACCENT, 1)
        canvas.line(left, y, left + width, y)

    def _draw_grounds(self, lines: Sequence[GridLine], heights: Sequence[float], left: float, y: float) -> None:
        """Draw the ground of every other group of lines, and a line above each; sections begin the pattern again."""
        canvas, width, even = self.pen.canvas, sum(self.widths), True
        for number, (line, height) in enumerate(zip(lines, heights, strict=True)):
            even = True if _is_section(line) else even if line.joined else not even
            is_total = any(cell and cell.look == "total" for cell in line.cells)
            if not even and not is_total:
                canvas.fill(look.PANEL)
                canvas.rect(left, y - height, width, height, stroke=0, fill=1)
            if number and not line.joined:
                canvas.pen(look.ACCENT if is_total or _is_section(line) else look.LINE, 1 if is_total else 0.4)
                canvas.line(left, y, left + width, y)
            y -= height

    def _draw_cells(self, cells: Cells, heights: Sequence[float], corner: tuple[float, float], table: Tag) -> None:
        """Draw a line of cells from its upper left corner."""
        row, (x, top) = table.add("TR"), corner
        for number, cell in enumerate(cells):
            if cell:
                width, height = sum(self.widths[number : number + cell.columns]), sum(heights[: cell.rows])
                looks = _LOOKS[cell.look]
                tag = row.add("TH" if looks.scope else "TD", scope=looks.scope)
                tag.rows, tag.columns = cell.rows, cell.columns
                self._draw_cell(cell, (x, top - height, width, height), tag)
            x += self.widths[number]

    def _draw_cell(self, cell: Cell, place: tuple[float, float, float, float], tag: Tag) -> None:
        x, y, width, height = place
        looks, theme = _LOOKS[cell.look], self.pen.glyphs.theme
        if cell.ticks:
            self._draw_ticks(cell, place, tag)
            return
        if cell.box and not (cell.look == "head" and self.drawn):
            self._draw_box(cell, place, tag)
            return
        if cell.icon:
            sign = self._sign_width(cell)
            side = min(sign - _PADDING_PT, height - 4)
            at: dict[str, Any] = {"size": side, "colour": theme.suit_role(cell.icon), "letter": cell.words}
            icons.draw_sign(self.pen.canvas, theme, cell.icon, x=x + _PADDING_PT, y=y + (height - side) / 2, **at)
            x, width = x + sign, width - sign
        face, size = self._letters(cell)
        words = cell.words
        if cell.box and (name := self.pen.values.get(cell.box.field)):
            words, face, size = name, FIELD_FACE, self.name_size
        colour = theme.suit_role(cell.icon) if cell.icon else looks.colour
        align = 1 if cell.look in ("head", "label", "hint") and cell is not self.grid.heads[0][0] else 0
        parts = [(words, face, colour, size)] if words else []
        if cell.hint:
            parts.append((cell.hint, look.ITALIC, look.MUTED, self.style.text))
        self._draw_words(parts, (x, y, width, height), tag, align)

    def _draw_words(self, parts: Sequence[Any], place: tuple[float, float, float, float], tag: Tag, align: int) -> None:
        x, y, width, height = place
        room = width - 2 * _PADDING_PT
        flowables = []
        for words, face, colour, size in parts:
            paragraph = self._paragraph(words, face, size, room, tag, textColor=colour, alignment=align)
            flowables.append((paragraph, paragraph.wrapOn(self.pen.canvas, room, 10_000)[1]))
        top = y + (height + sum(high for _, high in flowables)) / 2
        for paragraph, high in flowables:
            top -= high
            paragraph.drawOn(self.pen.canvas, x + _PADDING_PT, top)

    def _draw_ticks(self, cell: Cell, place: tuple[float, float, float, float], tag: Tag) -> None:
        """Draw boxes to tick side by side, each before its words."""
        x, y, width, height = place
        for words, box in cell.ticks:
            self.pen.tick(Item(words, box, tag, width), (x + _PADDING_PT, y + height / 2), width)
            x += width / len(cell.ticks)

    def _side_margin(self, cell: Cell, width: float) -> float:
        """Return the white at each side of a box; a box across several columns is aligned with their boxes."""
        if cell.look == "head":
            return 3.0
        column = width / cell.columns
        aside = min(3 * MM, (column - _MIN_INNER_WIDTH_PT) / 2, column * 0.06)
        is_number = cell.box is not None and cell.box.kind == "number"
        return max(aside, (width - MAX_BOX_WIDTH_MM * MM) / 2) if is_number else aside

    def _draw_box(self, cell: Cell, place: tuple[float, float, float, float], tag: Tag) -> None:
        """Draw a box, which fills its cell in a low line, and has white around it in a higher one."""
        (x, y, width, height), box = place, cell.box
        assert box is not None
        if box.kind == "tick":
            side = min(height, width, 4.5 * self.style.text / 10 * MM)
            self.pen.box(box, (x + (width - side) / 2, y + (height - side) / 2, side, side), tag)
            return
        is_low = height < ROUND_HEIGHT_PT
        above = 0.0 if is_low else min(1.4 * MM, max(0.4 * MM, (height - WRITABLE_HEIGHT_PT) / 2))
        above = 2.5 if cell.look == "head" else above
        aside = 0.0 if is_low and cell.look != "head" else self._side_margin(cell, width)
        inner = (x + aside, y + above, width - 2 * aside, height - 2 * above)
        looks = {"size": self.name_size} if cell.look == "head" or box.key == PLAYER else {}
        self.pen.box(box, inner, tag, middle=cell.look == "head", **looks)


def _is_section(line: GridLine) -> bool:
    return any(cell and cell.look == "section" for cell in line.cells)
