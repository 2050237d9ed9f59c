"""Tables of a note: column widths computed from their words, and head rows repeated at every page break."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Any

from msgspec import structs

from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text import picture_nodes
from vaultkit.sheets.text.dice_code import spell_dice
from vaultkit.sheets.text.html_blocks import HtmlCell
from vaultkit.sheets.text.html_tags import fold_line
from vaultkit.sheets.text.inline import Inline, embeds_note
from vaultkit.sheets.text.paragraphs import is_inline_picture
from vaultkit.theme import image_transcoding
from vaultkit.theme import model as look
from vaultkit.vault.markdown import Node

Styles = tuple[Any, Any]
Picture = Callable[[Node, float, Tag | None], Any]
"""A function that makes the flowable of a picture from its node, a maximum width in points, and a parent tag.

It raises UnusablePicture.
"""
_ALIGNMENTS = {"Center": 1, "Right": 2}
_SIDE_PADDING_PT, _TOP_PADDING_PT, _BOTTOM_PADDING_PT = 4.0, 2.2, 3.0
"""The padding around the text of a cell, in points: left and right, above, below."""
_MAX_SIMPLE_TABLE_ROWS, _MAX_HEAD_CELL_CHARS = 80, 200
"""Limits that decide whether a table is a `LongTable`.

