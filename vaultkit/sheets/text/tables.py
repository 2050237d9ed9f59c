"""Tables of a note: columns measured by their words, and head rows repeated at every page break."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, takewhile
from typing import Any

from msgspec import structs

from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text import picture_nodes
from vaultkit.sheets.text.column_widths import distribute_width, reduce_lines, split_columns
from vaultkit.sheets.text.dice_code import spell_dice
from vaultkit.sheets.text.flowables import MirroredTable, Table, TableStyle
from vaultkit.sheets.text.html_blocks import HtmlCell, Span, find_spans
from vaultkit.sheets.text.html_styles import ALIGNMENTS as HTML_ALIGNMENTS
from vaultkit.sheets.text.html_styles import PLAIN, HtmlStyle
from vaultkit.sheets.text.html_tags import fold_line
from vaultkit.sheets.text.inline import Inline, embeds_note
from vaultkit.sheets.text.paragraphs import is_inline_picture
from vaultkit.sheets.text.spanned_table import SpannedTable
from vaultkit.sheets.text.tagged_text import TaggedParagraph
from vaultkit.theme import image_transcoding
from vaultkit.theme import model as look
from vaultkit.theme.bidi import runs_right_to_left
from vaultkit.theme.line_breaks import split_words
from vaultkit.vault.markdown import Node

Styles = tuple[Any, Any]
PictureFactory = Callable[[Node, float, Tag | None], Any]
"""A function that makes the flowable of a picture from its node, a maximum width in points, and a parent tag.

It raises UnusablePicture.
"""
ALIGNMENTS = {"Center": 1, "Right": 2}
_SIDE_PADDING_PT, _TOP_PADDING_PT, _BOTTOM_PADDING_PT = 4.0, 2.2, 3.0
"""The padding around the text of a cell, in points: left and right, above, below."""
_MAX_SIMPLE_TABLE_ROWS, _MAX_HEAD_CELL_CHARS = 80, 200
"""Limits that decide whether a table without spanning cells is a `SpannedTable`, since ReportLab's own is slow.

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
_STAND_INS = {"Figure": "  ", "LinePicture": "  ", "WritingBox": " 00000 "}
"""The text that is measured in place of a drawing, by the kind of its node."""
_MAX_COLUMN_EXCESS_RATIO = 1.6
"""The width, relative to a column, above which a table with each cell on one line is set across the page."""
_MAX_WHOLE_TABLE_ROWS = 14


def note_tables(
    node: Node, inline: Inline, parent_tag: Tag, *, size: float, column_width: float, page_width: float,
    has_row_heads: bool, make_picture: PictureFactory | None,
) -> Iterator[tuple[Any, bool, bool]]:  # fmt: skip
    """Yield each part of a table: its flowable, whether it spans the page, and whether it is kept in one piece.

    The table spans the page if `column_width` is too narrow for it and `page_width` is larger (both in points). If its
    longest words do not fit side by side even then, it is split into several parts. Each part begins with the first
    column, which is an artifact where it is repeated. With `has_row_heads`, that column holds the row headings.
    `make_picture` makes the pictures; without it they are replaced by their names. A table whose node has the text
    `filled` takes the whole width. The tags are added to `parent_tag`.
    """
    measures = _measure_table(node, inline, size, make_picture)
    rows, head_count, min_widths, cell_lengths = measures.rows, measures.heads, measures.least, measures.long
    spans_page = measures.is_wider(column_width, page_width)
    table_width = page_width if spans_page else column_width
    max_widths = [max(pair) for pair in zip(min_widths, measures.most, strict=True)]
    first_kind = "TH" if has_row_heads else "TD"
    parts = split_columns([width + 2 * _SIDE_PADDING_PT for width in min_widths], table_width)
    if len(parts) > 1:
        rows = [list(map(_without_spans, row)) for row in rows]
    for part_index, columns in enumerate(parts):
        part_rows = [[row[n] for n in columns] for row in rows]
        part_min_widths, part_max_widths = [min_widths[n] for n in columns], [max_widths[n] for n in columns]
        fills_width = spans_page or node.text == "filled"
        inner_width = table_width - 2 * _SIDE_PADDING_PT * len(columns)
        widths = distribute_width(part_min_widths, part_max_widths, inner_width, fills_width)
        widths = reduce_lines(widths, part_min_widths, [[row[n] for n in columns] for row in cell_lengths])
        alignments = [node.columns[n] for n in columns]
        kinds = ["" if part_index else first_kind, *["TD"] * (len(columns) - 1)]
        cell_columns = [
            CellColumn(cell_styles(inline, size, 1.22, ALIGNMENTS.get(align, 0)), kind, table_width, make_picture)
            for align, kind, table_width in zip(alignments, kinds, widths, strict=True)
        ]
        table = _make_table(part_rows, cell_columns, inline, parent_tag.add("Table"), head_count)
        yield table, spans_page, len(rows) <= _MAX_WHOLE_TABLE_ROWS


