"""The reader of roll tables, for `roll`, `check` and `rewards`: which tables and lists of a note can be rolled on."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from vaultkit.compendium.tables.dice import Dice, parse_spans
from vaultkit.compendium.tables.roll_table import (
    RefusedTable,
    RollTable,
    TableRow,
    check_table,
    equal_dice,
    find_gaps,
    merge_nested_rows,
    number_rows,
    split_item,
)
from vaultkit.errors import Problem, UsageError
from vaultkit.vault import Note
from vaultkit.vault.table_heads import DIE, find_dice, is_bare_die, is_roll_word, mentions_roll
from vaultkit.vault.tables import (
    Row,
    TableBlock,
    all_tables,
    has_rows_below_die,
    line_above,
    lists,
    may_have_roll_tables,
    plain_cell_text,
    verbatim_spans,
)
from vaultkit.vault.text_positions import LINE_END

Rows = Sequence[TableRow]
Result = RollTable | RefusedTable | None
_USUAL_DICE = (
    "d2", "d3", "d4", "d6", "d8", "d10", "d12", "d20", "d30", "d100", "d1000", "2d4", "2d6", "2d8", "2d10", "3d6",
    "4d6", "d66",
)  # fmt: skip
"""The dice that the numbers of a table may show where no text names a die."""
_ANY_NUMBER = Dice.parse("d1000")
"""A die with which every number can be read."""
_PIPE = re.compile(r"(?<!\\)\|")
_DELIMITER_LINE = re.compile(r"[|: \t-]*-[|: \t-]*")
_NUMBERED_ROW = re.compile(r"\|?\W{0,4}[0-9]{1,7}[^|]{0,20}\|")
_MAX_CAPTION_CHARS = 200
MIN_REFUSED_ROWS = 3
"""The fewest rows of a table that looks like one to roll on by its numbers alone."""
_CORRECTION = "Correct the numbers or the die."
_NO_RESULTS = ("it has no second column that says what comes of it", "Add a column with the results.")


@lru_cache(maxsize=4)
def read_tables(note: Note) -> tuple[tuple[RollTable, ...], tuple[RefusedTable, ...]]:
    """Return the roll tables of a note, and its tables that only look like one, both top to bottom.

    Raise InvalidError if the note is not UTF-8.
    """
    if not may_have_roll_tables(note):
        return (), ()
    listed = (_read_list(note, block) for block in (lists(note) if has_rows_below_die(note) else ()))
    blocks = all_tables(note)
    row_lines = {row.line for block in blocks for row in (block.header, *block.rows)}
    candidates = (*listed, *(_read_table(note, block) for block in blocks), *_find_broken_tables(note, row_lines))
    results = sorted(filter(None, candidates), key=lambda table: table.start)
    tables = tuple(table for table in results if isinstance(table, RollTable))
    return tables, tuple(table for table in results if isinstance(table, RefusedTable))


def tables_of(note: Note) -> tuple[RollTable, ...]:
    """Return the roll tables of a note, top to bottom. Raise InvalidError if the note is not UTF-8."""
    return read_tables(note)[0]


def problems(note: Note) -> tuple[Problem, ...]:
    """Return warnings about rows that cannot be read or rolled, and about numbers in no row or in two.

    Tables that look like ones to roll and cannot be rolled are included. Raise InvalidError if the note is not UTF-8.
    """
    tables, refusals = read_tables(note)
    return (
        *(problem for table in tables for problem in check_table(table)),
        *(Problem(note.path, table.line, 1, "table-roll", table.reason, table.hint, "warning") for table in refusals),
    )


def read_equal_rows(note: Note, block_id: str) -> RollTable | None:
    """Return the table or list with a block id, of which each row or item is as likely, as Dice Roller reads it."""
    for block in (*all_tables(note), *lists(note)):
        rows = [(row.line, row.cells) for row in block.rows if any(row.cells)]
        if rows and block.block_id.lower() == block_id.lower():
            return _build(note, block, equal_dice(len(rows)), number_rows(rows), block.header.cells or ("",))
    return None


def _build(note: Note, block: TableBlock, dice: Dice, rows: Rows, columns: tuple[str, ...] = ("",)) -> RollTable:
    place = (note, block.header.line, block.start, block.block_id)
    return RollTable(*place, dice=dice, columns=columns, rows=tuple(rows))


def _refuse(note: Note, block: TableBlock, reason: str, hint: str) -> RefusedTable:
    sentence = f"This table cannot be rolled: {reason}."
    return RefusedTable(note, block.header.line, block.start, block.block_id, reason=sentence, hint=hint)


def _read_list(note: Note, block: TableBlock) -> RollTable | None:
    """Return a list as a roll table if the line above it names one die, and its items fit the die."""
    dice = _caption_dice(note, block)
    rows = _read_items(block, dice) if dice else ()
    return _build(note, block, dice, rows) if dice and rows else None


def _read_items(block: TableBlock, dice: Dice) -> tuple[TableRow, ...]:
    """Return the rows of a list or a table of one column: numbers and text, or as many texts as the die has sides."""
    lines = [(row.line, row.cells[0]) for row in block.rows if row.cells and row.cells[0]]
    items = [(line, *split_item(cell)) for line, cell in lines]
    rows = tuple(TableRow(label, (text,), line, parse_spans(label, dice)) for line, label, text in items)
    if _fits(dice, rows):
        return rows
    has_words = any(re.search(r"[^\W\d_]", cell) for _, cell in lines)
    is_complete = dice.lowest == 1 and dice.highest == len(lines) and has_words
    return number_rows([(line, (cell,)) for line, cell in lines]) if is_complete else ()


def _read_table(note: Note, block: TableBlock) -> RollTable | RefusedTable | None:
    """Return a table as a roll table, or why it cannot be rolled on; None if it is not meant to be."""
    header = block.header.cells
    heads = [_head_dice(cell) for cell in header]
    dice = heads[0] if heads else None
    if len(header) == 1 and dice:
        return _read_one_column(note, block, dice)
    return _read_headed(note, block, heads, dice) if dice else _read_by_numbers(note, block, heads)


def _read_one_column(note: Note, block: TableBlock, dice: Dice) -> RollTable | RefusedTable | None:
    if rows := _read_items(block, dice):
        return _build(note, block, dice, rows)
    cells = [row.cells[0] for row in block.rows if row.cells and row.cells[0]]
    if not cells or not is_bare_die(plain_cell_text(block.header.cells[0])):
        return None
    if all(parse_spans(cell, dice) for cell in cells):
        return _refuse(note, block, *_NO_RESULTS)
    hint = "Write a number into each row, or as many rows as the die has sides."
    return _refuse(note, block, f"it has {len(cells)} rows without numbers for a {dice}", hint)


def _read_headed(note: Note, block: TableBlock, heads: Sequence[Dice | None], dice: Dice) -> Result:
    """Return a table whose first column is headed by a die, or why it cannot be rolled on.

    It needs numbers in at least half of its rows, and a second column. If its headers name several dice and no rows are
    nested, it is a table about dice or several tables side by side. If the head says more than the die, as in
    `Damage (2d6)`, the numbers must be ones of that die.
    """
    header = block.header.cells
    is_bare, *are_others_bare = (is_bare_die(plain_cell_text(cell)) for cell in header)
    others = [(at, head) for at, head in enumerate(heads[1:], 1) if head and are_others_bare[at - 1]]
    if any(head != dice for _, head in others) and not _is_nested(block):
        if not any(_fits(head, _parse_strip(block.rows, head, at, at + 1)) for at, head in others):
            return None
        names = " and ".join(dict.fromkeys(map(str, (dice, *(head for _, head in others)))))
        return _refuse(note, block, f"it is several tables side by side, for {names}", "Write one below the other.")
    width, rows = _parse_rows(block, dice, [0, *(at for at, head in others if head == dice)])
    labelled, numbered_count = [row for row in rows if row.label], sum(bool(row.spans) for row in rows)
    if not labelled and dice.lowest == 1 and dice.highest == len(rows):
        return _build(note, block, dice, number_rows([(row.line, row.cells) for row in rows]), header[1:])
    if not numbered_count or not (is_bare or _is_plausible(dice, labelled)):
        begins_with_die = re.match(r"[\W_]*[0-9]*[^\W\d_]\s?[0-9%]", header[0]) and 2 * numbered_count > len(rows)
        return _refuse(note, block, f"its numbers are not those of a {dice}", _CORRECTION) if begins_with_die else None
    if 2 * numbered_count < len(rows):
        reason = f"a number is before {numbered_count} of its {len(rows)} rows only"
        return _refuse(note, block, reason, "Write a number before each row, such as 7, 1-5 or 7+.")
    return _refuse(note, block, *_NO_RESULTS) if width == 1 else _build(note, block, dice, rows, header[1:width])


def _read_by_numbers(note: Note, block: TableBlock, heads: Sequence[Dice | None]) -> Result:
    """Return a table with its die elsewhere, or why it cannot be rolled on.

    The die is one of several in the first head; in the head of another column, of the numbers or of the results; in the
    line or the heading above the table; or only the numbers show it, in a column with a word for rolling as its head.
    """
    header = block.header.cells
    for column, dice in enumerate(heads):
        if dice and _fits(dice, _parse_strip(block.rows, dice, column, column + 1)):
            return _build_from_column(note, block, dice, column)
    head = plain_cell_text(header[0]) if header else ""
    head_dice = _find_all_dice(head)
    all_named_dice = (*head_dice, *heads, _caption_dice(note, block), _heading_dice(note, block))
    named_dice = dict.fromkeys(dice for dice in all_named_dice if dice)
    candidates = named_dice or (map(Dice.parse, _USUAL_DICE) if mentions_roll(head) else ())
    for dice in candidates if len(header) > 1 else ():
        if _fits(dice, _parse_strip(block.rows, dice, 0, 1)):
            return _build_from_column(note, block, dice, 0)
    labels = [row.cells[0] for row in block.rows if row.cells and row.cells[0]]
    are_numbers = len(labels) >= MIN_REFUSED_ROWS and all(parse_spans(label, _ANY_NUMBER) for label in labels)
    if not are_numbers or not (is_roll_word(head) or head_dice):
        return None
    numbers = f"the numbers {plain_cell_text(labels[0])} to {plain_cell_text(labels[-1])}"
    if named_dice:
        reason = f"{numbers} do not fit a {' or '.join(map(str, named_dice))}"
        return _refuse(note, block, reason, _CORRECTION)
    return _refuse(note, block, f"it names no die, and {numbers} fit none", "Write the die into the head, such as d20.")


def _build_from_column(note: Note, block: TableBlock, dice: Dice, column: int) -> RollTable:
    """Return a table whose numbers are in a column, from 0; the other columns are its results."""
    rows = [
        TableRow(label, row.cells[:column] + row.cells[column + 1 :], row.line, parse_spans(label, dice))
        for row in block.rows
        for label in row.cells[column : column + 1]
        if any(row.cells)
    ]
    header = block.header.cells
    return _build(note, block, dice, rows, header[:column] + header[column + 1 :])


def _caption_dice(note: Note, block: TableBlock) -> Dice | None:
    """Return the only die that the line above a table or list names."""
    caption = line_above(note.text, block.start)
    return _head_dice(caption.strip(" \t>#")) if len(caption) <= _MAX_CAPTION_CHARS and "|" not in caption else None


def _heading_dice(note: Note, block: TableBlock) -> Dice | None:
    headings = [heading.text for heading in note.headings if heading.start < block.start]
    return _head_dice(headings[-1]) if headings else None


@lru_cache(maxsize=1_000)
def _head_dice(cell: str) -> Dice | None:
    """Return the only die that a text names, such as the head `d100`, `dice: 1d22`, `**W6**` or `Event (1d4)`."""
    dice = _find_all_dice(plain_cell_text(cell))
    return dice[0] if len(dice) == 1 else None


def _find_all_dice(text: str) -> list[Dice]:
    """Return the dice that a plain text names, each once; none if one of them cannot be rolled."""
    try:
        return list(dict.fromkeys(Dice.parse(name) for name, _, _ in find_dice(text)))
    except UsageError:
        return []


def _fits(dice: Dice, rows: Iterable[TableRow]) -> bool:
    """Return whether the labels of rows are numbers of the dice, all of them."""
    labelled = [row for row in rows if row.label]
    is_in_range = all(row.spans and not row.is_out_of_range(dice) for row in labelled)
    return len(labelled) > 1 and is_in_range and not find_gaps(dice, labelled)


def _is_plausible(dice: Dice, rows: Sequence[TableRow]) -> bool:
    """Return whether most of the numbers that the dice can roll stand in the rows, and no others."""
    missing_count = sum(last - first + 1 for first, last in find_gaps(dice, rows))
    return not any(row.is_out_of_range(dice) for row in rows) and 2 * missing_count <= dice.highest - dice.lowest


def _is_nested(block: TableBlock) -> bool:
    """Return whether a row of a table continues the row above it: its first cell is empty and another one is not."""
    return any(row.cells and not row.cells[0] and any(row.cells[1:]) for row in block.rows)


def _parse_rows(block: TableBlock, dice: Dice, starts: Sequence[int]) -> tuple[int, tuple[TableRow, ...]]:
    """Return the number of columns of a roll table, and its rows.

    A long table may be set in several strips, side by side. `starts` are the columns headed by the die; the table is
    cut into strips there if it has several of them and its first column alone leaves out numbers.
    """
    width = len(block.header.cells)
    unsplit_rows = tuple(_parse_strip(_fold_nested_rows(block), dice, 0, width))
    if len(starts) == 1 or not find_gaps(dice, unsplit_rows):
        return width, unsplit_rows
    ends = [*starts[1:], width]
    strips = (_parse_strip(block.rows, dice, start, end) for start, end in zip(starts, ends, strict=True))
    return starts[1], tuple(row for strip in strips for row in strip)


def _fold_nested_rows(block: TableBlock) -> Iterator[Row]:
    """Yield the rows, each merged with the rows nested in it: `| 1 | d4 1 | Owl |`, `| | 2-4 | Bat |`."""
    die = next((cell for cell in block.header.cells[1:] if _head_dice(cell)), "")
    if not die or not _is_nested(block):
        yield from block.rows
        return
    groups: list[list[Row]] = []
    for row in block.rows:
        if not groups or row.cells[:1] != ("",):
            groups.append([])
        groups[-1].append(row)
    for first, *more in groups:
        yield merge_nested_rows(first, more, die, len(block.header.cells)) if more else first


def _parse_strip(rows: Iterable[Row], dice: Dice, start: int, end: int) -> Iterator[TableRow]:
    """Yield the rows of one strip of a table: what stands from column `start` up to `end`, without empty rows."""
    for row in rows:
        label, *cells = row.cells[start:end] or ("",)
        if label or any(cells):
            yield TableRow(label, tuple(cells), row.line, parse_spans(label, dice))


def _find_broken_tables(note: Note, row_lines: Collection[int]) -> Iterator[RefusedTable]:
    """Yield the headers with a die below which no table is; `row_lines` are the lines of all rows of tables."""
    lines = [line.strip(" \t>") for line in LINE_END.split(note.text)]
    for number, line in enumerate(lines, 1):
        if "|" not in line or number in row_lines or not _names_die(line):
            continue
        start = note.places.start(number)
        fault = _find_fault(line, [*lines[number : number + 2], "", ""])
        if fault and not any(first <= start < end for first, end in verbatim_spans(note)):
            yield RefusedTable(note, number, start, reason=f"This table cannot be rolled: {fault[0]}.", hint=fault[1])


def _names_die(line: str) -> bool:
    """Return whether a line has several cells, of which the first one names a die or says that something is rolled."""
    head, *others = _split_cells(line)
    head = plain_cell_text(head) if others and (DIE.search(head) or mentions_roll(head)) else ""
    return is_bare_die(head) or is_roll_word(head)


def _split_cells(line: str) -> list[str]:
    return [cell.strip() for cell in _PIPE.split(line.removeprefix("|").removesuffix("|"))]


def _find_fault(header: str, below: list[str]) -> tuple[str, str] | None:
    """Return why a header begins no table and what to write, or None if it is not meant to; `below` are two lines."""
    width, rule = len(_split_cells(header)), "|---" * len(_split_cells(header)) + "|"
    if _NUMBERED_ROW.match(below[0]):
        return f"it has no line {rule} below its header", f"Add {rule} below the header."
    if not below[0] and "|" in below[1] and _DELIMITER_LINE.fullmatch(below[1]):
        return "a blank line divides its header from the line below", "Delete the blank line."
    if "|" in below[0] and _DELIMITER_LINE.fullmatch(below[0]) and len(_split_cells(below[0])) != width:
        return f"the line below its header has not the header's {width} columns", f"Write {rule} there."
    return None
