"""The parts of a score sheet with their boxes, for one player or for a party: drawn, filled in and read by them."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from vaultkit.sheets.scoresheets.design import (
    FIELDS,
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
)

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that could be taken for another."""

MAX_FIELD_COUNT = 6_000
"""Fields of one file; more cannot be read again, since few of a hostile file may become any number."""
MAX_VALUE_LENGTH = 20_000
"""Characters of what stands in a field."""


class Player(Struct, frozen=True):
    """One player's sheet: what the fields' names begin with, and the player's name, "" while nobody knows it."""

    prefix: str = ""
    name: str = ""

    @property
    def who(self) -> str:
        """Whose box it is, said before it where there are several players: by name, else by number."""
        return f"{self.name or f'Player {self.prefix[1:-1]}'}: " if self.prefix else ""


ALL = Player()


class SheetBox(Struct, frozen=True):
    """A box to fill in: its field's name without the player's prefix, what people call it, and what goes in.

    `options` are a choice's, or the one that is ticked. A box for a `name` may take several lines. One to tick has a
    `group` if it rules out all others of that: in the file they are one field, which has the name of the group.
    """

    key: str
    label: str
    kind: Kind = "number"
    player: Player = ALL
    options: tuple[str, ...] = ()
    name: bool = False
    group: Ticks | None = None

    @property
    def field(self) -> str:
        """The full name of its field, with its option at the end if it is one of several that rule each other out."""
        return self.player.prefix + self.key

    @property
    def question(self) -> str:
        """The key of its question: one to tick answers it together with all of its group."""
        return self.key.removesuffix(f".{self.options[0]}") if self.kind == "tick" else self.key


class Cell(Struct, frozen=True):
    """A cell of the table: words with a hint, or a box; then the words are what it is called on the next page.

    It reaches over so many rows and columns. Every title begins a group of rows.
    """

    words: str = ""
    box: SheetBox | None = None
    look: Literal["head", "title", "total", "name", "aside"] = "aside"
    hint: str = ""
    icon: str = ""
    rows: int = 1
    columns: int = 1


Cells = Sequence[Cell | None]
"""A row of the table; None is where a cell reaches that stands before or above."""
Group = tuple[Cell, Sequence[tuple[str, Cells]]]
"""A title, and lines of cells, each with a name but for one that stands alone."""


class SheetParts(Struct, frozen=True):
    """A sheet from the top down: lines, groups of boxes to tick, a table, lists; each part with its boxes.

    The first line of the table are its heads. Its last columns, those of boxes, have `shares` of the width.
    """

    player: Player
    lines: Sequence[tuple[Line, SheetBox]]
    ticks: Sequence[tuple[Ticks, Sequence[SheetBox]]]
    table: Sequence[Cells]
    shares: Sequence[int]
    lists: Sequence[tuple[Listing, Sequence[SheetBox]]] = ()

    @property
    def boxes(self) -> Iterator[SheetBox]:
        """All of them, in this order."""
        yield from (box for _, box in self.lines)
        yield from (box for _, boxes in self.ticks for box in boxes)
        yield from (cell.box for line in self.table for cell in line if cell and cell.box)
        yield from (box for _, boxes in self.lists for box in boxes)


def sheet_parts(design: ScoreDesign, layout: str, people: Sequence[Player], *, brief: bool = False) -> list[SheetParts]:
    """The sheets of that layout: one for each of `people`, or one for the party; `brief` ones explain less."""
    if layout == PARTY:
        return [_party_sheet(design, people)]
    return [_player_sheet(design, layout, player, brief=brief) for player in people]


def sheet_id(design: ScoreDesign, layout: str, people: Sequence[Player]) -> str:
    """Return eight characters that identify a sheet's design, layout and fields, independent of their contents."""
    identity = msgspec.json.encode((replace(design, sheet=None), layout, [player.prefix for player in people], FIELDS))
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in hashlib.sha256(identity).digest()[:8])


def boxes_of(sheets: Iterable[SheetParts]) -> dict[str, SheetBox]:
    """The boxes of sheets by the full names of their fields."""
    return {box.field: box for parts in sheets for box in parts.boxes}


def _player_sheet(design: ScoreDesign, layout: str, player: Player, *, brief: bool) -> SheetParts:
    """The design's own rows and columns."""
    columns = [column for column in design.columns if layout in column.layouts]
    groups: list[Group] = []
    for row in design.rows:
        gap = Cell("" if brief else row.aside)
        pairs = _cells(design, row, layout)
        wide = 1 + len(columns) - len(pairs)
        cells = [Cell(box=_box(row, *item, player), columns=wide) if item[1] else gap for item in pairs]
        groups.append((_title(row, player, "" if brief else row.hint), [("", cells)]))
    if total := design.total:
        at = next((n for n, column in enumerate(columns) if column.id == total.under), 0)
        cells_of_total = _total_cells("" if brief else total.how, at, len(columns))
        cells_of_total[at] = Cell(box=SheetBox(total.id, total.title, player=player))
        groups.append((Cell(total.title, look="total"), [("", cells_of_total)]))
    table = _table(design.corner, [_head(column, player, brief=brief) for column in columns], groups)
    lists = [(listing, _list_boxes(listing, player)) for listing in design.lists if layout == ONE]
    ticks, shares = [_ticks(item, player) for item in design.ticks], [column.share for column in columns]
    return SheetParts(player, _lines(design, player), ticks, table, shares, lists)


