"""Roll tables: tables and lists of a note that say what each number of a die means, also nested in cells of others."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

import msgspec

from vaultkit.compendium.tables.dice import OPEN_SPAN_DISTANCE, Dice, Generator, Span, insert_rolls, parse_spans
from vaultkit.errors import Problem, UsageError
from vaultkit.vault import Note
from vaultkit.vault.subpath import to_subpath
from vaultkit.vault.table_heads import find_dice
from vaultkit.vault.tables import BREAK, Row, plain_cell_text


class TableRow(msgspec.Struct, frozen=True):
    """One row of a roll table.

    `label` is the cell with its numbers as written, and `spans` are these numbers as first and last, () if they cannot
    be read. `cells` are the other cells, as Markdown; `line` is the line in the note.
    """

    label: str
    cells: tuple[str, ...]
    line: int
    spans: tuple[Span, ...]

    def covers(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.spans)

    def is_out_of_range(self, dice: Dice) -> bool:
        """Return whether numbers of the row lie beyond the dice, or between the numbers that the dice can roll.

        Open rows such as `20+` never do, since they allow for modifiers.
        """
        closed = [span for span in self.spans if max(map(abs, span)) < OPEN_SPAN_DISTANCE]
        if any(first < dice.lowest or last > dice.highest for first, last in closed):
            return True
        spans = dice.spans
        return len(spans) > 1 and any(all(last < low or high < first for low, high in spans) for first, last in closed)


class TablePlace(msgspec.Struct, frozen=True, dict=True):
    """The place of a table or list: it begins in line `line` of the note, from 1, at the offset `start` in its text.

    `block_id` is as written, "" if there is none.
    """

    note: Note
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
        return tuple(heading.text for heading in self.note.outline.headings_above(self.start))

    @property
    def title(self) -> str:
        """The words of the heading above the table, else the note's title."""
        return plain_cell_text(self.headings[-1]) if self.headings else self.note.title

    @property
    def subpaths(self) -> tuple[str, ...]:
        """The link subpaths that lead to the table, the shortest first.

        They are its block id, the heading above it, and that heading preceded by more and more outer ones (S2).
        """
        heading_paths = (self.headings[start:] for start in reversed(range(len(self.headings))))
        block_subpaths = (f"^{self.block_id}",) if self.block_id else ()
        return (*block_subpaths, *("#".join(map(to_subpath, headings)) for headings in heading_paths))


class RefusedTable(TablePlace, frozen=True, kw_only=True):
    """A table that looks like one to roll on, and why it cannot be rolled on, with a hint on how to write it."""

    reason: str
    hint: str


class RollTable(TablePlace, frozen=True, kw_only=True):
    """A table that can be rolled on.

    `columns` are the headers of the rows' `cells`, without that of the numbers.
    """

    dice: Dice
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]

    def row(self, number: int) -> TableRow | None:
        """Return the first row that covers a number, or None."""
        return next((row for row in self.rows if row.covers(number)), None)

    @property
    def last_line(self) -> int:
        """The line of the table's last row in the note, from 1."""
        return max(row.line for row in self.rows)

    def text(self, row: TableRow, convert: Callable[[str], str] = plain_cell_text) -> str:
        """Return a row in plain words; if it has several cells, each with its column's header.

        The function `convert` makes plain words of the Markdown of a cell.
        """
        cells = zip(self.columns, row.cells, strict=False)
        values = [(plain_cell_text(name), convert(cell)) for name, cell in cells if cell]
        if len(values) == 1:
            return values[0][1]
        return "; ".join(f"{name}: {cell}" if name else cell for name, cell in values)

    def only_column(self, name: str) -> "RollTable | None":
        """Return the table with one column by its header, or None if it has no such column.

        `xy` makes each cell a result of its own, as the plugin Dice Roller does.
        """
        names = [plain_cell_text(column).casefold() for column in self.columns]
        if (folded_name := name.strip().casefold()) in names:
            index = names.index(folded_name)
            rows = [msgspec.structs.replace(row, cells=row.cells[index : index + 1]) for row in self.rows]
            return msgspec.structs.replace(self, columns=self.columns[index : index + 1], rows=tuple(rows))
        cells = [(row.line, (cell,)) for row in self.rows for cell in row.cells if cell]
        if folded_name != "xy" or not cells:
            return None
        return msgspec.structs.replace(self, columns=("",), dice=equal_dice(len(cells)), rows=number_rows(cells))


def equal_dice(sides: int) -> Dice:
    """Return one die."""
    return Dice.parse(f"1d{sides}")


def number_rows(rows: Sequence[tuple[int, tuple[str, ...]]]) -> tuple[TableRow, ...]:
    """Return the rows of a table without numbers, numbered from 1; each is given as its line and cells."""
    numbered_rows = enumerate(rows, 1)
    return tuple(TableRow(str(number), cells, line, ((number, number),)) for number, (line, cells) in numbered_rows)


