"""The parts of a score sheet with their boxes, for one player or for a party: drawn, filled in and read by them."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from vaultkit.compendium.words import ENGLISH
from vaultkit.games.definition import EntryList, Line, Part
from vaultkit.sheets.scoresheets.design import FIELDS, ONE, PARTY, PLAYER, Column, Row, ScoreDesign, Ticks
from vaultkit.sheets.scoresheets.sheet_cells import (
    ALL,
    Cell,
    Cells,
    ColumnWidth,
    Grid,
    GridLine,
    Player,
    SheetBox,
    SheetParts,
)

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that could be taken for another."""

MAX_FIELD_COUNT = 6_000
"""Fields of one file; more cannot be read again, since few of a hostile file may become any number."""
MAX_VALUE_LENGTH = 20_000
"""Characters of what stands in a field."""


_MIN_NAME_WIDTH_MM, MAX_BOX_WIDTH_MM, _PAGE_WIDTH_MM = 18.0, 40.0, 180.0
"""The least width of a column for a name of 24 letters on two lines, the most of one for numbers, and the page's."""
_NUMBER_WIDTH_MM, _DIGIT_WIDTH_MM, _LETTER_WIDTH_MM = 4.0, 3.1, 1.9
"""The width of a box for handwriting: without any digit, of each digit, and of each letter of a choice."""
_LABEL_WIDTH_MM, _TITLE_WIDTH_MM, _HINT_WIDTH_MM, _MIN_GAME_WIDTH_MM = 12.0, 48.0, 26.0, 15.0
_MAX_VALUE_COUNT_ACROSS = 3
"""So many values of a round stand side by side where a page has no room for those of all players."""
NOTES_PREFIX = "note-"
"""The beginning of the last part of the name of a box for notes on a round, which no column can have."""
GAMES_PREFIX = "g"
"""The beginning of the prefix of the second and later games on a player's own sheet: `g2.`."""


def sheet_parts(design: ScoreDesign, layout: str, people: Sequence[Player], *, brief: bool = False) -> list[SheetParts]:
    """Return the sheets of that layout: one for each of `people`, or one for the party; `brief` ones explain less."""
    if layout == PARTY:
        return [_party_sheet(design, people)]
    if layout == ONE and design.games > 1:
        return [_games_sheet(design, player) for player in people]
    return [_player_sheet(design, layout, player, brief=brief) for player in people]


def sheet_id(design: ScoreDesign, layout: str, people: Sequence[Player]) -> str:
    """Return eight characters that identify a sheet's design, layout and fields, independent of their contents."""
    parts = msgspec.to_builtins(replace(design, sheet=None, words=ENGLISH))
    del parts["words"]
    identity = msgspec.json.encode((parts, layout, [player.prefix for player in people], FIELDS))
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in hashlib.sha256(identity).digest()[:8])


def boxes_of(sheets: Iterable[SheetParts]) -> dict[str, SheetBox]:
    """Return the boxes of sheets by the full names of their fields."""
    return {box.field: box for parts in sheets for box in parts.boxes}


def _player_sheet(design: ScoreDesign, layout: str, player: Player, *, brief: bool) -> SheetParts:
    """Return the design's own rows and columns."""
    columns = [column for column in design.columns if layout in column.layouts]
    notes = design.notes if layout == ONE else ()
    lines, hinted = list[GridLine](), any(row.hint and not row.id for row in design.rows) and not brief
    for row in design.rows:
        pairs = _cells(design, row, layout)
        wide = 1 + len(columns) - len(pairs)
        gap = Cell("" if brief else row.aside)
        cells = [Cell(box=_box(row, *item, player), columns=wide) if item[1] else gap for item in pairs]
        title = _title(row, player, "" if brief or hinted else row.hint, design.corner)
        beside = [Cell(row.hint)] * hinted + [_note_cell(row, note, player) for note in notes]
        lines += _section(row, 1 + hinted + len(notes) + len(columns))
        lines.append(GridLine([title, *beside, *cells, *[None] * (wide - 1)]))
    if total := design.total:
        at = next((n for n, column in enumerate(columns) if column.id == total.under), 0)
        cells_of_total = _total_cells("" if brief or hinted else total.how, at, len(columns))
        cells_of_total[at] = Cell(box=SheetBox(total.id, total.title, player=player))
        beside = [Cell(total.how if hinted else "")] * (len(notes) + hinted)
        lines.append(GridLine([Cell(total.title, look="total"), *beside, *cells_of_total]))
    heads = [_head(column, player, brief=brief) for column in columns]
    corner = [Cell(design.corner, look="head", columns=1 + hinted), *[None] * hinted]
    widths = [ColumnWidth(0), *[ColumnWidth(_HINT_WIDTH_MM)] * hinted, *map(_width_of_note, notes)]
    widths += [_width(column) for column in columns]
    grid = Grid([[*corner, *(Cell(note.title, look="head") for note in notes), *heads]], lines, widths, blocks=0)
    ticks = [_ticks(item, player) for item in design.ticks]
    lists = [_list_grid(listing, player) for listing in design.lists if layout == ONE]
    return SheetParts(player, _lines(design, player), ticks, [grid] * bool(lines) + lists)


