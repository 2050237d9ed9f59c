"""Reading and checking of roll tables: tables in notes whose first column has a die as its header."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

import msgspec

from vaultkit.compendium.tables.dice import OPEN_SPAN_DISTANCE, Dice, Span, parse_spans
from vaultkit.errors import Problem, UsageError
from vaultkit.vault import Note
from vaultkit.vault.subpath import to_subpath
from vaultkit.vault.tables import DIE, Row, TableBlock, all_tables, may_have_roll_tables, plain_cell_text

_WORDS_AROUND_DIE = re.compile(r"\b(?:rolls?|results?|die|dice|number|no|nr)\b\.?|[#:()]", re.IGNORECASE)
"""The words and signs that may stand around the die in a header cell."""


class TableRow(msgspec.Struct, frozen=True):
    """One row of a roll table.

    `label` is its first cell, with the numbers as written, and `spans` are these numbers as first and last, () if they
    cannot be read. `cells` are the other cells, as Markdown; `line` is the line in the note.
    """

    label: str
    cells: tuple[str, ...]
    line: int
    spans: tuple[Span, ...]

    def covers(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.spans)


class RollTable(msgspec.Struct, frozen=True, dict=True):
    """A table that can be rolled on, and its place.

    `columns` are the headers of the rows' `cells`, without that of the die. The table begins in line `line` of the
    note, from 1, and at the offset `start` in the note's text. `block_id` is as written, "" if there is none.
    """

    note: Note
    dice: Dice
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    line: int
    start: int
    block_id: str = ""

    @property
    def path(self) -> str:
        """The note's vault path."""
        return self.note.path

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The headings above the table, the outermost first, each deeper than the one before."""
        path: list[tuple[int, str]] = []
        for heading in self.note.headings:
            if heading.start < self.start:
                above = ((level, text) for level, text in path if level < heading.level)
                path = [*above, (heading.level, heading.text)]
        return tuple(text for _, text in path)

    @property
    def title(self) -> str:
        """The words of the heading above the table, else the note's title."""
        return plain_cell_text(self.headings[-1]) if self.headings else self.note.title

    def row(self, number: int) -> TableRow | None:
        """Return the first row that covers a number, or None."""
        return next((row for row in self.rows if row.covers(number)), None)

    @property
    def subpaths(self) -> tuple[str, ...]:
        """The link subpaths that lead to the table, the shortest first.

        They are its block id, the heading above it, and that heading preceded by more and more outer ones (S2).
        """
        heading_paths = (self.headings[start:] for start in reversed(range(len(self.headings))))
        block_subpaths = (f"^{self.block_id}",) if self.block_id else ()
        return (*block_subpaths, *("#".join(map(to_subpath, headings)) for headings in heading_paths))

    @property
    def last_line(self) -> int:
        """The line of the table's last row in the note, from 1."""
        return max(row.line for row in self.rows)

    def text(self, row: TableRow, convert: Callable[[str], str] = str) -> str:
        """Return a row in plain words; if it has several cells, each with its column's header.

        The function `convert` is applied to each cell.
        """
        cells = zip(self.columns, row.cells, strict=False)
        values = [(plain_cell_text(name), convert(plain_cell_text(cell))) for name, cell in cells if cell]
        if len(values) == 1:
            return values[0][1]
        return "; ".join(f"{name}: {cell}" if name else cell for name, cell in values)


def tables_of(note: Note) -> tuple[RollTable, ...]:
    """Return the roll tables of a note, top to bottom. Raise InvalidError if the note is not UTF-8."""
    if not may_have_roll_tables(note):
        return ()
    return tuple(
        result for block in all_tables(note) if isinstance(result := _parse_roll_table(note, block), RollTable)
    )


def explain_refusals(note: Note) -> dict[int, str]:
    """Return why tables with a die as header cannot be rolled on, by the lines of their headers."""
    if not may_have_roll_tables(note):
        return {}
    blocks = ((block, _parse_roll_table(note, block)) for block in all_tables(note))
    return {block.header.line: why for block, why in blocks if isinstance(why, str) and why}