def check_table(table: RollTable) -> Iterator[Problem]:
    """Yield warnings about rows that cannot be read or rolled, and about numbers in no row or in two."""
    unread = [row for row in table.rows if not row.spans and row.label]  # a row without a label continues the one above
    for row in unread:
        message = f"'{row.label}' is not a number of a {table.dice}, so this row is never rolled."
        yield _warning(table, row.line, "table-row", message, "Write 7, 1-5 or 7+.")
    for row in table.rows:
        if row.spans and row.is_out_of_range(table.dice):
            message = f"'{row.label}' is beyond a {table.dice}, which rolls {_describe_spans(table.dice.spans)}."
            yield _warning(table, row.line, "table-range", message, "Correct the row, or the die in the header.")
    yield from _find_overlaps(table)
    gaps = find_gaps(table.dice, table.rows)
    if gaps and not unread:  # an unreadable row is the gap, and already reported
        hint = "Add a row for it, or correct a row's numbers or the die."
        yield _warning(table, table.line, "table-gap", f"No row of this table has {_describe_spans(gaps)}.", hint)


def _warning(table: RollTable, line: int, code: str, message: str, hint: str) -> Problem:
    return Problem(table.path, line, 1, code, message, hint, "warning")


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


def find_gaps(dice: Dice, rows: Iterable[TableRow]) -> list[Span]:
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


MAX_NESTED_DICE_COUNT = 20
"""How many dice of a cell may begin a table within it; a hostile cell might have thousands."""
_ITEM = re.compile(
    r"(?P<label>\W{0,3}[0-9]{1,7}(?:\s?(?:[-\u2010-\u2015]|to|bis)\s?[0-9]{1,7}|\+)?)"
    r"(?:[.):=*_`\]\s]|(?<=\s)[-\u2010-\u2015](?=\s))+(?P<text>\S.*)",
    re.DOTALL,
)
"""A number or a range and what it means: `1. Owl`, `**2-3**: Bat`, `4 – Cat`."""
_ROW_END = re.compile(r"</(?:tr|li|p|caption)>|<(?:li|tr)\b[^<>]*>", re.IGNORECASE)
_CELL_END = re.compile(r"</t[dh]>", re.IGNORECASE)
_ENTRY_BREAK = re.compile(r"\s*(?:;|,(?=\s*[0-9])|(?<=[.!?])\s(?=[0-9]{1,4}\b))\s*|\s+(?=[0-9]{1,4}[.):]\s)")
_HEAD = re.compile(r"[^0-9;:]{0,60}[:;]?\s*")
"""The words between the die of a nested table and its first number."""


def split_item(text: str) -> tuple[str, str]:
    """Return the numbers in front of an item, and its words; "" and the whole text if it begins with no number."""
    match = _ITEM.match(text)
    return (match["label"].strip(), match["text"]) if match else ("", text)


def merge_nested_rows(first: Row, more: Sequence[Row], die: str, width: int) -> Row:
    """Return one row of `width` cells whose last one has the nested rows in order, after the die that they need."""
    lines = [" ".join(filter(None, row.cells[1:])) for row in (first, *more)]
    return Row((first.cells[0], *("",) * (width - 2), f"{plain_cell_text(die)}: {'; '.join(lines)}"), first.line)


def roll_cell(cell: str, rng: Generator) -> str:
    """Return the plain words of a cell, with its dice rolled; of a table within it, only the entry that was rolled.

    `Smell: d4: 1 tar; 2-4 mint` becomes `Smell: d4 (3) mint`.
    """
    marked_text = _CELL_END.sub(" ", _ROW_END.sub("; ", BREAK.sub("; ", cell)))
    text = plain_cell_text(marked_text)
    for name, start, end in islice(find_dice(text), MAX_NESTED_DICE_COUNT):
        if nested := _roll_entries(name, text[end:], rng):
            return f"{insert_rolls(text[:start].rstrip('(').lstrip('; '), rng)}{nested}"
    return insert_rolls(plain_cell_text(cell), rng)


def _roll_entries(name: str, text: str, rng: Generator) -> str:
    """Return the die, its number and the entry that it rolled, or "" if the text is no complete table for it."""
    try:
        dice = Dice.parse(name)
    except UsageError:
        return ""
    head = _HEAD.match(text)
    entries = _ENTRY_BREAK.split(text[head.end() :].strip(" ;)")) if head else []
    pairs = [split_item(entry) for entry in entries if entry]
    spans = [parse_spans(label, dice) for label, _ in pairs]
    covered = sorted(span for row in spans for span in row)
    edges = [dice.lowest - 1, *(last for _, last in covered)]
    is_complete = all(spans) and [first for first, _ in covered] == [edge + 1 for edge in edges[:-1]]
    if len(pairs) < 2 or not is_complete or edges[-1] != dice.highest:
        return ""
    number = dice.roll(rng)
    entry = next(entry for row, (_, entry) in zip(spans, pairs, strict=True) for a, b in row if a <= number <= b)
    return f"{dice} ({number}) {insert_rolls(entry, rng)}"
