"""The parts of a score sheet with their boxes, for one player or for a party: drawn, filled in and read by them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

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
        """The words of a screen reader."""
        return self.player.who + self.label


Cell = SheetBox | str | None
"""The contents of a cell: a box, words, or nothing. Words reach over all cells with nothing that follow."""


@dataclass(frozen=True)
class Head:
    """The top of a column: words, or a box for them; then the words are what it is called on the next page."""

    title: str
    how: str = ""
    share: int = 1
    box: SheetBox | None = None


@dataclass(frozen=True)
class Group:
    """Lines of cells under one title; each has a name, but for one that stands alone. `ticks` are boxes to tick."""

    title: str
    lines: Sequence[tuple[str, Sequence[Cell]]]
    hint: str = ""
    icon: str = ""
    box: SheetBox | None = None
    total: bool = False
    ticks: bool = False


@dataclass(frozen=True)
class Grid:
    """The table of boxes. `corner` stands over the titles of the groups."""

    corner: str
    heads: Sequence[Head]
    groups: Sequence[Group]


TickGroup = tuple[str, Sequence[tuple[str, SheetBox]]]
"""A title, and boxes to tick with their words."""


@dataclass(frozen=True)
class SheetParts:
    """A sheet from the top down: labelled lines, titled groups of boxes to tick with their words, a table, lists."""

    player: Player
    lines: Sequence[tuple[Line, SheetBox]]
    ticks: Sequence[TickGroup]
    table: Grid
    lists: Sequence[tuple[Listing, Sequence[SheetBox]]] = ()

    @property
    def boxes(self) -> Iterator[SheetBox]:
        """All of them, in this order."""
        yield from (box for _, box in self.lines)
        yield from (box for _, options in self.ticks for _, box in options)
        yield from (head.box for head in self.table.heads if head.box)
        for group in self.table.groups:
            yield from [group.box] if group.box else []
            yield from (cell for _, cells in group.lines for cell in cells if isinstance(cell, SheetBox))
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
    groups = []
    for row in design.rows:
        gap, hint = (None, "") if brief else (row.aside or None, row.hint)
        cells = [_box(row, *one, player) or gap for one in _cells(design, row, layout)]
        groups.append(Group(row.title, [("", cells)], hint, row.icon, _titled(row, player)))
    if design.total:
        groups.append(_last(design.total, columns, player, brief=brief))
    table = Grid(design.corner, [_head(column, player, brief=brief) for column in columns], groups)
    lists = [_listed(listing, player) for listing in design.lists] if layout == ONE else []
    return SheetParts(player, _lines(design.lines, player), _ticks(design.ticks, player), table, lists)


def _of_party(design: ScoreDesign, people: Sequence[Player]) -> SheetParts:
    """A column for each player, and a line for each box that they have."""
    heads = [Head(f"{n}", box=SheetBox(PLAYER, "name", "words", one, name=True)) for n, one in enumerate(people, 1)]
    groups = [_party_row(design, row, people) for row in design.rows[: design.party or None]]
    groups += [_party_ticks(ticks, people) for ticks in design.ticks if ticks.own]
    if total := design.total:
        boxes = [SheetBox(total.id, total.title, total.kind, player) for player in people]
        groups.append(Group(total.title, [("", boxes)], total=True))
    table = Grid("Player", heads, [group for group in groups if group.lines])
    common = [line for line in design.lines if line.id != PLAYER]
    return SheetParts(ALL, _lines(common, ALL), _ticks([one for one in design.ticks if not one.own], ALL), table)


def _party_row(design: ScoreDesign, row: Row, people: Sequence[Player]) -> Group:
    shown = [(column, cell) for column, cell in _cells(design, row, PARTY) if cell]
    names = [_part(row, *one) for one in shown] if len(shown) > 1 else [""]
    lines = [(name, [_box(row, *one, player) for player in people]) for name, one in zip(names, shown, strict=False)]
    return Group(row.title, lines, icon=row.icon, box=_titled(row, ALL))


def _party_ticks(ticks: Ticks, people: Sequence[Player]) -> Group:
    options = ticks.options.items()
    lines = [(words, [_tick(ticks, option, player) for player in people]) for option, words in options]
    return Group(ticks.title, lines, ticks=True)


def _lines(lines: Sequence[Line], player: Player) -> list[tuple[Line, SheetBox]]:
    return [(line, SheetBox(line.id, line.title, "words", player)) for line in lines]


def _ticks(groups: Sequence[Ticks], player: Player) -> list[TickGroup]:
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


def _last(total: Total, columns: Sequence[Column], player: Player, *, brief: bool) -> Group:
    """The line of the total: its box, and at its side, where there is room, how it is reckoned."""
    at = next((n for n, column in enumerate(columns) if column.id == total.under), 0)
    cells: list[Cell] = [None] * len(columns)
    if total.how and not brief:
        cells[at + 1 if at < len(columns) / 2 else 0] = total.how
    cells[at] = SheetBox(total.id, total.title, total.kind, player)
    return Group(total.title, [("", cells)], total=True)


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
