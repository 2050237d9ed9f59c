"""The checks of roll tables: rows that cannot be read or rolled, and numbers in no row or in two."""

from collections.abc import Iterable, Iterator, Sequence

from vaultkit.compendium.tables.dice import OPEN_SPAN_DISTANCE, Dice, Span
from vaultkit.compendium.tables.roll_table import RollTable, TableRow
from vaultkit.errors import Problem


def check_table(table: RollTable) -> Iterator[Problem]:
    """Yield warnings about rows that cannot be read or rolled, and about numbers in no row or in two."""
    unread = [row for row in table.rows if not row.spans and row.label]  # a row without a label continues the one above
    for row in unread:
        message = f"'{row.label}' is no number of a {table.dice}, so this row is never rolled."
        yield _warning(table, row.line, "table-row", message, "Write 7, 1-5 or 7+.")
    for row in table.rows:
        if row.spans and row.is_out_of_range(table.dice):
            message = f"'{row.label}' lies beyond a {table.dice}, which rolls {_describe_spans(table.dice.spans)}."
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