It is one if it has more rows than the first, and no cell of its head has more characters than the second.
"""
_MIN_COLUMN_WIDTH_PT = 14.0
_PICTURE_WIDTH_PT = 72.0
"""The width in points of a picture in a cell, if the note gives none."""
_WRAPPED_CELL_WIDTH_PT = 88.0
"""The preferred width in points of a column whose text needs several lines."""
_MAX_WORD_WIDTH_PT = 140.0
"""The width in points above which a word may be broken."""
_ROUNDING_TOLERANCE_PT = 0.5
_PICTURE_KINDS = {"Figure", "LinePicture"}
_MAX_COLUMN_EXCESS_RATIO = 1.6
"""The width, relative to a column, above which a table with each cell on one line is set across the page."""
_MAX_WHOLE_TABLE_ROWS = 14
_WIDTH_STEP_PT, _MAX_WIDTH_STEPS, _LINE_BREAK_FACTOR = 6.0, 12, 1.06
"""The points moved between two columns at once, the most such moves, and the factor by which breaks lengthen text."""


def note_tables(
    node: Node, inline: Inline, under: Tag, *, size: float, room: float, full: float, row_heads: bool,
    picture: Picture | None,
) -> Iterator[tuple[Any, bool, bool]]:  # fmt: skip
    """Yield each part of a table: its flowable, whether it spans the page, and whether it is kept in one piece.

    The table spans the page if `column_width` is too narrow for it and `page_width` is larger (both in points). If its
    longest words do not fit side by side even then, it is split into several parts. Each part begins with the first
    column, which is an artifact where it is repeated. With `has_row_heads`, that column holds the row headings.
    `make_picture` makes the pictures; without it they are replaced by their names. A table whose node has the text
    `filled` takes the whole width. The tags are added to `parent_tag`.
    """
    measures = _measure_table(node, inline, size, picture)
    rows, heads, least, long = measures.rows, measures.heads, measures.least, measures.long
    span = measures.is_wider(room, full)
    width = full if span else room
    most = [max(pair) for pair in zip(least, measures.most, strict=True)]
    first = "TH" if row_heads else "TD"
    parts = _split_columns(least, width)
    if len(parts) > 1 or len(rows) > _MAX_SIMPLE_TABLE_ROWS:
        rows = [[Node(cell.kind, children=cell.children) for cell in row] for row in rows]
    for part, columns in enumerate(parts):
        part_rows = [[row[n] for n in columns] for row in rows]
        narrow, wide = [least[n] for n in columns], [most[n] for n in columns]
        fill = span or node.text == "filled"
        widths = _distribute_width(narrow, wide, width - 2 * _SIDE_PADDING_PT * len(columns), fill)
        widths = _reduce_lines(widths, narrow, [[row[n] for n in columns] for row in long])
        aligned = [node.columns[n] for n in columns]
        kinds = ["" if part else first, *["TD"] * (len(columns) - 1)]
        cell_columns = [
            CellColumn(cell_styles(inline, size, 1.22, _ALIGNMENTS.get(align, 0)), kind, width, picture)
            for align, kind, width in zip(aligned, kinds, widths, strict=True)
        ]
        yield (
            _make_table(part_rows, cell_columns, inline, under.add("Table"), heads),
            span,
            len(rows) <= _MAX_WHOLE_TABLE_ROWS,
        )


def is_wide_table(node: Node, inline: Inline, *, size: float, room: float, full: float) -> bool:
    """Return whether a table is set across the page, because a column is too narrow for it; widths are in points."""
    return _measure_table(node, inline, size, None).is_wider(room, full)


@dataclass(frozen=True)
class _TableMeasures:
    """The measures of a table. All widths are in points.

    The first `heads` of its `rows` are its head. `least` holds the width of the longest word of each column, and `long`
    the width of each cell on one line, row by row.
    """

    rows: list[list[Node]]
    heads: int
    least: list[float]
    long: list[list[float]]

    @property
    def most(self) -> list[float]:
        """The width of each column if no cell in it is broken into lines."""
        return [max(column) for column in zip(*self.long, strict=True)]

    def is_wider(self, room: float, full: float) -> bool:
        """Return whether the table needs the width of the page because a column is too narrow; widths are in points."""
        most = self.most
        comfortable = sum(
            min(m, max(n, _WRAPPED_CELL_WIDTH_PT)) + 2 * _SIDE_PADDING_PT for n, m in zip(self.least, most, strict=True)
        )
        return full > room and (comfortable > room + 0.5 or sum(most) > _MAX_COLUMN_EXCESS_RATIO * room)


def _measure_table(node: Node, inline: Inline, size: float, picture: Picture | None) -> _TableMeasures:
    kinds = [row.kind for row in node.children]
    rows = [row_cells(row, len(node.columns)) for row in node.children]
    rows = [[_prepare_pictures(cell, picture, inline) for cell in row] for row in rows]
    if len(rows) > 1 and not any(cell.words().strip() or cell.children for cell in rows[0]):
        del rows[0], kinds[0]
    heads = sum(1 for _ in takewhile(lambda kind: kind == "TableHead", kinds))
    faces = [look.BOLD] * heads + [look.TEXT] * (len(rows) - heads)
    cells = [[_measure(cell, inline, size, face) for cell in row] for row, face in zip(rows, faces, strict=True)]
    least = [max(_MIN_COLUMN_WIDTH_PT, *(word for word, _ in column)) for column in zip(*cells, strict=True)]
    return _TableMeasures(rows, heads, least, [[length for _, length in row] for row in cells])


def _split_columns(minimum: list[float], width: float) -> list[list[int]]:
    """Return the column indices of each part of a table, so that a part is at most `width` points wide if possible.

    Each part begins with the first column. A table of one or two columns is never split.
    """
    needed_widths = [n + 2 * _SIDE_PADDING_PT for n in minimum]
    if sum(needed_widths) <= width or len(minimum) < 3:
        return [list(range(len(minimum)))]
    parts: list[list[int]] = [[0]]
    for column in range(1, len(minimum)):
        if len(parts[-1]) > 1 and sum(needed_widths[n] for n in parts[-1]) + needed_widths[column] > width:
            parts.append([0])
        parts[-1].append(column)
    return parts


@dataclass(frozen=True)
class CellColumn:
    """The settings of a column: its text styles, the `kind` of its tags, its width in points, and a picture factory.

    With an empty `kind`, its cells have no tags.
    """

    styles: Styles
    kind: str = "TD"
    width: float = 0.0
    picture: Picture | None = None


def _make_table(rows: list[list[Node]], columns: Sequence[CellColumn], inline: Inline, tag: Tag, heads: int) -> Any:
    from vaultkit.sheets.text.flowables import LongTable, Table

    grid, widths = cell_grid(rows, columns, inline, tag, heads), [column.width for column in columns]
    wide = [w + 2 * _SIDE_PADDING_PT for w in widths]

    def made(part: Sequence[Any], ends: bool) -> Any:
        table = Table(part, wide, repeatRows=heads, hAlign="LEFT", spaceBefore=6, spaceAfter=8)
        table.setStyle(_table_style(heads, inline.glyphs.theme, ends=ends, spans=_span_commands(rows)))
        return table

    if len(grid) <= _MAX_SIMPLE_TABLE_ROWS or any(
        len(cell.words()) > _MAX_HEAD_CELL_CHARS for row in rows[: heads or 1] for cell in row
    ):
        return made(grid, True)
    return LongTable(grid, widths, made, head=heads, padding=_TOP_PADDING_PT + _BOTTOM_PADDING_PT)


def cell_grid(
    rows: list[list[Node]], columns: Sequence[CellColumn], inline: Inline, tag: Tag, heads: int
) -> list[list[Any]]:
    """Return the cells row by row, with their tags added to `tag`.

    A cell is a paragraph, or a list of flowables if it has pictures, or "" if another cell covers it.
    """
    grid = []
    for number, row in enumerate(rows):
        head, line = number < heads, tag.add("TR")
        grid.append([_cell(cell, column, inline, line, head) for cell, column in zip(row, columns, strict=True)])
    return grid


def _cell(cell: Node, column: CellColumn, inline: Inline, line: Tag, head: bool) -> Any:
    tag, kind, style = None, column.kind, column.styles[head]
    if isinstance(cell, HtmlCell) and cell.covered:
        return ""
    if kind:
        tag = line.add("TH", scope="Column") if head else line.add(kind, scope={"TH": "Row"}.get(kind, ""))
    if tag and isinstance(cell, HtmlCell):
        tag.columns, tag.rows = cell.wide, cell.high
    if column.picture is None or not any(child.kind == "Figure" for child in cell.children):
        return _words(cell.children, style, inline, tag, head=head)
    parts: list[Any] = []
    for is_picture, group in groupby(cell.children, key=lambda child: child.kind == "Figure"):
        nodes = list(group)
        if is_picture:
            parts += [column.picture(node, column.width, tag) for node in nodes]
        elif "".join(node.words() for node in nodes).strip():
            parts.append(_words(nodes, style, inline, tag and tag.add("P"), head=head))
    return parts


def _words(nodes: list[Node], style: Any, inline: Inline, tag: Tag | None, *, head: bool) -> Any:
    from vaultkit.sheets.text.tagged_text import TaggedParagraph

    markup = replace(inline, dark=head).line(nodes, look.BOLD if head else look.TEXT)
    return TaggedParagraph(markup, style, tag=tag, once=head, pictures=inline.pictures)


def _prepare_pictures(cell: Node, picture: Picture | None, inline: Inline) -> Node:
    """Return a copy of the cell whose pictures are sorted by kind.

    Inline pictures become nodes of the kind `LinePicture`, and other ones, which are stacked, of the kind `Figure`.
    Unusable ones become words.
    """
    if not any(child.kind == "Image" for child in cell.children):
        return cell
    children: list[Node] = []
    for child in cell.children:
        in_line = is_inline_picture(child, cell.children, inline)
        children += (
            [structs.replace(child, kind="LinePicture")]
            if in_line
            else _replace_unusable_picture(child, picture, inline)
        )
    return structs.replace(cell, children=children)


def _replace_unusable_picture(node: Node, picture: Picture | None, inline: Inline) -> list[Node]:
    if node.kind != "Image" or picture is None or embeds_note(node):
        return [node]
    try:
        picture(node, _PICTURE_WIDTH_PT, None)
    except image_transcoding.UnusablePicture as problem:
        return picture_nodes.replace_picture(node, problem, nameless=inline.nameless)
    return [structs.replace(node, kind="Figure")]


def row_cells(row: Node, columns: int) -> list[Node]:
    """Return the cells of a row, cut or extended to the number of columns."""
    cells = [structs.replace(cell, children=spell_dice(fold_line(cell.children))) for cell in row.children[:columns]]
    return [*cells, *[Node("TableCell")] * (columns - len(row.children))]


def _measure(cell: Node, inline: Inline, size: float, face: str) -> tuple[float, float]:
    """Return the width of a cell's longest word with the mark after it, and that of the cell on one line, in points."""
    face = look.BOLD if any(child.kind == "Strong" for child in cell.children) else face
    words = "".join("  " if child.kind in _PICTURE_KINDS else child.words() for child in cell.children).split()
    code = {word for child in cell.children if child.kind == "Code" for word in child.words().split()}
    widths = [inline.glyphs.width(word, look.MONO if word in code else face, size) for word in words[:400]]
    extra = 7.0 if any(child.kind in {"Link", "Code"} for child in cell.children) else 2.0
    mark = max(extra, max(inline.reference_width(node) for node in cell.walk()) + _ROUNDING_TOLERANCE_PT)
    length = sum(widths) + mark + 2.9 * max(len(words) - 1, 0)
    wide = max((_picture_width(child) for child in cell.children if child.kind in _PICTURE_KINDS), default=0.0)
    columns = cell.wide if isinstance(cell, HtmlCell) else 1
    return (
        max(wide, min(max(widths, default=0), _MAX_WORD_WIDTH_PT) + mark) / columns,
        max(_MIN_COLUMN_WIDTH_PT, length / columns, wide / columns),
    )