def problems(note: Note) -> tuple[Problem, ...]:
    """Return warnings about rows that cannot be read or rolled, and about numbers in no row or in two.

    Tables with a die as header that cannot be rolled on are included. Raise InvalidError if the note is not UTF-8.
    """
    row_problems = tuple(problem for table in tables_of(note) for problem in _check_table(table))
    hint = "Head the first column with the die, write a number into each row, and what it means behind that."
    reasons = explain_refusals(note).items()
    return row_problems + tuple(
        Problem(note.path, line, 1, "table-roll", why, hint, "warning") for line, why in reasons
    )


def _parse_roll_table(note: Note, block: TableBlock) -> RollTable | str:
    """Return a table as a roll table, or a sentence on why it cannot be rolled on; "" if it is not meant to be.

    A table is not meant to be rolled on if its first header is no die, if no row has a number, or if its headers name
    several dice and no rows are nested, as in a table about dice. One that is needs numbers in at least half of its
    rows, and a second column.
    """
    header_dice = [_parse_die(cell) for cell in block.header.cells]
    dice = header_dice[0] if header_dice else None
    other_dice = set(header_dice) - {dice, None}
    if dice is None or (other_dice and not _is_nested(block)):
        return ""
    width, rows = _parse_rows(block, dice, [number for number, head in enumerate(header_dice) if head == dice])
    numbered_rows, columns = sum(bool(row.spans) for row in rows), block.header.cells[1:width]
    if not numbered_rows:
        return ""
    if 2 * numbered_rows < len(rows):
        return f"This table cannot be rolled: a number stands before {numbered_rows} of its {len(rows)} rows only."
    if not columns:
        return "This table cannot be rolled: it has no second column that says what comes of it."
    return RollTable(note, dice, columns, rows, block.header.line, block.start, block.block_id)


def _is_nested(block: TableBlock) -> bool:
    """Return whether a row of a table continues the row above it: its first cell is empty and another one is not."""
    return any(row.cells and not row.cells[0] and any(row.cells[1:]) for row in block.rows)


@lru_cache(maxsize=1_000)
def _parse_die(cell: str) -> Dice | None:
    """Return the die that a header cell names, as in `d100`, `dice: 1d22`, `**d6**` or `Roll (d6)`; else None."""
    if not DIE.search(cell):
        return None
    try:
        dice = Dice.parse(_WORDS_AROUND_DIE.sub(" ", plain_cell_text(cell)))
    except UsageError:
        return None
    return dice if dice.terms else None


def _parse_rows(block: TableBlock, dice: Dice, starts: Sequence[int]) -> tuple[int, tuple[TableRow, ...]]:
    """Return the number of columns of a roll table, and its rows.

    A long table may be set in several strips, side by side. `starts` are the columns headed by the die; the table is
    cut into strips there if it has several of them and its first column alone leaves out numbers.
    """
    width = len(block.header.cells)
    unsplit_rows = tuple(_parse_strip(_fold_nested_rows(block), dice, 0, width))
    if len(starts) == 1 or not _find_gaps(dice, unsplit_rows):
        return width, unsplit_rows
    ends = [*starts[1:], width]
    strips = (_parse_strip(block.rows, dice, start, end) for start, end in zip(starts, ends, strict=True))
    return starts[1], tuple(row for strip in strips for row in strip)


def _fold_nested_rows(block: TableBlock) -> Iterator[Row]:
    """Yield the rows, each merged with the rows nested in it: `| 1 | d4 1 | Owl |`, `| | 2-4 | Bat |`."""
    header_dice = [_parse_die(cell) is not None for cell in block.header.cells]
    if not any(header_dice[1:]) or not _is_nested(block):
        yield from block.rows
        return
    groups: list[list[Row]] = []
    for row in block.rows:
        if row.cells[:1] == ("",) and groups:
            groups[-1].append(row)
        else:
            groups.append([row])
    for first, *more in groups:
        yield _merge_nested_rows(first, more, block.header.cells) if more else first


def _merge_nested_rows(first: Row, more: Sequence[Row], header: Sequence[str]) -> Row:
    """Return one row whose last cell has the nested rolls in their order, after the die that they are rolled with."""
    lines = [" ".join(filter(None, row.cells[1:])) for row in (first, *more)]
    die = next(cell for cell in header[1:] if _parse_die(cell))
    empty = ("",) * (len(header) - 2)
    return Row((first.cells[0], *empty, f"{plain_cell_text(die)}: {'; '.join(lines)}"), first.line)


