"""Tables on cards: close rows over the whole width, where the tables of a rule sheet would take too much room."""

from typing import Any

from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.inline import Inline
from vaultkit.vault.markdown import Node

_SIDE, _ABOVE, _BELOW = 2.6, 0.8, 2.4
_SPARE = 1.0
"""Points that a cell needs beside its words, so that a rounding error breaks no line."""


def fits(node: Node, inline: Inline, *, size: float, room: float) -> bool:
    """Whether the longest words of all columns have room side by side."""
    return sum(_wanted(_rows(node), inline, size, words=True)) <= room


def compact(node: Node, inline: Inline, under: Tag, *, size: float, room: float) -> Any:
    """The table as a flowable `room` points wide, its tags under `under`; it must fit."""
    from vaultkit.sheets.text.flowables import Table

    rows = _rows(node)
    tag = under.add("Table")
    styles = _style(inline, size, False), _style(inline, size, True)
    grid = []
    for number, row in enumerate(rows):
        line = tag.add("TR")
        grid.append([_cell(cell, styles[not number], inline, line, not number) for cell in row])
    made = Table(grid, _widths(rows, inline, size, room), repeatRows=1, hAlign="LEFT", spaceBefore=4, spaceAfter=5)
    made.setStyle(_look(inline))
    return made


def _rows(node: Node) -> list[list[Node]]:
    columns = len(node.columns)
    return [[*row.children[:columns], *[Node("TableCell")] * (columns - len(row.children))] for row in node.children]


def _cell(cell: Node, style: Any, inline: Inline, line: Tag, head: bool) -> Any:
    from vaultkit.sheets.text.words import Words

    tag = line.add("TH", scope="Column") if head else line.add("TD")
    return Words(inline.markup(cell.children, look.BOLD if head else look.TEXT), style, tag=tag, once=head)


def _style(inline: Inline, size: float, head: bool) -> Any:
    theme = inline.glyphs.theme
    if head:
        return theme.style(look.BOLD, size, size * 1.12, textColor=look.ON_HEAD)
    return theme.style(look.TEXT, size, size * 1.12)


def _widths(rows: list[list[Node]], inline: Inline, size: float, room: float) -> list[float]:
    """As the words ask for; what is left is shared out, what is lacking comes from the widest column."""
    wanted, least = _wanted(rows, inline, size, words=False), _wanted(rows, inline, size, words=True)
    while sum(wanted) > room:
        widest = max(range(len(wanted)), key=lambda n: (wanted[n] > least[n], wanted[n]))
        wanted[widest] = max(least[widest], wanted[widest] - 2.0)
    return [w + (room - sum(wanted)) / len(wanted) for w in wanted]


def _wanted(rows: list[list[Node]], inline: Inline, size: float, *, words: bool) -> list[float]:
    """The width that each column needs for its longest cell on one line, or for its longest word."""
    width, pad = inline.glyphs.width, 2 * _SIDE + _SPARE
    return [
        max(width(part, look.BOLD, size) for cell in column for part in _parts(cell, words)) + pad
        for column in zip(*rows, strict=True)
    ]


def _parts(cell: Node, words: bool) -> list[str]:
    return (cell.words().split() or [""]) if words else [cell.words()]


def _look(inline: Inline) -> Any:
    from vaultkit.sheets.text.flowables import TableStyle

    colour = inline.glyphs.theme.colour
    return TableStyle(
        [
            ("LEFTPADDING", (0, 0), (-1, -1), _SIDE),
            ("RIGHTPADDING", (0, 0), (-1, -1), _SIDE),
            ("TOPPADDING", (0, 0), (-1, -1), _ABOVE),
            ("BOTTOMPADDING", (0, 0), (-1, -1), _BELOW),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("BACKGROUND", (0, 0), (-1, 0), colour(look.HEAD)),
            ("BOX", (0, 0), (-1, 0), 0.4, colour(look.HEAD_LINE)),
            ("LINEBELOW", (0, 1), (-1, -1), 0.4, colour(look.LINE)),
        ]
    )
