"""Roll tables: tables of a note whose first column is headed by a die. Reading and checking."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

import msgspec

from vaultkit.compendium.tables.dice import FAR, Dice, Span, spans
from vaultkit.errors import Problem, UsageError
from vaultkit.vault import Note
from vaultkit.vault.subpath import to_subpath
from vaultkit.vault.tables import DIE, Row, TableBlock, all_tables, may_have_rolls, plain

_AROUND_DIE = re.compile(r"\b(?:rolls?|results?|die|dice|number|no|nr)\b\.?|[#:()]", re.IGNORECASE)


class TableRow(msgspec.Struct, frozen=True):
    """One row: the numbers as written and as read, none if they cannot be, and the other cells as Markdown."""

    label: str
    cells: tuple[str, ...]
    line: int
    spans: tuple[Span, ...]

    def covers(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.spans)


class RollTable(msgspec.Struct, frozen=True, dict=True):
    """A table that can be rolled on, and where it stands.

    `columns` are the headers of the rows' cells, `line` is the header's, from 1, and `start` where it begins in the
    note's text; `block_id` is as written, "" if there is none.
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
        """The headings above it, the outermost first, each deeper than the one before."""
        path: list[tuple[int, str]] = []
        for heading in self.note.headings:
            if heading.start < self.start:
                above = ((level, text) for level, text in path if level < heading.level)
                path = [*above, (heading.level, heading.text)]
        return tuple(text for _, text in path)

    @property
    def title(self) -> str:
        """The words of its heading, else the note's title."""
        return plain(self.headings[-1]) if self.headings else self.note.title

    def row(self, number: int) -> TableRow | None:
        """The first row that covers a number, None if there is none."""
        return next((row for row in self.rows if row.covers(number)), None)

    @property
    def subpaths(self) -> tuple[str, ...]:
        """Subpaths that lead to it, the shortest first: its block id, its heading, that with those above it (S2)."""
        below = (self.headings[start:] for start in reversed(range(len(self.headings))))
        own = (f"^{self.block_id}",) if self.block_id else ()
        return (*own, *("#".join(map(to_subpath, headings)) for headings in below))

    @property
    def end(self) -> int:
        """The line of its last row, from 1."""
        return max(row.line for row in self.rows)

    def text(self, row: TableRow, spoken: Callable[[str], str] = str) -> str:
        """A row in plain words; of several cells each with its column's header. `spoken` is what becomes of a cell."""
        cells = zip(self.columns, row.cells, strict=False)
        told = [(plain(name), spoken(plain(cell))) for name, cell in cells if cell]
        if len(told) == 1:
            return told[0][1]
        return "; ".join(f"{name}: {cell}" if name else cell for name, cell in told)


def tables_of(note: Note) -> tuple[RollTable, ...]:
    """The roll tables of a note, top to bottom. Raises InvalidError if the note is not UTF-8."""
    if not may_have_rolls(note):
        return ()
    return tuple(found for block in all_tables(note) if isinstance(found := _read(note, block), RollTable))


def refusals(note: Note) -> dict[int, str]:
    """Why tables of a note that a die heads cannot be rolled on, by the lines of their headers."""
    if not may_have_rolls(note):
        return {}
    blocks = ((block, _read(note, block)) for block in all_tables(note))
    return {block.header.line: why for block, why in blocks if isinstance(why, str) and why}


def problems(note: Note) -> tuple[Problem, ...]:
    """Rows that cannot be read or rolled, numbers in no row or in two: warnings. Raises as `tables_of` does.

    And tables that a die heads and that cannot be rolled on at all.
    """
    of_rows = tuple(problem for table in tables_of(note) for problem in _problems(table))
    hint = "Head the first column with the die, write a number into each row, and what it means behind that."
    refused = refusals(note).items()
    return of_rows + tuple(Problem(note.path, line, 1, "table-roll", why, hint, "warning") for line, why in refused)


def _read(note: Note, block: TableBlock) -> RollTable | str:
    """A table as a roll table, or why it is none: "" unless a die heads it, or if it is a table about dice.

    At least half of its rows have numbers, and one without a second column says nothing.
    """
    heads = [_die(cell) for cell in block.header.cells]
    dice = heads[0] if heads else None
    others = set(heads) - {dice, None}
    if dice is None or (others and not _is_nested(block)):
        return ""
    width, rows = _rows(block, dice, [number for number, head in enumerate(heads) if head == dice])
    read, columns = sum(bool(row.spans) for row in rows), block.header.cells[1:width]
    if not read:
        return ""
    if 2 * read < len(rows):
        return f"This table cannot be rolled: a number stands before {read} of its {len(rows)} rows only."
    if not columns:
        return "This table cannot be rolled: it has no second column that says what comes of it."
    return RollTable(note, dice, columns, rows, block.header.line, block.start, block.block_id)


def _is_nested(block: TableBlock) -> bool:
    """Whether rows go on with the one above them, each with a roll of its own in the second column."""
    return any(row.cells and not row.cells[0] and any(row.cells[1:]) for row in block.rows)


@lru_cache(maxsize=1_000)
def _die(cell: str) -> Dice | None:
    """The die that a header cell names: `d100`, `dice: 1d22`, `**d6**`, `Roll (d6)`; None for other words."""
    if not DIE.search(cell):
        return None
    try:
        dice = Dice.parse(_AROUND_DIE.sub(" ", plain(cell)))
    except UsageError:
        return None
    return dice if dice.terms else None


