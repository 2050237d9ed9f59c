"""The table of boxes: for one player from the design's rows and columns, for a party with a column for each player."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vaultkit.sheets.scoresheets.design import PARTY, Column, Panel, Row, ScoreDesign, Ticks
from vaultkit.sheets.scoresheets.pen import FieldBox


@dataclass(frozen=True)
class Aside:
    """Words in the place of so many boxes."""

    text: str
    span: int = 1


Cell = FieldBox | Aside | None
"""The cell under a column. Nothing also where an aside reaches over from the left."""


@dataclass(frozen=True)
class Head:
    """The top of a column: words, or a box for them; then the words are what it is called on the next page."""

    title: str
    how: str = ""
    share: int = 1
    box: FieldBox | None = None


@dataclass(frozen=True)
class GridLine:
    """A line of cells. The first line of a group shows its title, hint and icon; `part` names each line in a group.

    A `ticks` line has boxes to tick.
    """

    title: str
    cells: tuple[Cell, ...]
    hint: str = ""
    icon: str = ""
    part: str = ""
    box: FieldBox | None = None
    group: int = 0
    total: bool = False
    ticks: bool = False


@dataclass(frozen=True)
class Grid:
    """The whole table. `corner` stands over the titles of the lines."""

    corner: str
    heads: tuple[Head, ...]
    lines: tuple[GridLine, ...]


def for_player(design: ScoreDesign, layout: str, prefix: str, who: str, *, compact: bool) -> Grid:
    """The design's own rows and columns. Fields' names begin with `prefix`, what a screen reader says with `who`."""
    shown = [number for number, column in enumerate(design.columns) if layout in column.layouts]
    columns = [design.columns[number] for number in shown]
    heads = [_head(column, prefix, who, compact=compact) for column in columns]
    lines = []
    for group, row in enumerate(design.rows):
        cells = [_cell(design.columns[number], row, number, prefix, who) for number in shown]
        words = "" if compact else row.aside
        aside = [cell if cell is not None or not words else Aside(words) for cell in cells]
        hint = "" if compact else row.hint
        lines.append(GridLine(row.title, tuple(aside), hint, row.icon, box=_titled(row, prefix, who), group=group))
    if design.total:
        lines.append(_last(design, columns, prefix, who, len(lines), compact=compact))
    return Grid(design.corner, tuple(heads), tuple(lines))


def for_party(design: ScoreDesign, players: Sequence[str]) -> Grid:
    """A column for each player, and a line for each box that they have; `players` are spoken names, "Player 1"."""
    names = [FieldBox(f"p{n}.player", f"{who}, name", wide=True, lines=True) for n, who in enumerate(players, 1)]
    heads = [Head(f"{n}", box=box) for n, box in enumerate(names, 1)]
    rows = design.rows[: design.party] if design.party else design.rows
    lines = [line for group, row in enumerate(rows) for line in _party_lines(design, row, group, players)]
    group = len(rows)
    for ticks in design.ticks:
        if ticks.own:
            lines += _party_ticks(ticks, group, players)
            group += 1
    if design.total:
        one = design.total
        cells = [FieldBox(f"p{n}.{one.id}", f"{who}: {one.title}", wide=one.wide) for n, who in enumerate(players, 1)]
        lines.append(GridLine(one.title, tuple(cells), group=group, total=True))
    return Grid("Player", tuple(heads), tuple(lines))


def what_counts(design: ScoreDesign, layout: str) -> Panel:
    """The explanations of the columns, for a table that has them in short or not at all."""
    columns = [column for column in design.columns if layout in column.layouts and column.how]
    told = [(column.title, column.how) for column in columns]
    if design.total and design.total.how:
        told.append((design.total.title, design.total.how))
    return Panel("What counts", items=tuple(f"**{title}:** {how}" for title, how in told))


def _party_lines(design: ScoreDesign, row: Row, group: int, players: Sequence[str]) -> list[GridLine]:
    shown = [(n, column) for n, column in enumerate(design.columns) if PARTY in column.layouts and row.cells[n]]
    lines: list[GridLine] = []
    for number, column in shown:
        cells = tuple(_cell(column, row, number, f"p{n}.", f"{who}: ") for n, who in enumerate(players, 1))
        first, alone = not lines, len(shown) == 1
        title, icon = (row.title, row.icon) if first else ("", "")
        box = _titled(row, "", "") if first else None
        part = "" if alone else row.named(number) or column.title or column.id
        lines.append(GridLine(title, cells, icon=icon, part=part, box=box, group=group))
    return lines


def _party_ticks(ticks: Ticks, group: int, players: Sequence[str]) -> list[GridLine]:
    lines: list[GridLine] = []
    for option, words in ticks.options:
        cells = [
            FieldBox(f"p{n}.{ticks.id}.{option}", f"{who}: {ticks.title}: {words}", check=True)
            for n, who in enumerate(players, 1)
        ]
        lines.append(GridLine("" if lines else ticks.title, tuple(cells), part=words, group=group, ticks=True))
    return lines


def _head(column: Column, prefix: str, who: str, *, compact: bool) -> Head:
    how = column.brief or column.how if compact else column.how
    if column.title:
        return Head(column.title, how, column.share)
    return Head(
        column.id,
        how,
        column.share,
        FieldBox(f"{prefix}heads.{column.id}", f"{who}Column {column.id}, name", wide=True),
    )


def _titled(row: Row, prefix: str, who: str) -> FieldBox | None:
    """A box for the name of a row that has none."""
    return (
        None if row.title else FieldBox(f"{prefix}names.{row.id}", f"{who}{_called(row)}, name", wide=True, lines=True)
    )


def _called(row: Row) -> str:
    """How a row is spoken of: by its title, or by its id, `row.1`, as "Row 1"."""
    return row.title or re.sub(r"[.-]", " ", row.id).capitalize()


def _cell(column: Column, row: Row, number: int, prefix: str, who: str) -> FieldBox | None:
    name = row.field(number)
    tip = f"{who}{_called(row)}, {row.named(number) or column.title or f'column {column.id}'}"
    return FieldBox(prefix + name, tip, column.options, column.wide) if name else None


def _last(
    design: ScoreDesign, columns: Sequence[Column], prefix: str, who: str, group: int, *, compact: bool
) -> GridLine:
    """The line of the total: its box, and at its side, where there is room, how it is reckoned."""
    total = design.total
    assert total is not None
    at = next((n for n, column in enumerate(columns) if column.id == total.under), 0)
    cells: list[Cell] = [None] * len(columns)
    cells[at] = FieldBox(prefix + total.id, who + total.title, wide=total.wide)
    right = len(columns) - 1 - at
    if total.how and max(at, right) and not compact:
        start, span = (at + 1, right) if right >= at else (0, at)
        cells[start] = Aside(total.how, span)
    return GridLine(total.title, tuple(cells), group=group, total=True)
