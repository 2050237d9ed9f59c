"""Tables of a note: column widths from the words in them, header rows repeated at every break."""

from collections.abc import Iterator
from typing import Any

from vaultkit.sheets import theme as look
from vaultkit.sheets.inline import Inline
from vaultkit.vault.markdown import Node

_PAD = 4.0
_NARROWEST = 14.0
_COMFORTABLE = 88.0
"""A cell with more words than fit on one line is happy with this many points."""
_WORDY = 1.6
"""A table whose cells would be this much wider than a column, each on one line, is better set across the page."""
_WHOLE_ROWS = 9


def tables(node: Node, inline: Inline, size: float, room: float, full: float) -> Iterator[tuple[Any, bool, bool]]:
    """The table, whether it needs the page's `full` width instead of a column's `room` (points), and is best unbroken.

    One whose longest words do not fit side by side even so comes in several parts, each with the first column.
    """
    rows = [_cells(row, len(node.columns)) for row in node.children]
    has_head = any(cell.words().strip() for cell in rows[0])
    rows = rows if has_head else rows[1:] or rows
    least, most = _measures(rows, len(node.columns), inline, size, has_head)
    comfortable = sum(min(m, max(n, _COMFORTABLE)) + 2 * _PAD for n, m in zip(least, most, strict=True))
    span = full > room and (comfortable > room + 0.5 or sum(most) > _WORDY * room)
    width = full if span else room
    for columns in _parts(least, width):
        chosen = [[row[n] for n in columns] for row in rows]
        widths = _shares([least[n] for n in columns], [most[n] for n in columns], width - 2 * _PAD * len(columns), span)
        aligned = [node.columns[n] for n in columns]
        yield _made(chosen, widths, aligned, inline, size=size, has_head=has_head), span, len(rows) <= _WHOLE_ROWS


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


def _made(
    rows: list[list[Node]], widths: list[float], aligned: list[str], inline: Inline, *, size: float, has_head: bool
) -> Any:
    from reportlab.platypus import Table

    from vaultkit.sheets.words import Words

    styles = [_styles(inline, size, align) for align in aligned]
    grid = []
    for number, row in enumerate(rows):
        head = has_head and number == 0
        face, pick = (look.BOLD, 1) if head else (look.TEXT, 0)
        grid.append([Words(inline.markup(c.children, face), styles[n][pick]) for n, c in enumerate(row)])
    wide = [w + 2 * _PAD for w in widths]
    made = Table(grid, wide, repeatRows=int(has_head), hAlign="LEFT", spaceBefore=6, spaceAfter=8)
    made.setStyle(_look(has_head))
    return made


def _cells(row: Node, columns: int) -> list[Node]:
    cells = row.children[:columns]
    return cells + [Node("TableCell") for _ in range(columns - len(cells))]


def _measures(
    rows: list[list[Node]], columns: int, inline: Inline, size: float, has_head: bool
) -> tuple[list[float], list[float]]:
    """For each column the width of its longest word, and of its longest cell on one line."""
    least, most = [_NARROWEST] * columns, [_NARROWEST] * columns
    for number, row in enumerate(rows):
        face = look.BOLD if has_head and number == 0 else look.TEXT
        for column, cell in enumerate(row[:columns]):
            words = cell.words().split()
            face_here = look.BOLD if any(child.kind == "Strong" for child in cell.children) else face
            widths = [inline.glyphs.width(word, face_here, size) for word in words[:400]]
            extra = 7.0 if any(child.kind in {"Link", "Code"} for child in cell.children) else 2.0
            least[column] = max(least[column], min(max(widths, default=0) + extra, 150))
            most[column] = max(most[column], sum(widths) + extra + 2.9 * max(len(words) - 1, 0))
    return least, most


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


def _styles(inline: Inline, size: float, align: str) -> tuple[Any, Any]:
    alignment = {"Center": 1, "Right": 2}.get(align, 0)
    make = inline.glyphs.theme.style
    return (
        make(look.TEXT, size, size * 1.22, alignment=alignment),
        make(look.BOLD, size, size * 1.22, alignment=alignment, textColor="#ffffff"),
    )


def _look(has_head: bool) -> Any:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import TableStyle

    commands: list[Any] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), _PAD),
        ("RIGHTPADDING", (0, 0), (-1, -1), _PAD),
        ("TOPPADDING", (0, 0), (-1, -1), 2.6),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 3.4),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, HexColor(look.LINE)),
        ("LINEBELOW", (0, -1), (-1, -1), 0.8, HexColor(look.ACCENT)),
        ("ROWBACKGROUNDS", (0, int(has_head)), (-1, -1), [None, HexColor(look.PANEL)]),
    ]
    top = (
        ("BACKGROUND", (0, 0), (-1, 0), HexColor(look.ACCENT))
        if has_head
        else ("LINEABOVE", (0, 0), (-1, 0), 0.8, HexColor(look.ACCENT))
    )
    return TableStyle([*commands, top])