def _rows(block: TableBlock, dice: Dice, starts: Sequence[int]) -> tuple[int, tuple[TableRow, ...]]:
    """The rows, and how many columns each takes. A long table may be set in several strips, side by side."""
    width = len(block.header.cells)
    whole = tuple(_strip(_folded(block), dice, 0, width))
    if len(starts) == 1 or not _gaps(dice, whole):
        return width, whole
    ends = [*starts[1:], width]
    strips = (_strip(block.rows, dice, start, end) for start, end in zip(starts, ends, strict=True))
    return starts[1], tuple(row for strip in strips for row in strip)


def _folded(block: TableBlock) -> Iterator[Row]:
    """The rows, each with those that are nested in it: `| 1 | d4 1 | Owl |`, `| | 2-4 | Bat |`."""
    heads = [_die(cell) is not None for cell in block.header.cells]
    if not any(heads[1:]) or not _is_nested(block):
        yield from block.rows
        return
    groups: list[list[Row]] = []
    for row in block.rows:
        if row.cells[:1] == ("",) and groups:
            groups[-1].append(row)
        else:
            groups.append([row])
    for first, *more in groups:
        yield _with_nested(first, more, block.header.cells) if more else first


def _with_nested(first: Row, more: Sequence[Row], header: Sequence[str]) -> Row:
    """One row whose last cell has the nested rolls in their order, behind the die that they are rolled with."""
    lines = [" ".join(filter(None, row.cells[1:])) for row in (first, *more)]
    die = next(cell for cell in header[1:] if _die(cell))
    empty = ("",) * (len(header) - 2)
    return Row((first.cells[0], *empty, f"{plain(die)}: {'; '.join(lines)}"), first.line)


def _strip(rows: Iterable[Row], dice: Dice, start: int, end: int) -> Iterator[TableRow]:
    for row in rows:
        label, *cells = row.cells[start:end]
        if label or any(cells):
            yield TableRow(label, tuple(cells), row.line, spans(label, dice))


def _problems(table: RollTable) -> Iterator[Problem]:
    unread = [row for row in table.rows if not row.spans and row.label]  # without a number, it goes on with the last
    for row in unread:
        message = f"'{row.label}' is no number of a {table.dice}, so this row is never rolled."
        yield _warning(table, row.line, "table-row", message, "Write 7, 1-5 or 7+.")
    for row in table.rows:
        if row.spans and _is_past(row, table.dice):
            message = f"'{row.label}' lies beyond a {table.dice}, which rolls {_spoken(table.dice.spans)}."
            yield _warning(table, row.line, "table-range", message, "Correct the row, or the die in the header.")
    yield from _overlaps(table)
    gaps = _gaps(table.dice, table.rows)
    if gaps and not unread:  # a row that cannot be read is the gap, and told already
        hint = "Add a row for it, or correct a row's numbers or the die."
        yield _warning(table, table.line, "table-gap", f"No row of this table has {_spoken(gaps)}.", hint)


def _warning(table: RollTable, line: int, code: str, message: str, hint: str) -> Problem:
    return Problem(table.path, line, 1, code, message, hint, "warning")


def _is_past(row: TableRow, dice: Dice) -> bool:
    """Whether a row goes past its die, or lies where it never lands. An open one, as `20+`, allows for additions."""
    closed = [span for span in row.spans if abs(span[0]) < FAR and abs(span[1]) < FAR]
    if any(first < dice.lowest or last > dice.highest for first, last in closed):
        return True
    return any(all(last < low or high < first for low, high in dice.spans) for first, last in closed)


def _overlaps(table: RollTable) -> Iterator[Problem]:
    """Each row that has a number of another one, told at the lower of the two."""
    told: set[int] = set()
    reach, holder = -FAR - 1, -1
    ordered = sorted((first, last, number) for number, row in enumerate(table.rows) for first, last in row.spans)
    for first, last, number in ordered:
        upper, lower = sorted((holder, number))
        if first <= reach and upper != lower and lower not in told:
            told.add(lower)
            row, other = table.rows[lower], table.rows[upper]
            message = f"'{row.label}' has {_spoken([(first, min(last, reach))])}, as line {other.line} has already."
            yield _warning(table, row.line, "table-overlap", message, "A roll finds the upper one of the two.")
        if last > reach:
            reach, holder = last, number


def _gaps(dice: Dice, rows: Iterable[TableRow]) -> list[Span]:
    """The numbers that the dice can roll and no row has."""
    covered = sorted(span for row in rows for span in row.spans)
    gaps: list[Span] = []
    for lowest, highest in dice.spans:
        free = lowest
        for first, last in covered:
            if free < first and free <= highest:
                gaps.append((free, min(first - 1, highest)))
            free = max(free, last + 1)
        if free <= highest:
            gaps.append((free, highest))
    return gaps


def _spoken(numbers: Sequence[Span]) -> str:
    """Spans as people write them; of many the first ones."""
    told = [str(first) if first == last else f"{first} to {last}" for first, last in numbers[:6]]
    return ", ".join(told) + (" and more" if len(numbers) > len(told) else "")