def is_wide_table(node: Node, inline: Inline, *, size: float, column_width: float, page_width: float) -> bool:
    """Return whether a table is set across the page, because a column is too narrow for it; widths are in points."""
    return _measure_table(node, inline, size, None).is_wider(column_width, page_width)


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

    def is_wider(self, column_width: float, page_width: float) -> bool:
        """Return whether the table needs the width of the page because a column is too narrow; widths are in points."""
        max_widths = self.most
        widths = zip(self.least, max_widths, strict=True)
        preferred_width = sum(min(m, max(n, _WRAPPED_CELL_WIDTH_PT)) + 2 * _SIDE_PADDING_PT for n, m in widths)
        max_width = _MAX_COLUMN_EXCESS_RATIO * column_width
        return page_width > column_width and (preferred_width > column_width + 0.5 or sum(max_widths) > max_width)


def _measure_table(node: Node, inline: Inline, size: float, make_picture: PictureFactory | None) -> _TableMeasures:
    kinds = [row.kind for row in node.children]
    rows = [row_cells(row, len(node.columns)) for row in node.children]
    rows = [[_prepare_pictures(cell, make_picture, inline) for cell in row] for row in rows]
    if len(rows) > 1 and not any(cell.words().strip() or cell.children for cell in rows[0]):
        del rows[0], kinds[0]
    head_count = sum(1 for _ in takewhile(lambda kind: kind == "TableHead", kinds))
    faces = [look.BOLD] * head_count + [look.TEXT] * (len(rows) - head_count)
    pairs = zip(rows, faces, strict=True)
    cell_measures = [_measure_row(row, inline, size, face) for row, face in pairs]
    columns = zip(*cell_measures, strict=True)
    min_widths = [max(_MIN_COLUMN_WIDTH_PT, *(word for word, _ in column)) for column in columns]
    return _TableMeasures(rows, head_count, min_widths, [[length for _, length in row] for row in cell_measures])


@dataclass(frozen=True)
class CellColumn:
    """The settings of a column: its text styles, the `kind` of its tags, its width in points, and a picture factory.

    With an empty `kind`, its cells have no tags.
    """

    styles: Styles
    kind: str = "TD"
    width: float = 0.0
    picture: PictureFactory | None = None


def _make_table(
    rows: list[list[Node]], columns: Sequence[CellColumn], inline: Inline, tag: Tag, head_count: int
) -> Any:
    grid, widths = cell_grid(rows, columns, inline, tag, head_count), [column.width for column in columns]
    kind, grid, widths, spans = arrange_columns(rows, grid, widths)
    padded_widths = [w + 2 * _SIDE_PADDING_PT for w in widths]
    is_long, spans_rows = len(grid) > _MAX_SIMPLE_TABLE_ROWS, any(y != last_y for _, y, _, last_y in spans)

    def make_table(part: Sequence[Any], ends: bool, part_spans: Sequence[Span] = ()) -> Any:
        table = kind(part, padded_widths, repeatRows=head_count, hAlign="LEFT", spaceBefore=6, spaceAfter=8)
        is_plain = inline.glyphs.theme.ink_saver or spans_rows  # a white ground would hide half of the lines
        commands = [*(("SPAN", span[:2], span[2:]) for span in part_spans), *_ground_commands(part, part_spans)]
        table.setStyle(_table_style(head_count, inline.glyphs.theme, has_end=ends, is_plain=is_plain, spans=commands))
        return table

    head_cells = (cell for row in rows[: head_count or 1] for cell in row)
    may_be_broken = spans or all(len(cell.words()) <= _MAX_HEAD_CELL_CHARS for cell in head_cells)
    if not spans_rows and not (is_long and may_be_broken):
        return make_table(grid, True, spans)
    padding = _SIDE_PADDING_PT, _TOP_PADDING_PT + _BOTTOM_PADDING_PT
    return SpannedTable(grid, spans, widths, make_table, head=head_count, padding=padding)


def arrange_columns(
    rows: Sequence[Sequence[Node]], grid: list[list[Any]], widths: list[float]
) -> tuple[Any, list[list[Any]], list[float], list[Span]]:
    """Return ReportLab's kind of table for rows of cells, its cells, the widths of its columns, and its spans.

    The first column of a table that runs from right to left is at the right; its cells without letters begin there too.
    """
    spans, last = find_spans(rows), len(widths) - 1
    if not runs_right_to_left(" ".join(cell.words() for row in rows for cell in row)):
        return Table, grid, widths, spans
    for paragraph in (part for row in grid for cell in row for part in (cell if isinstance(cell, list) else [cell])):
        style = getattr(paragraph, "style", None)
        if style is not None and not paragraph.is_right_to_left and style.alignment == 0:
            paragraph.style = style.clone(style.name, alignment=2)
    mirrored = [row[::-1] for row in grid]
    for left, top, right, _ in spans:  # ReportLab takes the content at the left
        line = mirrored[top]
        line[last - right], line[last - left] = line[last - left], line[last - right]
    spans = [(last - right, top, last - left, bottom) for left, top, right, bottom in spans]
    return MirroredTable, mirrored, widths[::-1], spans


