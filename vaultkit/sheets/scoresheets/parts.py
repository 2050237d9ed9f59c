"""The parts of a score sheet with their boxes, for one player or a party, from which sheets are drawn and read."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import msgspec
from msgspec.structs import replace

from vaultkit.compendium.words import ENGLISH
from vaultkit.games.definition import EntryList, Part
from vaultkit.sheets.scoresheets.design import (
    FIELDS,
    ONE,
    PARTY,
    PLAYER,
    Column,
    Row,
    ScoreDesign,
    Ticks,
    Total,
    translate,
)
from vaultkit.sheets.scoresheets.sheet_cells import ALL, Cell, ColumnWidth, Grid, GridLine, Player, SheetBox, SheetParts
from vaultkit.text import capitalize_first

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of a sheet's id, none of which looks like another."""

MAX_FIELD_COUNT = 6_000
"""The maximum number of fields of a file that can be read; a few objects of a hostile file can stand for any number."""
MAX_VALUE_LENGTH = 20_000
"""The maximum number of characters in a field."""


_MIN_NAME_WIDTH_MM, MAX_BOX_WIDTH_MM, _PAGE_WIDTH_MM = 18.0, 40.0, 180.0
"""The minimum width of a column for a name of 24 letters on two lines, the maximum for numbers, and the page's."""
_NUMBER_WIDTH_MM, _DIGIT_WIDTH_MM, _LETTER_WIDTH_MM = 4.0, 3.1, 1.9
"""The width of a box for handwriting: without digits, for each digit, and for each letter of a choice."""
_LABEL_WIDTH_MM, _TITLE_WIDTH_MM, _HINT_WIDTH_MM, _MIN_GAME_WIDTH_MM = 12.0, 48.0, 26.0, 15.0
_SEAT_WIDTH_MM, _BALL_WIDTH_MM = 28.0, 7.0
"""The minimum widths of the column of names and of a box, if rounds are side by side."""
_MAX_VALUE_COUNT_ACROSS = 3
"""The maximum number of values of a round side by side on a page without room for those of all players."""
NOTES_PREFIX = "note-"
"""The prefix of the last part of a field's name for notes on a round; no column's id can begin so."""
GAMES_PREFIX = "g"
"""The letter of the prefixes of the second and later games on a player's own sheet, such as `g2.`."""


def sheet_parts(design: ScoreDesign, layout: str, people: Sequence[Player], *, brief: bool = False) -> list[SheetParts]:
    """Return the sheets of a layout: one for each of `people`, or one for the party; `brief` sheets explain less."""
    groups = [people] if layout == PARTY else [[player] for player in people]
    return [_SheetMaker(design, layout, group, brief=brief).parts() for group in groups]


def sheet_id(design: ScoreDesign, layout: str, people: Sequence[Player]) -> str:
    """Return eight characters that identify a sheet's design, layout and fields, independent of their contents."""
    parts = msgspec.to_builtins(replace(design, sheet=None, words=ENGLISH))
    del parts["words"]
    identity = msgspec.json.encode((parts, layout, [player.prefix for player in people], FIELDS))
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in hashlib.sha256(identity).digest()[:8])


def boxes_of(sheets: Iterable[SheetParts]) -> dict[str, SheetBox]:
    """Return the boxes of sheets by the full names of their fields."""
    return {box.field: box for parts in sheets for box in parts.boxes}


