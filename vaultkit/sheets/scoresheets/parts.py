"""The parts of a score sheet, from which it is drawn and read: grids of cells with boxes, for one player or a party."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from vaultkit.compendium.words import ENGLISH, VaultWords
from vaultkit.games.definition import EntryList, Line, Part
from vaultkit.sheets.scoresheets.design import ONE, PARTY, PLAYER, Column, Kind, Row, ScoreDesign, Ticks, Total
from vaultkit.text import capitalize_first

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


class Player(Struct, frozen=True):
    """A player of a sheet: the prefix of the names of its fields, and the player's name, "" if it is not known."""

    prefix: str = ""
    name: str = ""

    def label_prefix(self, words: VaultWords = ENGLISH) -> str:
        """Return the player's name or number, which precedes the description of a box on a sheet for several."""
        return f"{self.name or words('Player {number}', number=self.prefix[1:-1])}: " if self.prefix else ""


ALL = Player()


class SheetBox(Struct, frozen=True):
    """A box to fill in: its field's name without the player's prefix, its description, and the kind of its contents.

    `words` tell it from other boxes of its row or group. `options` are those of a choice, or the one to tick. A box for
    a `name` may have several lines. A box to tick that excludes others has a `group`: in the PDF, the group is one
    field with its name.
    """

    key: str
    label: str
    kind: Kind = "number"
    player: Player = ALL
    options: tuple[str, ...] = ()
    name: bool = False
    group: Ticks | None = None
    words: str = ""

    @property
    def field(self) -> str:
        """The full name of the field, with the option at the end for a box of a group."""
        return self.player.prefix + self.key

    @property
    def column(self) -> str:
        """The last part of the name: the column of a box in a row."""
        return self.key.rpartition(".")[2]

    @property
    def question(self) -> str:
        """The key of the question that the box answers; all boxes of a group answer one question."""
        return self.key.removesuffix(f".{self.options[0]}") if self.kind == "tick" else self.key


class Cell(Struct, frozen=True):
    """A cell of a grid: words with a hint, a box, or boxes to tick with their words; it may span lines and columns.

    The words of a cell with a box are its title when it is repeated on the next page.
    """

    words: str = ""
    box: SheetBox | None = None
    look: Literal["head", "label", "section", "title", "total", "name", "hint", "aside"] = "aside"
    hint: str = ""
    icon: str = ""
    ticks: tuple[SheetBox, ...] = ()
    rows: int = 1
    columns: int = 1


Cells = Sequence[Cell]
"""A line of a grid without the places that cells of the lines above span."""


class ColumnWidth(Struct, frozen=True):
    """The minimum width of a column in mm, and the maximum that it gets if there is room.

    A column without a maximum is as wide as its words, and gets the width left over.
    """

    least: float
    most: float = 0.0
    share: float = 1.0


class Grid(Struct, frozen=True):
    """A table of cells with a title in Markdown. The `heads` are repeated at the top of each page and each block.

    `blocks` is the number of blocks of lines side by side; 0 for as many as suit the page.
    """

    heads: Sequence[Cells]
    lines: Sequence[Cells]
    widths: Sequence[ColumnWidth]
    title: str = ""
    blocks: int = 1


class SheetParts(Struct, frozen=True):
    """The parts of a sheet from the top down with their boxes: lines, titled groups of boxes to tick, grids."""

    player: Player
    lines: Sequence[tuple[Line, SheetBox]]
    ticks: Sequence[tuple[str, Sequence[SheetBox]]]
    grids: Sequence[Grid]

    @property
    def boxes(self) -> Iterator[SheetBox]:
        """All boxes of the sheet, in this order."""
        yield from (box for _, box in self.lines)
        yield from (box for _, boxes in self.ticks for box in boxes)
        cells = (cell for grid in self.grids for line in (*grid.heads, *grid.lines) for cell in line)
        yield from (box for cell in cells for box in ([cell.box] if cell.box else cell.ticks))