def _picture_width(node: Node) -> float:
    """Return the width of a picture in a cell, in points."""
    _, size = picture_nodes.size_of(node)
    return min(size[0], _MAX_WORD_WIDTH_PT) if size else _PICTURE_WIDTH_PT


def _reduce_lines(widths: list[float], minimum: list[float], lengths: list[list[float]]) -> list[float]:
    """Return the column widths after moving space between columns as long as that saves lines."""
    best, lines = list(widths), _count_lines(widths, lengths)
    for _ in range(_MAX_WIDTH_STEPS):
        moves = [
            (_count_lines(trial, lengths), trial)
            for step in (_WIDTH_STEP_PT, 3 * _WIDTH_STEP_PT, 6 * _WIDTH_STEP_PT)
            for giver in range(len(best))
            for taker in range(len(best))
            if giver != taker and best[giver] - step >= minimum[giver]
            for trial in [[w + step * ((n == taker) - (n == giver)) for n, w in enumerate(best)]]
        ]
        fewest, trial = min(moves, default=(lines, best))
        if fewest >= lines:
            return best
        best, lines = trial, fewest
    return best


def _count_lines(widths: list[float], lengths: list[list[float]]) -> tuple[int, int]:
    """Return the estimated number of lines in all rows, and in all cells.

    The estimate takes into account that a broken line is rarely full.
    """
    rows = [
        [
            1 if long <= wide else math.ceil(long * _LINE_BREAK_FACTOR / wide)
            for long, wide in zip(row, widths, strict=True)
        ]
        for row in lengths
    ]
    return sum(map(max, rows)), sum(map(sum, rows))