def _party_sheet(design: ScoreDesign, people: Sequence[Player]) -> SheetParts:
    """A column for each player, and a line for each box that they have."""
    name_boxes = [SheetBox(PLAYER, "name", "words", player, name=True) for player in people]
    heads = [Cell(f"{number}", box, "head") for number, box in enumerate(name_boxes, 1)]
    groups = [_party_row(design, row, people) for row in design.rows[: design.party or None]]
    for group in (ticks for ticks in design.ticks if ticks.own):
        boxes = ([Cell(box=_tick(group, option, item)) for item in people] for option in group.options)
        groups.append((Cell(group.title, look="title"), list(zip(group.options.values(), boxes, strict=True))))
    if total := design.total:
        cells = [Cell(box=SheetBox(total.id, total.title, player=item)) for item in people]
        groups.append((Cell(total.title, look="total"), [("", cells)]))
    common = [_ticks(item, ALL) for item in design.ticks if not item.own]
    about = [(line, box) for line, box in _lines(design, ALL) if line.id != PLAYER]
    return SheetParts(ALL, about, common, _table("Player", heads, groups), [1] * len(people))


def _table(corner: str, heads: Sequence[Cell], groups: Sequence[Group]) -> list[Cells]:
    """The heads and the lines of groups, each with its title before its first line."""
    leading = 2 if any(name for _, lines in groups for name, _ in lines) else 1
    table: list[Cells] = [[Cell(corner, look="head", columns=leading), *[None] * (leading - 1), *heads]]
    for title, lines in groups:
        reaching = replace(title, rows=len(lines), columns=1 if lines and lines[0][0] else leading)
        for number, (name, cells) in enumerate(lines):
            names = [Cell(name, look="name") if name else None] * (leading - 1)
            table.append([None if number else reaching, *names, *cells, *[None] * (len(heads) - len(cells))])
    return table


def _party_row(design: ScoreDesign, row: Row, people: Sequence[Player]) -> Group:
    pairs = [(column, cell) for column, cell in _cells(design, row, PARTY) if cell]
    names = [_box_name(row, *pair) for pair in pairs] if len(pairs) > 1 else [""]
    boxes = ([Cell(box=_box(row, *pair, player)) for player in people] for pair in pairs)
    return _title(row, ALL), list(zip(names, boxes, strict=False))


def _lines(design: ScoreDesign, player: Player) -> list[tuple[Line, SheetBox]]:
    return [(line, SheetBox(line.id, line.title, "words", player)) for line in design.lines]


def _ticks(group: Ticks, player: Player) -> tuple[Ticks, list[SheetBox]]:
    return group, [_tick(group, option, player) for option in group.options]


def _tick(group: Ticks, option: str, player: Player) -> SheetBox:
    label, one_of = f"{group.title.rstrip('?')}: {group.options[option]}", group if group.is_radio else None
    return SheetBox(f"{group.id}.{option}", label, "tick", player, (option,), group=one_of)


def _list_boxes(listing: Listing, player: Player) -> list[SheetBox]:
    numbers = range(1, listing.count + 1)
    return [SheetBox(f"{listing.id}.{n}", f"{listing.title}, {n}", "words", player) for n in numbers]


def _head(column: Column, player: Player, *, brief: bool) -> Cell:
    how = (column.brief or column.how) if brief else column.how
    box = SheetBox(f"heads.{column.id}", f"Column {column.id}, name", "words", player)
    return Cell(column.title or column.id, None if column.title else box, "head", how)


def _total_cells(words: str, at: int, count: int) -> list[Cell | None]:
    """The line of the total: at the side of its box, where there is more room, `words` on how it is reckoned."""
    start, end = (at + 1, count) if at < count / 2 else (0, at)
    cells: list[Cell | None] = [Cell()] * count
    if words and start < end:
        cells[start:end] = [Cell(words, columns=end - start), *[None] * (end - start - 1)]
    return cells


def _cells(design: ScoreDesign, row: Row, layout: str) -> list[tuple[Column, str]]:
    """The columns of a layout, and the name of the row's box under each, "" for none; one without an id has one box."""
    pairs = zip(design.columns if row.id else [Column("", row.title)], row.cells, strict=True)
    return [(column, cell) for column, cell in pairs if layout in column.layouts]


def _box(row: Row, column: Column, cell: str, player: Player) -> SheetBox:
    label = f"{_row_name(row)}, {_box_name(row, column, cell)}" if row.id else row.title
    return SheetBox(row.key(cell), label, column.kind, player, column.options)


def _box_name(row: Row, column: Column, cell: str) -> str:
    """How a box is called in its row."""
    return row.names.get(cell, "") or column.title or f"column {column.id}"


def _title(row: Row, player: Player, hint: str = "") -> Cell:
    """The title of a row, or a box for the name of one that has none."""
    box = SheetBox(f"names.{row.id}", f"{_row_name(row)}, name", "words", player, name=True)
    return Cell(row.title, None if row.title else box, "title", hint, row.icon)


def _row_name(row: Row) -> str:
    """How a row is spoken of: by its title, or by its id, `row.1`, as "Row 1"."""
    return row.title or re.sub(r"[.-]", " ", row.id).capitalize()