class _SheetMaker:
    """The maker of the parts of a sheet for one player or a party."""

    def __init__(self, design: ScoreDesign, layout: str, people: Sequence[Player], *, brief: bool) -> None:
        self.design, self.layout, self.people, self.brief = design, layout, people, brief
        self.words, self.is_party = design.words, layout == PARTY
        self.owner = ALL if self.is_party else people[0]
        self.columns = [column for column in design.columns if layout in column.layouts]

    def parts(self) -> SheetParts:
        """Return the lines, ticks, tables and lists."""
        design, owner = self.design, self.owner
        lines = [(line, SheetBox(line.id, line.title, "words", owner)) for line in design.lines]
        ticks = [
            (group, [_tick(group, option, owner) for option in group.options])
            for group in design.ticks
            if not (group.own and (self.is_party or self._has_games))
        ]
        lists = design.lists if self.layout == ONE or (self.is_party and design.sheet) else ()
        grids = [grid for grid in self._grids() if grid.lines]
        lines = [pair for pair in lines if pair[0].id != PLAYER or not (self.is_party or design.across)]
        return SheetParts(owner, lines, ticks, [*grids, *(_list_grid(listing, owner) for listing in lists)])

    @property
    def _has_games(self) -> bool:
        return self.layout == ONE and self.design.games > 1

    def _grids(self) -> Iterator[Grid]:
        """Yield the tables of a sheet: several where a page is too narrow for all players."""
        design, people = self.design, self.people
        if design.across:
            yield self._round_grid()
        elif self.is_party:
            names = [Cell(f"{n}", self._name_box(player), "head") for n, player in enumerate(people, 1)]
            room = across = self._count_across()
            rows = design.rows if across else design.rows[: design.party or None]
            if not across:
                beside = _HINT_WIDTH_MM * any(row.hint and not row.id for row in rows)
                room = int((_PAGE_WIDTH_MM - _TITLE_WIDTH_MM - beside) // _MIN_NAME_WIDTH_MM)
            size = -(-len(people) // -(-len(people) // room))
            for at in range(0, len(people), size):
                notes = design.notes if across and not at else ()
                yield self._grid(rows, people[at : at + size], names[at : at + size], notes, stacked=not across)
        elif self._has_games:
            games = [replace(self.owner, prefix=self.owner.prefix + f"{GAMES_PREFIX}{n}." * (n > 1))
                     for n in range(1, 1 + design.games)]  # fmt: skip
            heads = [Cell(self.words("Game {number}", number=n), look="head") for n in range(1, 1 + len(games))]
            yield self._grid(design.rows, games, heads, (), stacked=True)
        else:
            notes = design.notes if self.layout == ONE else ()
            yield self._grid(design.rows, people, list(map(self._head, self.columns)), notes, stacked=False)

    def _count_across(self) -> int:
        """Return for how many players the values of a round are side by side; 0 if they are one below the other."""
        rows, people = self.design.rows, self.people
        if not re.search(r"\.\d+\Z", rows[0].id if rows else "") or not all(row.title for row in rows):
            return 0
        widths = [_width(column).least for column in self.columns]
        notes = sum(_width_of_note(note).least for note in self.design.notes)
        room = int((_PAGE_WIDTH_MM - _LABEL_WIDTH_MM - notes) // max(_MIN_NAME_WIDTH_MM, sum(widths)))
        few = self.design.sheet and len(widths) <= _MAX_VALUE_COUNT_ACROSS and room > 1
        return room if room >= len(people) or few else 0

    def _grid(
        self, rows: Sequence[Row], people: Sequence[Player], heads: Sequence[Cell], notes: Sequence[Part], *,
        stacked: bool,
    ) -> Grid:  # fmt: skip
        """Return a table with the boxes of people side by side: a line for each row, or `stacked` for each box.

        The `heads` are those of the people, or of the columns of one player.
        """
        design, many, lines = self.design, stacked or self.is_party, list[GridLine]()
        boxed = [[pair for pair in self._cells(row) if pair[1]] for row in rows]
        each = 1 if stacked else len(self.columns)
        hinted = not self.brief and any(row.hint and not row.id for row in rows)
        hinted = hinted or bool(stacked and design.sheet and design.total and design.total.how)
        own = [group for group in design.ticks if group.own and many]
        has_names = stacked and (any(len(pairs) > 1 for pairs in boxed) or bool(own))
        has_names = has_names or any(not _is_side_by_side(group, len(people)) for group in own)
        beside = hinted or has_names
        leading, full = 1 + beside + len(notes), not (self.brief or hinted or many)
        for row, pairs in zip(rows, boxed, strict=True):
            if row.section:
                lines.append(GridLine(_spread(Cell(row.section, look="section", columns=leading + each * len(people)))))
            title = self._title(row, row.hint * full, "" if stacked else design.corner)
            if not stacked:
                hint = [Cell(row.hint)] if hinted else [None] * beside
                title = replace(title, columns=1 + beside - hinted)
                cells = chain(*(self._row_cells(row, player) for player in people))
                lines.append(GridLine([title, *hint, *(self._note_cell(row, note) for note in notes), *cells]))
                continue
            for number, pair in enumerate(pairs):
                name = Cell(row.hint) if len(pairs) == 1 else Cell(self._box_name(row, *pair), look="name")
                has_name = hinted or len(pairs) > 1
                top = replace(title, rows=len(pairs), columns=1 if has_name else leading)
                own_cells = (Cell(box=self._box(row, *pair, player)) for player in people)
                names = [name if has_name else None] * beside
                lines.append(GridLine([None if number else top, *names, *own_cells], joined=bool(number)))
        for group in own:
            lines += _own_ticks(group, people, each, leading)
        if total := design.total:
            at = 0 if stacked else next((n for n, column in enumerate(self.columns) if column.id == total.under), 0)
            cells = chain(*(_total_cells(total, total.how * full, at, each, player) for player in people))
            title = Cell(total.title, look="total", columns=leading - hinted)
            lines.append(GridLine([*_spread(title), *[Cell(total.how)] * hinted, *cells]))
        has_name_boxes = any(head.box and head.box.name for head in heads)
        corner_words = self.words("Player") if stacked and has_name_boxes else design.corner
        corner = Cell(corner_words, look="head", columns=1 + beside)
        above = [corner, *(Cell(note.title, look="head") for note in notes)]
        above += [replace(head, columns=each if many else 1) for head in heads]
        tops = [[*chain(*map(_spread, above))]]
        labels = [Cell(column.title or column.id, look="label") for column in self.columns]
        tops += [[*[Cell()] * leading, *labels * len(people)]] * (self.is_party and each > 1)
        hints = [Cell(column.brief * self.brief or column.how, look="hint") for column in self.columns]
        tops += [[*[Cell()] * leading, *hints]] * (not many and any(hint.words for hint in hints))
        widths = [ColumnWidth(0), *[ColumnWidth(_HINT_WIDTH_MM * hinted)] * beside, *map(_width_of_note, notes)]
        if stacked:
            wide = [_ticks_width(group) for group in own if _is_side_by_side(group, len(people))]
            wide += [_MIN_NAME_WIDTH_MM if has_name_boxes else _MIN_GAME_WIDTH_MM]
            return Grid(tops, lines, [*widths, *[ColumnWidth(max(wide), max(*wide, MAX_BOX_WIDTH_MM))] * len(people)])
        least = _MIN_NAME_WIDTH_MM / each if self.is_party else 0.0
        own_widths = [replace(width, least=max(width.least, least)) for width in map(_width, self.columns)]
        return Grid(tops, lines, [*widths, *own_widths * len(people)], blocks=0)

    def _round_grid(self) -> Grid:
        """Return a table with a row for each player and rounds side by side; computed values are below the boxes."""
        design, lines = self.design, list[GridLine]()
        computed = design.sheet.definition.formulas if design.sheet else {}
        rounds = [(row, [pair for pair in self._cells(row) if pair[1]]) for row in design.rows if row.id]
        above = [(row, [pair for pair in pairs if pair[1] not in computed]) for row, pairs in rounds]
        below = [[pair for pair in pairs if pair[1] in computed] for _, pairs in rounds]
        once = [(row.cells[0], row.title) for row in design.rows if not row.id]
        once += [(total.id, total.title) for total in [design.total] if total]
        tall = 1 + max(map(len, below), default=0)
        for player in self.people:
            name = Cell(box=self._name_box(player), rows=tall)
            boxes = [Cell(box=self._box(row, *pair, player)) for row, pairs in above for pair in pairs]
            last = [Cell(box=SheetBox(key, title, player=player), rows=tall) for key, title in once]
            lines.append(GridLine([name, *boxes, *last]))
            for level in range(tall - 1):
                cells = [
                    _spread(Cell(box=box, columns=len(boxed)))
                    for (row, boxed), pairs in zip(above, below, strict=True)
                    for box in [self._box(row, *pairs[level], player) if level < len(pairs) else None]
                ]
                lines.append(GridLine([None, *chain(*cells), *[None] * len(last)], joined=True))
        heads = [Cell(row.title.rpartition(" ")[2], look="head", columns=len(pairs)) for row, pairs in above]
        heads = [Cell(self.words("Player"), look="head"), *heads, *(Cell(title, look="head") for _, title in once)]
        balls = [replace(_width(pair[0]), least=_BALL_WIDTH_MM) for _, pairs in above for pair in pairs]
        widths = [ColumnWidth(_SEAT_WIDTH_MM, 60.0), *balls, *[ColumnWidth(13.0, 20.0)] * len(once)]
        return Grid([[*chain(*map(_spread, heads))]], lines, widths)

    def _cells(self, row: Row) -> list[tuple[Column, str]]:
        """Return the columns with the name of the row's box in each, "" for none; a row without an id has one box."""
        if not row.id:
            return [(Column("", row.title), row.cells[0])]
        names = dict(zip((column.id for column in self.design.columns), row.cells, strict=True))
        return [(column, names[column.id]) for column in self.columns]

    def _row_cells(self, row: Row, player: Player) -> Iterator[Cell | None]:
        """Yield the cells of a player in a row; the box of a row without an id spans all columns."""
        for column, cell in self._cells(row):
            box = Cell(box=self._box(row, column, cell, player), columns=1 if row.id else len(self.columns))
            yield from _spread(box if cell else Cell("" if self.brief or self.is_party else row.aside))

    def _box(self, row: Row, column: Column, cell: str, player: Player) -> SheetBox:
        label = f"{self._row_name(row)}, {self._box_name(row, column, cell)}" if row.id else row.title
        return SheetBox(row.key(cell), label, column.kind, player, column.options)

    def _box_name(self, row: Row, column: Column, cell: str) -> str:
        """Return the description of a box within its row."""
        return row.names.get(cell, "") or column.title or self._column_name(column)

    def _column_name(self, column: Column) -> str:
        return self.words("column {number}", number=column.id)

    def _row_name(self, row: Row) -> str:
        """Return the name of a row: its title, or "Row 1" for the id `row.1`."""
        return row.title or str(translate(re.sub(r"[.-]", " ", row.id).capitalize(), self.words))

    def _name_box(self, player: Player) -> SheetBox:
        return SheetBox(PLAYER, self.words("name"), "words", player, name=True)

    def _note_cell(self, row: Row, note: Part) -> Cell:
        """Return the cell for a note on a round, which is empty beside a row that is no round."""
        label = f"{self._row_name(row)}, {note.title}"
        return Cell(box=SheetBox(row.key(f"{NOTES_PREFIX}{note.id}"), label, "words", self.owner) if row.id else None)

    def _title(self, row: Row, hint: str, corner: str) -> Cell:
        """Return the title of a row, or a box for one; `corner`, such as `Deal`, is left out of numbered titles."""
        label = f"{self._row_name(row)}, {self.words('name')}"
        box = None if row.title else SheetBox(f"names.{row.id}", label, "words", self.owner, name=True)
        words = row.title.removeprefix(f"{corner} ") if corner and row.id else row.title
        return Cell(words, box, "title", hint, row.icon)

    def _head(self, column: Column) -> Cell:
        label = f"{capitalize_first(self._column_name(column))}, {self.words('name')}"
        box = None if column.title else SheetBox(f"heads.{column.id}", label, "words", self.owner)
        return Cell(column.title or column.id, box, "head")


def _own_ticks(group: Ticks, people: Sequence[Player], each: int, leading: int) -> Iterator[GridLine]:
    """Yield the lines of a group of which each player has boxes: one line for each option if columns are narrow."""
    if _is_side_by_side(group, len(people)):
        cells = [Cell(ticks=tuple((words, _tick(group, option, player)) for option, words in group.options.items()),
                      columns=each) for player in people]  # fmt: skip
        yield GridLine([*_spread(Cell(group.title, look="title", columns=leading)), *chain(*map(_spread, cells))])
        return
    for number, (option, words) in enumerate(group.options.items()):
        title = Cell(group.title, look="title", rows=len(group.options), columns=leading - 1)
        cells = [Cell(box=_tick(group, option, player), columns=each) for player in people]
        head = [*([None] * (leading - 1) if number else _spread(title)), Cell(words, look="name")]
        yield GridLine([*head, *chain(*map(_spread, cells))], joined=bool(number))


def _spread(cell: Cell) -> list[Cell | None]:
    """Return a cell and None for each further column that it spans."""
    return [cell, *[None] * (cell.columns - 1)]


def _is_side_by_side(group: Ticks, count: int) -> bool:
    """Return whether the options of a group have room side by side for `count` players."""
    return _ticks_width(group) * count <= _PAGE_WIDTH_MM - _TITLE_WIDTH_MM


def _ticks_width(group: Ticks) -> float:
    """Return the width in mm of a group's boxes to tick, side by side."""
    return len(group.options) * (8 + _LETTER_WIDTH_MM * max(map(len, group.options.values())))


def _width_of_note(note: Part) -> ColumnWidth:
    return ColumnWidth(max(10.0, _LETTER_WIDTH_MM * len(note.title) + 3), 24.0)


def _width(column: Column) -> ColumnWidth:
    """Return the width of a column of boxes for its numbers or its longest choice; columns for words are wider."""
    if column.wide:
        return ColumnWidth(22.0, 400.0, column.share)
    if column.options:
        wide = min(MAX_BOX_WIDTH_MM, max(9.0, 5 + _LETTER_WIDTH_MM * max(map(len, column.options))))
        return ColumnWidth(wide, 2 * wide, column.share)
    return ColumnWidth(_NUMBER_WIDTH_MM + _DIGIT_WIDTH_MM * column.digits, MAX_BOX_WIDTH_MM, column.share)


def _list_grid(listing: EntryList, player: Player) -> Grid:
    """Return the numbered entries of a list, each with its boxes, in its columns."""
    lines = []
    for number in range(1, listing.count + 1):
        numbered, key = f"{listing.title}, {number}", f"{listing.id}.{number}"
        names = [(f"{key}.{at}", f"{numbered}, {head}") for at, head in enumerate(listing.heads, 1)]
        boxes = [SheetBox(*name, "words", player) for name in names or [(key, numbered)]]
        lines.append(GridLine([Cell(f"{number}", look="name"), *(Cell(box=box) for box in boxes)]))
    heads = [[Cell("", look="head"), *(Cell(head, look="head") for head in listing.heads)]] if listing.heads else []
    widths = [ColumnWidth(0), *[ColumnWidth(20, 400)] * max(1, len(listing.heads))]
    return Grid(heads, lines, widths, f"### {listing.title}\n\n{listing.how}", listing.columns)


def _tick(group: Ticks, option: str, player: Player) -> SheetBox:
    label, one_of = f"{group.title.rstrip('?')}: {group.options[option]}", group if group.is_radio else None
    return SheetBox(f"{group.id}.{option}", label, "tick", player, (option,), group=one_of)


def _total_cells(total: Total, words: str, at: int, count: int, player: Player) -> list[Cell | None]:
    """Return a player's line of the total, with its calculation on the side of its box where there is more room."""
    start, end = (at + 1, count) if at < count / 2 else (0, at)
    cells: list[Cell | None] = [Cell()] * count
    if words and start < end:
        cells[start:end] = _spread(Cell(words, columns=end - start))
    cells[at] = Cell(box=SheetBox(total.id, total.title, player=player))
    return cells