def cell_grid(
    rows: list[list[Node]], columns: Sequence[CellColumn], inline: Inline, tag: Tag, head_count: int
) -> list[list[Any]]:
    """Return the cells row by row, with their tags added to `tag`.

    A cell is a paragraph, or a list of flowables if it has pictures, or "" if another cell covers it.
    """
    grid = []
    for number, row in enumerate(rows):
        is_head, row_tag = number < head_count, tag.add("TR")
        cells = zip(row, columns, strict=True)
        grid.append([_make_cell(cell, column, inline, row_tag, is_head) for cell, column in cells])
    return grid


def _make_cell(cell: Node, column: CellColumn, inline: Inline, row_tag: Tag, is_head: bool) -> Any:
    tag, kind, style = None, column.kind, column.styles[is_head]
    if isinstance(cell, HtmlCell) and cell.covered:
        return ""
    if kind:
        tag = row_tag.add("TH", scope="Column") if is_head else row_tag.add(kind, scope={"TH": "Row"}.get(kind, ""))
    html_style = cell.style if isinstance(cell, HtmlCell) else PLAIN
    if tag and isinstance(cell, HtmlCell):
        tag.columns, tag.rows = cell.wide, cell.high
    if html_style.alignment:
        style = style.clone(style.name, alignment=HTML_ALIGNMENTS[html_style.alignment])
    make_paragraph = partial(_make_paragraph, style=style, inline=inline, html_style=html_style, is_head=is_head)
    if column.picture is None or not any(child.kind == "Figure" for child in cell.children):
        return make_paragraph(cell.children, tag=tag)
    parts: list[Any] = []
    for is_picture, children in groupby(cell.children, key=lambda child: child.kind == "Figure"):
        nodes = list(children)
        if is_picture:
            parts += [column.picture(node, column.width, tag) for node in nodes]
        elif "".join(node.words() for node in nodes).strip():
            parts.append(make_paragraph(nodes, tag=tag and tag.add("P")))
    return parts


def _make_paragraph(
    nodes: list[Node], *, style: Any, inline: Inline, tag: Tag | None, html_style: HtmlStyle, is_head: bool
) -> Any:
    face, has_ground = look.BOLD if is_head else look.TEXT, not (is_head or inline.glyphs.theme.ink_saver)
    markup = replace(inline, dark=is_head).styled_line(nodes, face, html_style)
    paragraph = TaggedParagraph(markup, style, tag=tag, once=is_head, pictures=inline.pictures)
    paragraph.ground = html_style.ground if has_ground else ""
    return paragraph


def _ground_commands(rows: Sequence[Sequence[Any]], spans: Sequence[Span]) -> Iterator[Any]:
    """Yield ReportLab's commands for the backgrounds of cells of HTML tables."""
    ends = {span[:2]: span[2:] for span in spans}
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            first = cell[0] if isinstance(cell, list) else cell
            if ground := getattr(first, "ground", ""):
                yield "BACKGROUND", (x, y), ends.get((x, y), (x, y)), ground


def _prepare_pictures(cell: Node, make_picture: PictureFactory | None, inline: Inline) -> Node:
    """Return a copy of the cell whose pictures are sorted by kind.

    Inline pictures become nodes of the kind `LinePicture`, and other ones, which are stacked, of the kind `Figure`.
    Unusable ones become words.
    """
    if not any(child.kind == "Image" for child in cell.children):
        return cell
    children: list[Node] = []
    for child in cell.children:
        is_inline = is_inline_picture(child, cell.children, inline)
        children += (
            [structs.replace(child, kind="LinePicture")]
            if is_inline
            else _replace_unusable_picture(child, make_picture, inline)
        )
    return structs.replace(cell, children=children)


def _replace_unusable_picture(node: Node, make_picture: PictureFactory | None, inline: Inline) -> list[Node]:
    if node.kind != "Image" or make_picture is None or embeds_note(node):
        return [node]
    try:
        make_picture(node, _PICTURE_WIDTH_PT, None)
    except image_transcoding.UnusablePicture as error:
        return picture_nodes.replace_picture(node, error, nameless=inline.nameless)
    return [structs.replace(node, kind="Figure")]


