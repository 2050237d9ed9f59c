"""The parts of a score sheet with their boxes, for one player or for a party: drawn, filled in and read by them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vaultkit.sheets.scoresheets.design import (
    ONE,
    PARTY,
    PLAYER,
    Column,
    Kind,
    Line,
    Listing,
    Row,
    ScoreDesign,
    Ticks,
    Total,
)  # fmt: skip


@dataclass(frozen=True)
class Player:
    """One player's sheet: what the fields' names begin with, and what a screen reader says before each."""

    prefix: str = ""
    who: str = ""
    name: str = ""


ALL = Player()


@dataclass(frozen=True)
class SheetBox:
    """A box to fill in: its field's name without the player's prefix, what people call it, and what goes in.

    `options` are a choice's. A box for a `name` may take several lines.
    """

    key: str
    label: str
    kind: Kind = "number"
    player: Player = ALL
    options: tuple[str, ...] = ()
    name: bool = False

    @property
    def field(self) -> str:
        """The full name of its field."""
        return self.player.prefix + self.key

    @property
    def tip(self) -> str:
        """What a screen reader says."""
        return self.player.who + self.label


@dataclass(frozen=True)
class Aside:
    """Words in the place of so many boxes."""

    text: str
    span: int = 1


Cell = SheetBox | Aside | None
"""The cell under a column. Nothing also where an aside reaches over from the left."""


@dataclass(frozen=True)
class Head:
    """The top of a column: words, or a box for them; then the words are what it is called on the next page."""

    title: str
    how: str = ""
    share: int = 1
    box: SheetBox | None = None


@dataclass(frozen=True)
class GridLine:
    """A line of cells. The first line of a group shows its title, hint and icon; `part` names each line in a group.

    A `ticks` line has boxes to tick.
    """

    title: str
    cells: tuple[Cell, ...]
    group: int = 0
    hint: str = ""
    icon: str = ""
    part: str = ""
    box: SheetBox | None = None
    total: bool = False
    ticks: bool = False


@dataclass(frozen=True)
class Grid:
    """The table of boxes. `corner` stands over the titles of the lines."""

    corner: str
    heads: tuple[Head, ...]
    lines: tuple[GridLine, ...]


@dataclass(frozen=True)
class SheetParts:
    """A sheet from the top down: labelled lines, titled groups of boxes to tick with their words, a table, lists."""

    player: Player
    lines: Sequence[tuple[Line, SheetBox]]
    ticks: Sequence[tuple[str, Sequence[tuple[str, SheetBox]]]]
    table: Grid
    lists: Sequence[tuple[Listing, Sequence[SheetBox]]] = ()

    @property
    def boxes(self) -> Iterator[SheetBox]:
        """All of them, in this order."""
        yield from (box for _, box in self.lines)
        yield from (box for _, options in self.ticks for _, box in options)
        yield from (head.box for head in self.table.heads if head.box)
        for line in self.table.lines:
            yield from (cell for cell in (line.box, *line.cells) if isinstance(cell, SheetBox))
        yield from (box for _, boxes in self.lists for box in boxes)


def sheet_parts(design: ScoreDesign, layout: str, people: Sequence[Player], *, brief: bool = False) -> list[SheetParts]:
    """The sheets of that layout: one for each of `people`, or one for the party; `brief` ones explain less."""
    if layout == PARTY:
        return [_of_party(design, people)]
    return [_of_player(design, layout, player, brief=brief) for player in people]


def boxes_of(sheets: Iterable[SheetParts]) -> dict[str, SheetBox]:
    """The boxes of sheets by the full names of their fields."""
    return {box.field: box for parts in sheets for box in parts.boxes}


def _of_player(design: ScoreDesign, layout: str, player: Player, *, brief: bool) -> SheetParts:
    """The design's own rows and columns."""
    columns = [column for column in design.columns if layout in column.layouts]
    heads = tuple(_head(column, player, brief=brief) for column in columns)
    lines = []
    for group, row in enumerate(design.rows):
        gap = Aside(row.aside) if row.aside and not brief else None
        cells = tuple(_box(row, *one, player) or gap for one in _cells(design, row, layout))
        hint = "" if brief else row.hint
        lines.append(GridLine(row.title, cells, group, hint, row.icon, box=_titled(row, player)))
    if design.total:
        lines.append(_last(design.total, columns, player, len(lines), brief=brief))
    table = Grid(design.corner, heads, tuple(lines))
    lists = [_listed(listing, player) for listing in design.lists] if layout == ONE else []
    return SheetParts(player, _lines(design.lines, player), _ticks(design.ticks, player), table, lists)


