"""Tables of a note: column widths from the words in them, header rows repeated at every break."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Any

from msgspec import structs

from vaultkit.look import images
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text import picture_nodes
from vaultkit.sheets.text.dice_code import spell_dice
from vaultkit.sheets.text.html_blocks import HtmlCell
from vaultkit.sheets.text.html_tags import fold_line
from vaultkit.sheets.text.inline import Inline, embeds_note
from vaultkit.sheets.text.paragraphs import stands_in_line
from vaultkit.vault.markdown import Node

Styles = tuple[Any, Any]
Picture = Callable[[Node, float, Tag | None], Any]
"""Makes the picture that a node names, no wider than so many points, tagged below a tag. Raises UnusablePicture."""
_ALIGNMENTS = {"Center": 1, "Right": 2}
_PAD, _ABOVE, _BELOW = 4.0, 2.2, 3.0
"""White around the words of a cell, in points: left and right, above, below."""
_MANY_ROWS, _LONG_HEAD = 80, 200
"""A table of more rows, with fewer characters in each cell of its head, is split in a way of our own."""
_NARROWEST = 14.0
_PICTURE = 72.0
"""The width of a picture in a cell, in points, where the note gives none."""
_COMFORTABLE = 88.0
"""A cell with more words than fit on one line is happy with this many points."""
_LONGEST = 140.0
"""A word that is longer, in points, may be broken."""
_ROUNDING = 0.5
_DRAWN = {"Figure", "LinePicture"}
_WORDY = 1.6
"""A table whose cells would be this much wider than a column, each on one line, is better set across the page."""
_WHOLE_ROWS = 14
_MOVE, _MOST_MOVES, _RAGGED = 6.0, 12, 1.06
"""Points moved between columns at once, how often, and how much longer words are for being broken into lines."""


def note_tables(
    node: Node, inline: Inline, under: Tag, *, size: float, room: float, full: float, row_heads: bool,
    picture: Picture | None,
) -> Iterator[tuple[Any, bool, bool]]:  # fmt: skip
    """The table; whether it needs the page's `full` width, not a column's `room` (points); whether it is best whole.

    Its tags go under `under`. If its longest words do not fit side by side even so, it comes in several parts, each
    with the first column, which is an artifact where it is repeated. With `row_heads`, that column names the rows.
    `picture` makes the pictures in it; without one they are named. A `filled` table is as wide as there is room.
    """
    measured = _measured(node, inline, size, picture)
    rows, heads, least, long = measured.rows, measured.heads, measured.least, measured.long
    span = measured.is_wider(room, full)
    width = full if span else room
    most = [max(pair) for pair in zip(least, measured.most, strict=True)]
    first = "TH" if row_heads else "TD"
    parts = _parts(least, width)
    if len(parts) > 1 or len(rows) > _MANY_ROWS:
        rows = [[Node(cell.kind, children=cell.children) for cell in row] for row in rows]
    for part, columns in enumerate(parts):
        chosen = [[row[n] for n in columns] for row in rows]
        narrow, wide = [least[n] for n in columns], [most[n] for n in columns]
        fill = span or node.text == "filled"
        widths = _shares(narrow, wide, width - 2 * _PAD * len(columns), fill)
        widths = _fewer_lines(widths, narrow, [[row[n] for n in columns] for row in long])
        aligned = [node.columns[n] for n in columns]
        kinds = ["" if part else first, *["TD"] * (len(columns) - 1)]
        made = [
            CellColumn(cell_styles(inline, size, 1.22, _ALIGNMENTS.get(align, 0)), kind, width, picture)
            for align, kind, width in zip(aligned, kinds, widths, strict=True)
        ]
        yield _made(chosen, made, inline, under.add("Table"), heads), span, len(rows) <= _WHOLE_ROWS


def is_wide_table(node: Node, inline: Inline, *, size: float, room: float, full: float) -> bool:
    """Whether a table needs the page's `full` width, since a column's `room` (points) is not enough."""
    return _measured(node, inline, size, None).is_wider(room, full)


@dataclass(frozen=True)
class _Measured:
    """The rows of a table, of which the first `heads` are its head; for each column the width of its longest word.

    `long` are the widths of the cells, each on one line.
    """

    rows: list[list[Node]]
    heads: int
    least: list[float]
    long: list[list[float]]

    @property
    def most(self) -> list[float]:
        """The width of each column that has all its cells on one line."""
        return [max(column) for column in zip(*self.long, strict=True)]

    def is_wider(self, room: float, full: float) -> bool:
        """Whether the `full` width of the page is better than a column's `room`."""
        most = self.most
        comfortable = sum(min(m, max(n, _COMFORTABLE)) + 2 * _PAD for n, m in zip(self.least, most, strict=True))
        return full > room and (comfortable > room + 0.5 or sum(most) > _WORDY * room)