def _distribute_width(minimum: list[float], limit: list[float], width: float, fill: bool) -> list[float]:
    """Return column widths that add up to `width`, or to less if every cell fits on one line.

    With `fills_width` they always add up to `width`.
    """
    if sum(limit) <= width:
        spare = (width - sum(limit)) / len(limit) if fill else 0
        return [m + spare for m in limit]
    if sum(minimum) >= width:
        return [n * width / sum(minimum) for n in minimum]
    wish = [max(m - n, 0.01) ** 0.75 for n, m in zip(minimum, limit, strict=True)]
    widths = list(minimum)
    for _ in range(4):
        spare = width - sum(widths)
        open_columns = [n for n in range(len(widths)) if widths[n] < limit[n] - 0.01]
        total = sum(wish[n] for n in open_columns)
        if spare < 0.5 or not total:
            break
        for n in open_columns:
            widths[n] = min(limit[n], widths[n] + spare * wish[n] / total)
    return widths


def cell_styles(inline: Inline, size: float, leading: float, alignment: int = 0) -> Styles:
    """Return the paragraph styles of body cells and of head cells; `leading` is a multiple of the font size."""
    make, high = inline.glyphs.theme.style, size * leading
    head = make(look.BOLD, size, high, alignment=alignment, textColor=look.ON_HEAD)
    return make(look.TEXT, size, high, alignment=alignment), head


def padding_commands(
    side: float, above: float, below: float, start: tuple[int, int] = (0, 0), end: tuple[int, int] = (-1, -1)
) -> list[Any]:
    """Return ReportLab's commands for the padding, in points, of a table's cells from `start` to `end`."""
    padding = {"LEFT": side, "RIGHT": side, "TOP": above, "BOTTOM": below}
    white = [(f"{name}PADDING", start, end, points) for name, points in padding.items()]
    return [("VALIGN", start, end, "TOP"), *white]


def head_commands(theme: look.Theme, line: float, rows: int = 1) -> list[Any]:
    """Return ReportLab's commands for the background of a table head and the line around it."""
    ground, outline, end = theme.colour(look.HEAD), theme.colour(look.HEAD_LINE), (-1, rows - 1)
    return [("BACKGROUND", (0, 0), end, ground), ("BOX", (0, 0), end, line, outline)]


def _span_commands(rows: Sequence[Sequence[Node]]) -> list[Any]:
    """Return ReportLab's commands for cells that span several columns or rows."""
    return [
        ("SPAN", (x, y), (x + cell.wide - 1, y + cell.high - 1))
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if isinstance(cell, HtmlCell) and (cell.wide > 1 or cell.high > 1)
    ]


def _table_style(heads: int, theme: look.Theme, *, ends: bool, spans: Sequence[Any]) -> Any:
    from vaultkit.sheets.text.flowables import TableStyle

    plain = theme.ink_saver or any(first[1] != last[1] for _, first, last in spans)
    panel = None if plain else theme.colour(look.PANEL)  # a white ground would hide half of the lines
    commands = [
        *padding_commands(_SIDE_PADDING_PT, _TOP_PADDING_PT, _BOTTOM_PADDING_PT),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, theme.colour(look.LINE)),
        ("ROWBACKGROUNDS", (0, heads), (-1, -1), [None, panel]),
    ]
    top = (
        head_commands(theme, 0.6, heads) if heads else [("LINEABOVE", (0, 0), (-1, 0), 0.8, theme.colour(look.ACCENT))]
    )
    foot = [("LINEBELOW", (0, -1), (-1, -1), 0.8, theme.colour(look.ACCENT))] if ends else []
    return TableStyle([*commands, *foot, *top, *spans])