def _of_party(design: ScoreDesign, people: Sequence[Player]) -> SheetParts:
    """A column for each player, and a line for each box that they have."""
    heads = [Head(f"{n}", box=SheetBox(PLAYER, "name", "words", one, name=True)) for n, one in enumerate(people, 1)]
    groups = [_party_row(design, row, people) for row in design.rows[: design.party or None]]
    groups += [_party_ticks(ticks, people) for ticks in design.ticks if ticks.own]
    if total := design.total:
        cells = tuple(SheetBox(total.id, total.title, player=player) for player in people)
        groups.append([GridLine(total.title, cells, total=True)])
    lines = tuple(replace(line, group=number) for number, group in enumerate(groups) for line in group)
    common = [line for line in design.lines if line.id != PLAYER]
    ticks = [group for group in design.ticks if not group.own]
    return SheetParts(ALL, _lines(common, ALL), _ticks(ticks, ALL), Grid("Player", tuple(heads), lines))


def _lines(lines: Sequence[Line], player: Player) -> list[tuple[Line, SheetBox]]:
    return [(line, SheetBox(line.id, line.title, "words", player)) for line in lines]


def _ticks(groups: Sequence[Ticks], player: Player) -> list[tuple[str, list[tuple[str, SheetBox]]]]:
    return [
        (one.title, [(words, _tick(one, option, player)) for option, words in one.options.items()]) for one in groups
    ]


def _tick(group: Ticks, option: str, player: Player) -> SheetBox:
    return SheetBox(f"{group.id}.{option}", f"{group.title}: {group.options[option]}", "tick", player)


def _listed(listing: Listing, player: Player) -> tuple[Listing, list[SheetBox]]:
    numbers = range(1, listing.count + 1)
    return listing, [SheetBox(f"{listing.id}.{n}", f"{listing.title}, {n}", "words", player) for n in numbers]


def _head(column: Column, player: Player, *, brief: bool) -> Head:
    how = (column.brief or column.how) if brief else column.how
    if column.title:
        return Head(column.title, how, column.share)
    box = SheetBox(f"heads.{column.id}", f"Column {column.id}, name", "words", player)
    return Head(column.id, how, column.share, box)


def _last(total: Total, columns: Sequence[Column], player: Player, group: int, *, brief: bool) -> GridLine:
    """The line of the total: its box, and at its side, where there is room, how it is reckoned."""
    at = next((n for n, column in enumerate(columns) if column.id == total.under), 0)
    cells: list[Cell] = [None] * len(columns)
    cells[at] = SheetBox(total.id, total.title, player=player)
    right = len(columns) - 1 - at
    if total.how and max(at, right) and not brief:
        start, span = (at + 1, right) if right >= at else (0, at)
        cells[start] = Aside(total.how, span)
    return GridLine(total.title, tuple(cells), group, total=True)


def _party_row(design: ScoreDesign, row: Row, people: Sequence[Player]) -> list[GridLine]:
    shown = [(column, cell) for column, cell in _cells(design, row, PARTY) if cell]
    lines: list[GridLine] = []
    for column, cell in shown:
        part = _part(row, column, cell) if len(shown) > 1 else ""
        cells = tuple(_box(row, column, cell, player) for player in people)
        first = GridLine(row.title, cells, icon=row.icon, part=part, box=_titled(row, ALL))
        lines.append(GridLine("", cells, part=part) if lines else first)
    return lines


def _party_ticks(ticks: Ticks, people: Sequence[Player]) -> list[GridLine]:
    lines: list[GridLine] = []
    for option, words in ticks.options.items():
        cells = tuple(_tick(ticks, option, player) for player in people)
        lines.append(GridLine("" if lines else ticks.title, cells, part=words, ticks=True))
    return lines


def _cells(design: ScoreDesign, row: Row, layout: str) -> list[tuple[Column, str]]:
    """The columns of a layout, and the name of the row's box under each, "" for none."""
    pairs = zip(design.columns, row.cells, strict=True)
    return [(column, cell) for column, cell in pairs if layout in column.layouts]


def _box(row: Row, column: Column, cell: str, player: Player) -> SheetBox | None:
    if not cell:
        return None
    return SheetBox(row.key(cell), f"{_called(row)}, {_part(row, column, cell)}", column.kind, player, column.options)


def _part(row: Row, column: Column, cell: str) -> str:
    """How a box is called in its row."""
    return row.names.get(cell, "") or column.title or f"column {column.id}"


def _titled(row: Row, player: Player) -> SheetBox | None:
    """A box for the name of a row that has none."""
    return None if row.title else SheetBox(f"names.{row.id}", f"{_called(row)}, name", "words", player, name=True)


def _called(row: Row) -> str:
    """How a row is spoken of: by its title, or by its id, `row.1`, as "Row 1"."""
    return row.title or re.sub(r"[.-]", " ", row.id).capitalize()