def _measured(node: Node, inline: Inline, size: float, picture: Picture | None) -> _Measured:
    kinds = [row.kind for row in node.children]
    rows = [row_cells(row, len(node.columns)) for row in node.children]
    rows = [[_with_pictures(cell, picture, inline) for cell in row] for row in rows]
    if len(rows) > 1 and not any(cell.words().strip() or cell.children for cell in rows[0]):
        del rows[0], kinds[0]
    heads = sum(1 for _ in takewhile(lambda kind: kind == "TableHead", kinds))
    faces = [look.BOLD] * heads + [look.TEXT] * (len(rows) - heads)
    cells = [[_measure(cell, inline, size, face) for cell in row] for row, face in zip(rows, faces, strict=True)]
    least = [max(_NARROWEST, *(word for word, _ in column)) for column in zip(*cells, strict=True)]
    return _Measured(rows, heads, least, [[length for _, length in row] for row in cells])


def _parts(least: list[float], width: float) -> list[list[int]]:
    """Which columns stand side by side: all of them, or as many as `width` holds, and the first again and again."""
    wanted = [n + 2 * _PAD for n in least]
    if sum(wanted) <= width or len(least) < 3:
        return [list(range(len(least)))]
    parts: list[list[int]] = [[0]]
    for column in range(1, len(least)):
        if len(parts[-1]) > 1 and sum(wanted[n] for n in parts[-1]) + wanted[column] > width:
            parts.append([0])
        parts[-1].append(column)
    return parts


@dataclass(frozen=True)
class CellColumn:
    """How the words of a column's cells are set, the `kind` of their tags, and what makes the pictures in its width."""

    styles: Styles
    kind: str = "TD"
    width: float = 0.0
    picture: Picture | None = None


def _made(rows: list[list[Node]], columns: Sequence[CellColumn], inline: Inline, tag: Tag, heads: int) -> Any:
    from vaultkit.sheets.text.flowables import LongTable, Table

    grid, widths = cell_grid(rows, columns, inline, tag, heads), [column.width for column in columns]
    wide = [w + 2 * _PAD for w in widths]

    def made(part: Sequence[Any], ends: bool) -> Any:
        table = Table(part, wide, repeatRows=heads, hAlign="LEFT", spaceBefore=6, spaceAfter=8)
        table.setStyle(_look(heads, inline.glyphs.theme, ends=ends, spans=_spans(rows)))
        return table

    if len(grid) <= _MANY_ROWS or any(len(cell.words()) > _LONG_HEAD for row in rows[: heads or 1] for cell in row):
        return made(grid, True)
    return LongTable(grid, widths, made, head=heads, padding=_ABOVE + _BELOW)


def cell_grid(
    rows: list[list[Node]], columns: Sequence[CellColumn], inline: Inline, tag: Tag, heads: int
) -> list[list[Any]]:
    """The cells as paragraphs, row by row, tagged under `tag`; as lists of flowables where they have pictures."""
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


def _with_pictures(cell: Node, picture: Picture | None, inline: Inline) -> Node:
    """The cell with words in place of pictures that cannot be drawn, and a size for the others.

    Those that are larger than a line of words, or alone in the cell, stand below each other.
    """
    if not any(child.kind == "Image" for child in cell.children):
        return cell
    children: list[Node] = []
    for child in cell.children:
        in_line = stands_in_line(child, cell.children, inline)
        children += [structs.replace(child, kind="LinePicture")] if in_line else _pictured(child, picture, inline)
    return structs.replace(cell, children=children)


def _pictured(node: Node, picture: Picture | None, inline: Inline) -> list[Node]:
    if node.kind != "Image" or picture is None or embeds_note(node):
        return [node]
    try:
        picture(node, _PICTURE, None)
    except images.UnusablePicture as problem:
        return picture_nodes.in_its_place(node, problem, nameless=inline.nameless)
    return [structs.replace(node, kind="Figure")]


def row_cells(row: Node, columns: int) -> list[Node]:
    """The cells of a row, none too many and none too few."""
    cells = [structs.replace(cell, children=spell_dice(fold_line(cell.children))) for cell in row.children[:columns]]
    return [*cells, *[Node("TableCell")] * (columns - len(row.children))]


def _measure(cell: Node, inline: Inline, size: float, face: str) -> tuple[float, float]:
    """The width of the longest word of a cell, with the mark behind it, and that of the whole cell on one line."""
    face = look.BOLD if any(child.kind == "Strong" for child in cell.children) else face
    words = "".join("  " if child.kind in _DRAWN else child.words() for child in cell.children).split()
    code = {word for child in cell.children if child.kind == "Code" for word in child.words().split()}
    widths = [inline.glyphs.width(word, look.MONO if word in code else face, size) for word in words[:400]]
    extra = 7.0 if any(child.kind in {"Link", "Code"} for child in cell.children) else 2.0
    mark = max(extra, max(inline.room_behind(node) for node in cell.walk()) + _ROUNDING)
    length = sum(widths) + mark + 2.9 * max(len(words) - 1, 0)
    wide = max((_wide(child) for child in cell.children if child.kind in _DRAWN), default=0.0)
    columns = cell.wide if isinstance(cell, HtmlCell) else 1
    return (
        max(wide, min(max(widths, default=0), _LONGEST) + mark) / columns,
        max(_NARROWEST, length / columns, wide / columns),
    )