def _party_sheet(design: ScoreDesign, people: Sequence[Player]) -> SheetParts:
    """Return columns for each player; players for whom a page is too narrow have a table of their own."""
    names = [
        Cell(f"{n}", SheetBox(PLAYER, design.words("name"), "words", player, name=True), "head")
        for n, player in enumerate(people, 1)
    ]
    across = _players_across(design, len(people))
    rows = design.rows if across else design.rows[: design.party or None]
    beside = _TITLE_WIDTH_MM + _HINT_WIDTH_MM * any(row.hint and not row.id for row in rows)
    room = across or int((_PAGE_WIDTH_MM - beside) // _MIN_NAME_WIDTH_MM)
    bands = -(-len(people) // room)
    size = -(-len(people) // bands)
    make = _across_grid if across else _stacked_grid
    grids = [make(design, rows, people[at : at + size], names[at : at + size]) for at in range(0, len(people), size)]
    grids += [_list_grid(listing, ALL) for listing in design.lists if design.sheet]
    common = [_ticks(item, ALL) for item in design.ticks if not item.own]
    about = [(line, box) for line, box in _lines(design, ALL) if line.id != PLAYER]
    return SheetParts(ALL, about, common, grids)


def _games_sheet(design: ScoreDesign, player: Player) -> SheetParts:
    """Return columns for several games of one player."""
    games = [
        replace(player, prefix=player.prefix + f"{GAMES_PREFIX}{n}." * (n > 1)) for n in range(1, 1 + design.games)
    ]
    heads = [Cell(design.words("Game {number}", number=n), look="head") for n in range(1, 1 + len(games))]
    grid = _stacked_grid(design, design.rows, games, heads)
    common = [_ticks(item, player) for item in design.ticks if not item.own]
    return SheetParts(player, _lines(design, player), common, [grid])


def _players_across(design: ScoreDesign, count: int) -> int:
    """Return for how many players the values of a round stand side by side; 0 where they stand below each other."""
    if not re.search(r"\.\d+\Z", design.rows[0].id if design.rows else "") or not all(row.title for row in design.rows):
        return 0
    widths = [_width(column).least for column in design.columns if PARTY in column.layouts]
    wide = max(_MIN_NAME_WIDTH_MM, sum(widths))
    notes = sum(_width_of_note(note).least for note in design.notes)
    room = int((_PAGE_WIDTH_MM - _LABEL_WIDTH_MM - notes) // wide)
    return room if room >= count or (design.sheet and len(widths) <= _MAX_VALUE_COUNT_ACROSS and room > 1) else 0


def _across_grid(design: ScoreDesign, rows: Sequence[Row], people: Sequence[Player], names: Sequence[Cell]) -> Grid:
    """Return a line for each round, in which the values of each player stand side by side below the name."""
    columns = [column for column in design.columns if PARTY in column.layouts]
    each, lines = len(columns), list[GridLine]()
    notes = design.notes if people[0].prefix in ("", "p1.") else ()
    leading = 1 + len(notes)
    for row in rows:
        pairs = [pair for pair in _cells(design, row, PARTY) if pair[1]]
        boxes = ([_box(row, *pair, player) for pair in pairs] for player in people)
        cells = [Cell(box=box) for own in boxes for box in [*[None] * (each - len(own)), *own]]
        title = _title(row, ALL, corner=design.corner)
        beside = [_note_cell(row, note, ALL) for note in notes]
        lines += _section(row, leading + each * len(people))
        lines.append(GridLine([title, *beside, *cells]))
    lines += _own_ticks(design, people, each, leading)
    if total := design.total:
        totals = (SheetBox(total.id, total.title, player=item) for item in people)
        cells = [Cell(box=box) for own in totals for box in [*[None] * (each - 1), own]]
        lines.append(GridLine([*_with_gaps(Cell(total.title, look="total", columns=leading)), *cells]))
    high = 2 if each > 1 else 1
    corners = [Cell(words, look="head", rows=high) for words in (design.corner, *(note.title for note in notes))]
    heads: list[Cells] = [[*corners, *(cell for name in names for cell in _with_gaps(replace(name, columns=each)))]]
    under = [Cell(column.title or column.id, look="label") for column in columns]
    heads += [[*[None] * leading, *under * len(people)]] * (each > 1)
    own = [replace(width, least=max(width.least, _MIN_NAME_WIDTH_MM / each)) for width in map(_width, columns)]
    return Grid(heads, lines, [ColumnWidth(0), *map(_width_of_note, notes), *own * len(people)], blocks=0)


def _stacked_grid(design: ScoreDesign, rows: Sequence[Row], people: Sequence[Player], names: Sequence[Cell]) -> Grid:
    """Return a column for each player, and a line for each box that they have."""
    groups = [(row, [pair for pair in _cells(design, row, PARTY) if pair[1]]) for row in rows]
    is_named = any(len(pairs) > 1 for _, pairs in groups) or any(item.own for item in design.ticks)
    total_how = design.total.how if design.total and design.sheet else ""
    hinted = bool(total_how) or any(row.hint and not row.id for row in rows)
    leading = 1 + (is_named or hinted)
    lines = list[GridLine]()
    for row, pairs in groups:
        lines += _section(row, leading + len(people))
        title = replace(_title(row, ALL), rows=len(pairs), columns=leading - hinted if len(pairs) == 1 else 1)
        for number, pair in enumerate(pairs):
            name = Cell(row.hint) if len(pairs) == 1 else Cell(_box_name(row, *pair), look="name")
            beside: list[Cell | None] = [name if hinted or len(pairs) > 1 else None] * (leading - 1)
            cells = [Cell(box=_box(row, *pair, player)) for player in people]
            lines.append(GridLine([None if number else title, *beside, *cells], joined=bool(number)))
    lines += _own_ticks(design, people, 1, leading)
    if total := design.total:
        cells = [Cell(box=SheetBox(total.id, total.title, player=item)) for item in people]
        title = Cell(total.title, look="total", columns=leading - hinted)
        beside = [Cell(total_how) if hinted else None] * (leading - 1)
        lines.append(GridLine([title, *beside, *cells]))
    wide = [_ticks_width(group) for group in design.ticks if group.own and _is_side_by_side(group, len(people))]
    wide += [_MIN_NAME_WIDTH_MM if any(name.box for name in names) else _MIN_GAME_WIDTH_MM]
    least = ColumnWidth(max(wide), max(*wide, MAX_BOX_WIDTH_MM))
    second = [ColumnWidth(_HINT_WIDTH_MM if hinted else 0)] * (leading - 1)
    corner = Cell(
        design.words("Player") if any(name.box for name in names) else design.corner, look="head", columns=leading
    )
    widths = [ColumnWidth(0), *second, *[least] * len(people)]
    return Grid([[corner, *[None] * (leading - 1), *names]], lines, widths)


def _own_ticks(design: ScoreDesign, people: Sequence[Player], each: int, leading: int) -> Iterator[GridLine]:
    """Yield a line for each group that every player ticks alone; a line for each option where columns are narrow."""
    for choice in (ticks for ticks in design.ticks if ticks.own):
        if _is_side_by_side(choice, len(people)):
            title = Cell(choice.title, look="title", columns=leading)
            options = [tuple(zip(choice.options.values(), _ticks(choice, item)[1], strict=True)) for item in people]
            cells = [_with_gaps(Cell(ticks=ticks, columns=each)) for ticks in options]
            yield GridLine([*_with_gaps(title), *(cell for group in cells for cell in group)])
            continue
        for number, (option, words) in enumerate(choice.options.items()):
            title = Cell(choice.title, look="title", rows=len(choice.options), columns=max(1, leading - 1))
            name = Cell(words, look="name")
            if leading == 1:
                title, name = Cell(f"{choice.title} {words}", look="name"), Cell()
            titles = _with_gaps(title) if not number or leading == 1 else [None] * (leading - 1)
            head = [*titles, *[name] * (leading > 1)]
            cells = [_with_gaps(Cell(box=_tick(choice, option, item), columns=each)) for item in people]
            yield GridLine([*head, *(cell for group in cells for cell in group)], joined=bool(number))


def _with_gaps(cell: Cell) -> list[Cell | None]:
    """Return a cell and the places into which it reaches."""
    return [cell, *[None] * (cell.columns - 1)]


def _is_side_by_side(group: Ticks, count: int) -> bool:
    """Return whether there is room for all options of a group side by side, for so many players."""
    return _ticks_width(group) * count <= _PAGE_WIDTH_MM - _TITLE_WIDTH_MM


def _ticks_width(group: Ticks) -> float:
    """Return the width in mm of boxes to tick side by side."""
    return len(group.options) * (8 + _LETTER_WIDTH_MM * max(map(len, group.options.values())))


def _section(row: Row, wide: int) -> list[GridLine]:
    title = row.section
    return [GridLine([Cell(title, look="section", columns=wide), *[None] * (wide - 1)])] if title else []


def _note_cell(row: Row, note: Part, player: Player) -> Cell:
    """Return the box of a note on a round; nothing beside what is written down once."""
    label = f"{_row_name(row)}, {note.title}"
    return Cell(box=SheetBox(row.key(f"{NOTES_PREFIX}{note.id}"), label, "words", player) if row.id else None)


def _width_of_note(note: Part) -> ColumnWidth:
    return ColumnWidth(max(10.0, _LETTER_WIDTH_MM * len(note.title) + 3), 24.0)


def _width(column: Column) -> ColumnWidth:
    """Return the width of a column of boxes: as its numbers or the longest of its choices need it; words take more."""
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
        names = [(f"{key}.{at}", f"{numbered}, {head}") for at, head in enumerate(listing.heads, 1)] or [
            (key, numbered)
        ]
        boxes = [SheetBox(*name, "words", player) for name in names]
        lines.append(GridLine([Cell(f"{number}", look="name"), *(Cell(box=box) for box in boxes)]))
    heads = [[Cell("", look="head"), *(Cell(head, look="head") for head in listing.heads)]] if listing.heads else []
    widths = [ColumnWidth(0), *[ColumnWidth(20, 400)] * max(1, len(listing.heads))]
    return Grid(heads, lines, widths, f"### {listing.title}\n\n{listing.how}", listing.columns)


def _lines(design: ScoreDesign, player: Player) -> list[tuple[Line, SheetBox]]:
    return [(line, SheetBox(line.id, line.title, "words", player)) for line in design.lines]


def _ticks(group: Ticks, player: Player) -> tuple[Ticks, list[SheetBox]]:
    return group, [_tick(group, option, player) for option in group.options]


def _tick(group: Ticks, option: str, player: Player) -> SheetBox:
    label, one_of = f"{group.title.rstrip('?')}: {group.options[option]}", group if group.is_radio else None
    return SheetBox(f"{group.id}.{option}", label, "tick", player, (option,), group=one_of)


def _head(column: Column, player: Player, *, brief: bool) -> Cell:
    how = (column.brief or column.how) if brief else column.how
    box = SheetBox(f"heads.{column.id}", f"Column {column.id}, name", "words", player)
    return Cell(column.title or column.id, None if column.title else box, "head", how)


def _total_cells(words: str, at: int, count: int) -> list[Cell | None]:
    """Return the line of the total: at the side of its box, where there is more room, `words` on how it is reckoned."""
    start, end = (at + 1, count) if at < count / 2 else (0, at)
    cells: list[Cell | None] = [Cell()] * count
    if words and start < end:
        cells[start:end] = [Cell(words, columns=end - start), *[None] * (end - start - 1)]
    return cells


def _cells(design: ScoreDesign, row: Row, layout: str) -> list[tuple[Column, str]]:
    """Return the columns of a layout with the name of the row's box, "" for none; a row without an id has one box."""
    pairs = zip(design.columns if row.id else [Column("", row.title)], row.cells, strict=True)
    return [(column, cell) for column, cell in pairs if layout in column.layouts]


def _box(row: Row, column: Column, cell: str, player: Player) -> SheetBox:
    label = f"{_row_name(row)}, {_box_name(row, column, cell)}" if row.id else row.title
    return SheetBox(row.key(cell), label, column.kind, player, column.options)


def _box_name(row: Row, column: Column, cell: str) -> str:
    """Return how a box is called in its row."""
    return row.names.get(cell, "") or column.title or f"column {column.id}"


def _title(row: Row, player: Player, hint: str = "", corner: str = "") -> Cell:
    """Return the title of a row, or a box for the name of one that has none; below `Deal` there are only numbers."""
    box = SheetBox(f"names.{row.id}", f"{_row_name(row)}, name", "words", player, name=True)
    words = row.title.removeprefix(f"{corner} ") if corner and row.id else row.title
    return Cell(words, None if row.title else box, "title", hint, row.icon)


def _row_name(row: Row) -> str:
    """Return how a row is spoken of: by its title, or by its id, `row.1`, as "Row 1"."""
    return row.title or re.sub(r"[.-]", " ", row.id).capitalize()