def sheet_parts(design: ScoreDesign, layout: str, people: Sequence[Player], *, brief: bool = False) -> list[SheetParts]:
    """Return the sheets of a layout: one for each of `people`, or one for the party; `brief` sheets explain less."""
    groups = [people] if layout == PARTY else [[player] for player in people]
    return [_SheetMaker(design, layout, group, brief=brief).parts() for group in groups]


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
        self.has_games = layout == ONE and design.games > 1

    def parts(self) -> SheetParts:
        """Return the lines, ticks, tables and lists."""
        design, owner, has_several = self.design, self.owner, self.is_party or self.has_games
        is_named = not (self.is_party or design.across)
        lines = [(line, SheetBox(line.id, line.title, "words", owner))
                 for line in design.lines if is_named or line.id != PLAYER]  # fmt: skip
        ticks = [(group.title, _ticks(group, owner)) for group in design.ticks if not (group.own and has_several)]
        lists = design.lists if self.layout == ONE or (self.is_party and design.sheet) else ()
        grids = [grid for grid in self._grids() if grid.lines]
        return SheetParts(owner, lines, ticks, [*grids, *(_list_grid(listing, owner) for listing in lists)])

    def _grids(self) -> Iterator[Grid]:
        """Yield the tables of a sheet: several where a page is too narrow for all players."""
        design, people, rows, room = self.design, self.people, self.design.rows, self._count_across()
        if design.across:
            yield self._round_grid()
        elif self.has_games:
            prefixes = ["", *(f"{GAMES_PREFIX}{number}." for number in range(2, 1 + design.games))]
            games = [replace(self.owner, prefix=self.owner.prefix + prefix) for prefix in prefixes]
            heads = [Cell(self.words("Game {number}", number=n), look="head") for n, _ in enumerate(games, 1)]
            yield self._grid(rows, games, heads, (), stacked=True)
        elif not self.is_party:
            notes = design.notes if self.layout == ONE else ()
            yield self._grid(rows, people, list(map(self._head, self.columns)), notes, stacked=False)
        else:
            names, is_stacked = [Cell(f"{n}", self._name_box(who), "head") for n, who in enumerate(people, 1)], not room
            if is_stacked:
                rows = rows[: design.party or None]
                beside = _HINT_WIDTH_MM * any(row.hint and not row.id for row in rows)
                room = int((_PAGE_WIDTH_MM - _TITLE_WIDTH_MM - beside) // _MIN_NAME_WIDTH_MM)
            size = -(-len(people) // -(-len(people) // room))
            for at in range(0, len(people), size):
                notes = () if is_stacked or at else design.notes
                yield self._grid(rows, people[at : at + size], names[at : at + size], notes, stacked=is_stacked)

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
        design, many, lines, total = self.design, stacked or self.is_party, list[Cells](), self.design.total
        boxed = [[[*self._boxes(row, player)] for player in people] for row in rows]
        each = 1 if stacked else len(self.columns)
        own = [group for group in design.ticks if group.own and many]
        wide = [group for group in own if _ticks_width(group) * len(people) <= _PAGE_WIDTH_MM - _TITLE_WIDTH_MM]
        hinted = not self.brief and any(row.hint and not row.id for row in rows)
        hinted = hinted or bool(stacked and design.sheet and total and total.how)
        has_names = stacked and (any(sum(map(bool, boxes)) > 1 for boxes, *_ in boxed) or bool(own))
        beside = hinted or has_names or len(wide) < len(own)
        leading, full = 1 + beside + len(notes), not (self.brief or hinted or many)

        def line(title: Cell, hints: Sequence[Cell], cells: Iterable[Cell]) -> Cells:
            """Return a line whose title fills the columns before the other cells."""
            return [replace(title, columns=leading - len(hints)), *hints, *cells]

        def stack(title: Cell, boxes: Sequence[Sequence[SheetBox | None]]) -> Iterator[Cells]:
            """Yield a line for each box of several players, with its words beside the title of all lines."""
            several = [*zip(*(filter(None, own) for own in boxes), strict=True)]
            for number, level in enumerate(several):
                names = [Cell(level[0].words, look="name")]
                cells = [Cell(box=box, columns=each) for box in level]
                yield [*names, *cells] if number else line(replace(title, rows=len(several)), names, cells)

        for row, boxes in zip(rows, boxed, strict=True):
            if row.section:
                lines.append([Cell(row.section, look="section", columns=leading + each * len(people))])
            title = self._title(row, row.hint * full, "" if stacked else design.corner)
            if stacked and sum(map(bool, boxes[0])) != 1:
                lines += stack(title, boxes)
                continue
            hints = [Cell(row.hint)] * hinted + [self._note_cell(row, note) for note in notes]
            lines.append(line(title, hints, chain(*(self._row_cells(row, own, stacked) for own in boxes))))
        for group in own:
            title, ticks = Cell(group.title, look="title"), [_ticks(group, player) for player in people]
            cells = [Cell(ticks=boxes, columns=each) for boxes in ticks]
            lines += [line(title, (), cells)] if group in wide else stack(title, ticks)
        if total:
            at = 0 if stacked else next((n for n, column in enumerate(self.columns) if column.id == total.under), 0)
            totals = chain(*(_total_cells(total, total.how * full, at, each, player) for player in people))
            lines.append(line(Cell(total.title, look="total"), [Cell(total.how)] * hinted, totals))
        has_name_boxes = any(head.box and head.box.name for head in heads)
        corner = Cell(self.words("Player") if stacked and has_name_boxes else design.corner, look="head")
        own_heads = (replace(head, columns=each if many else 1) for head in heads)
        tops = [line(corner, [Cell(note.title, look="head") for note in notes], own_heads)]
        labels = [Cell(column.title or column.id, look="label") for column in self.columns]
        tops += [[*[Cell()] * leading, *labels * len(people)]] * (self.is_party and each > 1)
        hints = [Cell(column.brief * self.brief or column.how, look="hint") for column in self.columns]
        tops += [[*[Cell()] * leading, *hints]] * (not many and any(hint.words for hint in hints))
        widths = [ColumnWidth(0), *[ColumnWidth(_HINT_WIDTH_MM * hinted)] * beside, *map(_width_of_note, notes)]
        if stacked:
            least = max([_MIN_NAME_WIDTH_MM if has_name_boxes else _MIN_GAME_WIDTH_MM, *map(_ticks_width, wide)])
            return Grid(tops, lines, [*widths, *[ColumnWidth(least, max(least, MAX_BOX_WIDTH_MM))] * len(people)])
        least = _MIN_NAME_WIDTH_MM / each if self.is_party else 0.0
        own_widths = [replace(width, least=max(width.least, least)) for width in map(_width, self.columns)]
        return Grid(tops, lines, [*widths, *own_widths * len(people)], blocks=0)

    def _round_grid(self) -> Grid:
        """Return a table with a row for each player and rounds side by side; computed values are below the boxes."""
        design, lines, total = self.design, list[Cells](), self.design.total
        computed = design.sheet.definition.formulas if design.sheet else {}
        rounds, columns = [row for row in design.rows if row.id], {column.id: column for column in self.columns}
        once = [(row.cells[0], row.title) for row in design.rows if not row.id]
        once += [(total.id, total.title)] if total else []
        for player in self.people:
            boxes = [list(filter(None, self._boxes(row, player))) for row in rounds]
            above = [[box for box in own if box.column not in computed] for own in boxes]
            below = [*zip_longest(*([box for box in own if box.column in computed] for own in boxes))]
            name, tall = self._name_box(player), 1 + len(below)
            last = [Cell(box=SheetBox(key, title, player=player), rows=tall) for key, title in once]
            lines.append([Cell(box=name, rows=tall), *(Cell(box=box) for own in above for box in own), *last])
            lines += [[Cell(box=box, columns=len(own)) for own, box in zip(above, level, strict=True)]
                      for level in below]  # fmt: skip
        heads = [Cell(row.title.rpartition(" ")[2], look="head", columns=len(own))
                 for row, own in zip(rounds, above, strict=True)]  # fmt: skip
        heads = [Cell(self.words("Player"), look="head"), *heads, *(Cell(title, look="head") for _, title in once)]
        balls = [replace(_width(columns[box.column]), least=_BALL_WIDTH_MM) for own in above for box in own]
        return Grid([heads], lines, [ColumnWidth(_SEAT_WIDTH_MM, 60.0), *balls, *[ColumnWidth(13.0, 20.0)] * len(once)])

    def _boxes(self, row: Row, player: Player) -> Iterator[SheetBox | None]:
        """Yield a player's box in each column of a row, None for no box; a row without an id has one box."""
        if not row.id:
            yield SheetBox(row.cells[0], row.title, player=player)
            return
        cells = dict(zip((column.id for column in self.design.columns), row.cells, strict=True))
        for column in self.columns:
            cell = cells[column.id]
            words = row.names.get(cell, "") or column.title or self._column_name(column)
            label, kind = f"{row.label(self.words)}, {words}", column.kind
            yield SheetBox(row.key(cell), label, kind, player, column.options, words=words) if cell else None

    def _row_cells(self, row: Row, boxes: Iterable[SheetBox | None], stacked: bool) -> Iterator[Cell]:
        """Yield the cells of a player in a row; the box of a row without an id spans all columns."""
        columns, aside = 1 if row.id or stacked else len(self.columns), row.aside * (not (self.brief or self.is_party))
        return (Cell(box=box, columns=columns) if box else Cell(aside) for box in boxes if box or not stacked)

    def _column_name(self, column: Column) -> str:
        return self.words("column {number}", number=column.id)

    def _name_box(self, player: Player) -> SheetBox:
        return SheetBox(PLAYER, self.words("name"), "words", player, name=True)

    def _note_cell(self, row: Row, note: Part) -> Cell:
        """Return the cell for a note on a round, which is empty beside a row that is no round."""
        label = f"{row.label(self.words)}, {note.title}"
        return Cell(box=SheetBox(row.key(f"{NOTES_PREFIX}{note.id}"), label, "words", self.owner) if row.id else None)

    def _title(self, row: Row, hint: str, corner: str) -> Cell:
        """Return the title of a row, or a box for one; `corner`, such as `Deal`, is left out of numbered titles."""
        label = f"{row.label(self.words)}, {self.words('name')}"
        box = None if row.title else SheetBox(f"names.{row.id}", label, "words", self.owner, name=True)
        words = row.title.removeprefix(f"{corner} ") if corner and row.id else row.title
        return Cell(words, box, "title", hint, row.icon)

    def _head(self, column: Column) -> Cell:
        label = f"{capitalize_first(self._column_name(column))}, {self.words('name')}"
        box = None if column.title else SheetBox(f"heads.{column.id}", label, "words", self.owner)
        return Cell(column.title or column.id, box, "head")


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
        lines.append([Cell(f"{number}", look="name"), *(Cell(box=box) for box in boxes)])
    heads = [[Cell("", look="head"), *(Cell(head, look="head") for head in listing.heads)]] if listing.heads else []
    widths = [ColumnWidth(0), *[ColumnWidth(20, 400)] * max(1, len(listing.heads))]
    return Grid(heads, lines, widths, f"### {listing.title}\n\n{listing.how}", listing.columns)


def _ticks(group: Ticks, player: Player) -> tuple[SheetBox, ...]:
    """Return the boxes of a group to tick."""
    title, one_of = group.title.rstrip("?"), group if group.is_radio else None
    return tuple(
        SheetBox(f"{group.id}.{option}", f"{title}: {words}", "tick", player, (option,), group=one_of, words=words)
        for option, words in group.options.items()
    )


def _total_cells(total: Total, words: str, at: int, count: int, player: Player) -> list[Cell]:
    """Return a player's line of the total, with its calculation on the side of its box where there is more room."""
    cells = [Cell()] * count
    cells[at] = Cell(box=SheetBox(total.id, total.title, player=player))
    start, end = (at + 1, count) if at < count / 2 else (0, at)
    cells[start:end] = [Cell(words, columns=end - start)] if words and start < end else cells[start:end]
    return cells