def _wide(node: Node) -> float:
    """The width of a picture in a cell, in points."""
    _, size = picture_nodes.size_of(node)
    return min(size[0], _LONGEST) if size else _PICTURE


def _fewer_lines(widths: list[float], least: list[float], lengths: list[list[float]]) -> list[float]:
    """The widths, with room moved from column to column as long as that saves lines."""
    best, lines = list(widths), _lines(widths, lengths)
    for _ in range(_MOST_MOVES):
        moves = [
            (_lines(moved, lengths), moved)
            for step in (_MOVE, 3 * _MOVE, 6 * _MOVE)
            for giver in range(len(best))
            for taker in range(len(best))
            if giver != taker and best[giver] - step >= least[giver]
            for moved in [[w + step * ((n == taker) - (n == giver)) for n, w in enumerate(best)]]
        ]
        fewest, moved = min(moves, default=(lines, best))
        if fewest >= lines:
            return best
        best, lines = moved, fewest
    return best


def _lines(widths: list[float], lengths: list[list[float]]) -> tuple[int, int]:
    """About how many lines all rows take, and how many all cells; a broken line is seldom full."""
    rows = [
        [1 if long <= wide else math.ceil(long * _RAGGED / wide) for long, wide in zip(row, widths, strict=True)]
        for row in lengths
    ]
    return sum(map(max, rows)), sum(map(sum, rows))


def _shares(least: list[float], most: list[float], width: float, fill: bool) -> list[float]:
    """Widths that add up to `width`, or to less where every cell already fits on one line."""
    if sum(most) <= width:
        spare = (width - sum(most)) / len(most) if fill else 0
        return [m + spare for m in most]
    if sum(least) >= width:
        return [n * width / sum(least) for n in least]
    wish = [max(m - n, 0.01) ** 0.75 for n, m in zip(least, most, strict=True)]
    widths = list(least)
    for _ in range(4):
        spare = width - sum(widths)
        open_columns = [n for n in range(len(widths)) if widths[n] < most[n] - 0.01]
        total = sum(wish[n] for n in open_columns)
        if spare < 0.5 or not total:
            break
        for n in open_columns:
            widths[n] = min(most[n], widths[n] + spare * wish[n] / total)
    return widths


def cell_styles(inline: Inline, size: float, leading: float, alignment: int = 0) -> Styles:
    """How the words of a cell are set, and those of a cell of the head; `leading` is a share of the size."""
    make, high = inline.glyphs.theme.style, size * leading
    head = make(look.BOLD, size, high, alignment=alignment, textColor=look.ON_HEAD)
    return make(look.TEXT, size, high, alignment=alignment), head


def white_around(
    side: float, above: float, below: float, start: tuple[int, int] = (0, 0), end: tuple[int, int] = (-1, -1)
) -> list[Any]:
    """The commands for a table's cells from `start` to `end` with so much white around their words, in points."""
    padding = {"LEFT": side, "RIGHT": side, "TOP": above, "BOTTOM": below}
    white = [(f"{name}PADDING", start, end, points) for name, points in padding.items()]
    return [("VALIGN", start, end, "TOP"), *white]


def head_row(theme: look.Theme, line: float, rows: int = 1) -> list[Any]:
    """The commands for a table's head of so many rows: its ground, and a line around it."""
    ground, outline, end = theme.colour(look.HEAD), theme.colour(look.HEAD_LINE), (-1, rows - 1)
    return [("BACKGROUND", (0, 0), end, ground), ("BOX", (0, 0), end, line, outline)]


def _spans(rows: Sequence[Sequence[Node]]) -> list[Any]:
    """The commands for cells that reach over several columns or rows."""
    return [
        ("SPAN", (x, y), (x + cell.wide - 1, y + cell.high - 1))
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if isinstance(cell, HtmlCell) and (cell.wide > 1 or cell.high > 1)
    ]


def _look(heads: int, theme: look.Theme, *, ends: bool, spans: Sequence[Any]) -> Any:
    from vaultkit.sheets.text.flowables import TableStyle

    plain = theme.ink_saver or any(first[1] != last[1] for _, first, last in spans)
    panel = None if plain else theme.colour(look.PANEL)  # white would cover half of the lines
    commands = [
        *white_around(_PAD, _ABOVE, _BELOW),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, theme.colour(look.LINE)),
        ("ROWBACKGROUNDS", (0, heads), (-1, -1), [None, panel]),
    ]
    top = head_row(theme, 0.6, heads) if heads else [("LINEABOVE", (0, 0), (-1, 0), 0.8, theme.colour(look.ACCENT))]
    foot = [("LINEBELOW", (0, -1), (-1, -1), 0.8, theme.colour(look.ACCENT))] if ends else []
    return TableStyle([*commands, *foot, *top, *spans])