def _parse_strip(rows: Iterable[Row], dice: Dice, start: int, end: int) -> Iterator[TableRow]:
    """Yield the rows of one strip of a table: what stands from column `start` up to `end`, without empty rows."""
    for row in rows:
        label, *cells = row.cells[start:end]
        if label or any(cells):
            yield TableRow(label, tuple(cells), row.line, parse_spans(label, dice))


def _check_table(table: RollTable) -> Iterator[Problem]:
    """Yield warnings about rows that cannot be read or rolled, and about numbers in no row or in two."""
    unread = [row for row in table.rows if not row.spans and row.label]  # a row without a label continues the one above
    for row in unread:
        message = f"'{row.label}' is no number of a {table.dice}, so this row is never rolled."
        yield _warning(table, row.line, "table-row", message, "Write 7, 1-5 or 7+.")
    for row in table.rows:
        if row.spans and _is_out_of_range(row, table.dice):
            message = f"'{row.label}' lies beyond a {table.dice}, which rolls {_describe_spans(table.dice.spans)}."
            yield _warning(table, row.line, "table-range", message, "Correct the row, or the die in the header.")
    yield from _find_overlaps(table)
    gaps = _find_gaps(table.dice, table.rows)
    if gaps and not unread:  # an unreadable row is the gap, and already reported
        hint = "Add a row for it, or correct a row's numbers or the die."
        yield _warning(table, table.line, "table-gap", f"No row of this table has {_describe_spans(gaps)}.", hint)


def _warning(table: RollTable, line: int, code: str, message: str, hint: str) -> Problem:
    return Problem(table.path, line, 1, code, message, hint, "warning")


def _is_out_of_range(row: TableRow, dice: Dice) -> bool:
    """Return whether numbers of a row lie beyond the dice, or between the numbers that the dice can roll.

    Open rows such as `20+` never do, since they allow for modifiers.
    """
    closed = [span for span in row.spans if abs(span[0]) < OPEN_SPAN_DISTANCE and abs(span[1]) < OPEN_SPAN_DISTANCE]
    if any(first < dice.lowest or last > dice.highest for first, last in closed):
        return True
    return any(all(last < low or high < first for low, high in dice.spans) for first, last in closed)


def _find_overlaps(table: RollTable) -> Iterator[Problem]:
    """Yield a warning for each two rows that share a number, at the row further down; at most one for each row."""
    reported_rows: set[int] = set()
    highest_number, highest_row = -OPEN_SPAN_DISTANCE - 1, -1
    ordered_spans = sorted((first, last, number) for number, row in enumerate(table.rows) for first, last in row.spans)
    for first, last, number in ordered_spans:
        upper, lower = sorted((highest_row, number))
        if first <= highest_number and upper != lower and lower not in reported_rows:
            reported_rows.add(lower)
            row, other = table.rows[lower], table.rows[upper]
            shared_numbers = _describe_spans([(first, min(last, highest_number))])
            message = f"'{row.label}' has {shared_numbers}, as line {other.line} has already."
            yield _warning(table, row.line, "table-overlap", message, "A roll finds the upper one of the two.")
        if last > highest_number:
            highest_number, highest_row = last, number


def _find_gaps(dice: Dice, rows: Iterable[TableRow]) -> list[Span]:
    """Return the numbers that the dice can roll and no row has."""
    covered = sorted(span for row in rows for span in row.spans)
    gaps: list[Span] = []
    for lowest, highest in dice.spans:
        next_number = lowest
        for first, last in covered:
            if next_number < first and next_number <= highest:
                gaps.append((next_number, min(first - 1, highest)))
            next_number = max(next_number, last + 1)
        if next_number <= highest:
            gaps.append((next_number, highest))
    return gaps


def _describe_spans(numbers: Sequence[Span]) -> str:
    """Return spans in words; of more than six, the first six and `and more`."""
    parts = [str(first) if first == last else f"{first} to {last}" for first, last in numbers[:6]]
    return ", ".join(parts) + (" and more" if len(numbers) > len(parts) else "")