def row_cells(row: Node, column_count: int) -> list[Node]:
    """Return the cells of a row, cut or extended to the number of columns."""
    row_cells = row.children[:column_count]
    cells = [structs.replace(cell, children=spell_dice(fold_line(cell.children))) for cell in row_cells]
    return [*cells, *[Node("TableCell")] * (column_count - len(row.children))]


def _measure_row(row: list[Node], inline: Inline, size: float, face: str) -> list[tuple[float, float]]:
    """Return the measures of `_measure_cell` for each cell; a cell over several columns needs its share of each."""
    measures, span_end = list[tuple[float, float]](), 0
    for column, cell in enumerate(row):
        measures.append(measures[-1] if column < span_end else _measure_cell(cell, inline, size, face))
        span_end = max(span_end, column + (cell.wide if isinstance(cell, HtmlCell) else 1))
    return measures


def _measure_cell(cell: Node, inline: Inline, size: float, face: str) -> tuple[float, float]:
    """Return the width of a cell's longest word with the mark after it, and that of the cell on one line, in points."""
    face = look.BOLD if any(child.kind == "Strong" for child in cell.children) else face
    words = split_words("".join(_STAND_INS.get(child.kind) or child.words() for child in cell.children))
    code_words = {word for child in cell.children if child.kind == "Code" for word in child.words().split()}
    bare_words = [word.rstrip() for word in words[:400]]
    widths = [inline.glyphs.measure_width(word, look.MONO if word in code_words else face, size) for word in bare_words]
    min_mark_width = 7.0 if any(child.kind in {"Link", "Code"} for child in cell.children) else 2.0
    mark_width = max(min_mark_width, max(inline.reference_width(node) for node in cell.walk()) + _ROUNDING_TOLERANCE_PT)
    length = sum(widths) + mark_width + 2.9 * sum(word.endswith(" ") for word in words)
    picture_width = max((_picture_width(child) for child in cell.children if child.kind in _PICTURE_KINDS), default=0.0)
    column_span = cell.wide if isinstance(cell, HtmlCell) else 1
    return (
        max(picture_width, min(max(widths, default=0), _MAX_WORD_WIDTH_PT) + mark_width) / column_span,
        max(_MIN_COLUMN_WIDTH_PT, length / column_span, picture_width / column_span),
    )


def _picture_width(node: Node) -> float:
    """Return the width of a picture in a cell, in points."""
    _, size = picture_nodes.size_of(node)
    return min(size[0], _MAX_WORD_WIDTH_PT) if size else _PICTURE_WIDTH_PT


def cell_styles(inline: Inline, size: float, leading: float, alignment: int = 0) -> Styles:
    """Return the paragraph styles of body cells and of head cells; `leading` is a multiple of the font size."""
    make_style, leading_pt = inline.glyphs.theme.style, size * leading
    head = make_style(look.BOLD, size, leading_pt, alignment=alignment, textColor=look.ON_HEAD)
    return make_style(look.TEXT, size, leading_pt, alignment=alignment), head


def padding_commands(side_padding: float, top_padding: float, bottom_padding: float) -> list[Any]:
    """Return ReportLab's commands for the padding, in points, of a table's cells."""
    padding = {"LEFT": side_padding, "RIGHT": side_padding, "TOP": top_padding, "BOTTOM": bottom_padding}
    commands = [(f"{name}PADDING", (0, 0), (-1, -1), points) for name, points in padding.items()]
    return [("VALIGN", (0, 0), (-1, -1), "TOP"), *commands]


def head_commands(theme: look.Theme, line_width: float, row_count: int = 1) -> list[Any]:
    """Return ReportLab's commands for the background of a table head and the line around it."""
    ground, outline, last_cell = theme.colour(look.HEAD), theme.colour(look.HEAD_LINE), (-1, row_count - 1)
    return [("BACKGROUND", (0, 0), last_cell, ground), ("BOX", (0, 0), last_cell, line_width, outline)]


def _without_spans(cell: Node) -> Node:
    return structs.replace(cell, wide=1, high=1, covered=False) if isinstance(cell, HtmlCell) else cell


def _table_style(head_count: int, theme: look.Theme, *, has_end: bool, is_plain: bool, spans: Sequence[Any]) -> Any:
    panel = None if is_plain else theme.colour(look.PANEL)
    commands = [
        *padding_commands(_SIDE_PADDING_PT, _TOP_PADDING_PT, _BOTTOM_PADDING_PT),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, theme.colour(look.LINE)),
        ("ROWBACKGROUNDS", (0, head_count), (-1, -1), [None, panel]),
    ]
    top = [("LINEABOVE", (0, 0), (-1, 0), 0.8, theme.colour(look.ACCENT))]
    if head_count:
        top = head_commands(theme, 0.6, head_count)
    foot_commands = [("LINEBELOW", (0, -1), (-1, -1), 0.8, theme.colour(look.ACCENT))] if has_end else []
    return TableStyle([*commands, *foot_commands, *top, *spans])
