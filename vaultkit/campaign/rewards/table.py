"""The reward table, as the GM's own rule note has it (DC-33, DC-35, DC-36); without one, that of the book."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vaultkit.compendium.tables.dice import FAR, Dice, Span, spans
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.dragon_citadel import scoring
from vaultkit.games.dragon_citadel.rules import OPTIONS
from vaultkit.vault import Note
from vaultkit.vault.subpath import comparable
from vaultkit.vault.tables import TableBlock, plain, tables

HEADING = "rewards"
CHOICES = next(option.values for option in OPTIONS if option.key == "rewards")
_BOOK = {
    "magic-items": ("Magic items", "Magic Item Table {}"),
    "treasure": ("Individual treasure", "Individual Treasure, {}"),
}
"""The columns of the book, and what their tables are called in full."""
_SCORES = Dice.parse("d999")
_MOST_COLUMNS = 20
_OPEN = ("-", "\u2013", "\u2014", "\u2212")
"""What a range ends with whose end was forgotten."""


@dataclass(frozen=True)
class RewardRow:
    """One row: its number, the totals that lead to it, a cell of Markdown for each column; its line, 0 of the book."""

    number: int
    scores: tuple[Span, ...]
    cells: tuple[str, ...]
    line: int = 0


@dataclass(frozen=True)
class RewardTable:
    """Rows by their scores, and `columns` of rewards. `note` is None where it is the table of the book."""

    columns: tuple[str, ...]
    rows: tuple[RewardRow, ...]
    note: Note | None = None
    line: int = 0
    heading: str = ""

    def row_of(self, total: int) -> RewardRow | None:
        """The row of a total; above all rows the one that reaches highest, None between two of them (DC-33)."""
        found = next((row for row in self.rows if any(low <= total <= high for low, high in row.scores)), None)
        best = max(self.rows, key=lambda row: max(high for _, high in row.scores))
        return found or (best if total > max(high for _, high in best.scores) else None)

    def row_of_crowns(self, count: int) -> RewardRow | None:
        """The row whose number is that of the Crowns, the last one for more than there are rows (DC-35)."""
        wanted = min(count, max(row.number for row in self.rows))
        return next((row for row in self.rows if row.number == wanted), None)

    def doubts(self) -> Iterator[str]:
        """Scores that two rows have, and scores between two rows that none has, each with its line."""
        spans = sorted((low, high, row.line) for row in self.rows for low, high in row.scores)
        if self.note is None or not spans:
            return
        _, reached, above = spans[0]
        for low, high, line in spans[1:]:
            where = f"{self.note.path}:{max(line, above)}"
            if low <= reached:
                scores = _range(low, min(high, reached))
                yield f"{where}: two rows of the reward table have the scores {scores}; the upper one counts."
            elif low > reached + 1:
                yield f"{where}: no row of the reward table has the scores {_range(reached + 1, low - 1)}."
            if high > reached:
                reached, above = high, line

    def column(self, wanted: str) -> int:
        """Which column `wanted` means: a value of the option `rewards`, or words of a header (DC-36).

        Raises UsageError that lists the columns.
        """
        words = _words(wanted)
        heads = [_words(column) for column in self.columns]
        same = [number for number, head in enumerate(heads) if head == words]
        found = same or [number for number, head in enumerate(heads) if words and (words <= head or head <= words)]
        if not found and wanted in CHOICES:  # the only column that no other choice means
            other = [_words(str(choice)) for choice in CHOICES if choice != wanted]
            found = [number for number, head in enumerate(heads) if not any(choice <= head for choice in other)]
        if len(found) != 1:
            listed = ", ".join(f"'{column}'" for column in self.columns)
            raise UsageError(
                f"No one column of the reward table is called '{wanted}'.",
                where=self.where,
                hint=f"Name one with --rewards: {listed}.",
            )
        return found[0]

    @property
    def where(self) -> str:
        return f"{self.note.path}:{self.line}" if self.note else ""


def book_table() -> RewardTable:
    """The table that the printed rules have (DC-33, DC-36)."""
    ends = [0, *scoring.ROWS]
    rows = []
    for number, most in enumerate(scoring.ROWS, 1):
        cells = tuple(_book_cell(number, str(choice)) for choice in CHOICES)
        rows.append(RewardRow(number, ((ends[number - 1] + 1, most),), cells))
    return RewardTable(tuple(_BOOK[str(choice)][0] for choice in CHOICES), tuple(rows))


def _book_cell(row: int, choice: str) -> str:
    table, times = scoring.RewardRolls(1, row).on_tables(choice)
    return f"{times} roll{'s' * (times > 1)} on {_BOOK[choice][1].format(table)}"


def reward_table(note: Note) -> RewardTable | None:
    """The reward table of a rule note: the first below a heading `Rewards`, else the only one that is like it.

    None if it has none. Raises InvalidError for a table below that heading, or the only one, that cannot be read.
    """
    blocks = tables(note)
    heading = next((heading for heading in note.headings if comparable(heading.text) == HEADING), None)
    if heading:
        last = note.places.line(max(note.section_end(heading) - 1, 0))
        below = [block for block in blocks if heading.line < block.header.line <= last]
        if below:
            best = next((block for block in below if _score_column(block) is not None), below[0])
            return _read(note, best, heading.text)
    alike = [block for block in blocks if _row_column(block) is not None and _score_column(block) is not None]
    if len(alike) > 1:
        lines = " and ".join(str(block.header.line) for block in alike[:2])
        raise InvalidError(
            f"This note has several tables that may be the reward table, in the lines {lines}.",
            where=note.path,
            hint="Put the one that is meant below a heading 'Rewards'.",
        )
    return _read(note, alike[0], _heading_above(note, alike[0])) if alike else None


def _heading_above(note: Note, block: TableBlock) -> str:
    above = [heading.text for heading in note.headings if heading.line < block.header.line]
    return above[-1] if above else ""


def _read(note: Note, block: TableBlock, heading: str) -> RewardTable:
    scores, numbers = _score_column(block), _row_column(block)
    if scores is None:
        raise _broken(note, block.header.line, "This reward table has no column of scores.")
    taken = {scores, numbers}
    kept = [column for column in range(len(block.header.cells)) if column not in taken]
    if not kept:
        raise _broken(note, block.header.line, "This reward table has no column of rewards.")
    return RewardTable(
        tuple(plain(block.header.cells[column]) for column in kept),
        tuple(_rows(note, block, scores, numbers, kept)),
        note,
        block.header.line,
        heading,
    )


def _rows(note: Note, block: TableBlock, scores: int, numbers: int | None, kept: Sequence[int]) -> Iterator[RewardRow]:
    rows = [row for row in block.rows if any(row.cells)]
    for number, row in enumerate(rows, 1):
        cells = [*row.cells, *[""] * (len(block.header.cells) - len(row.cells))]
        found = _span(cells[scores])
        if not found:
            raise _broken(note, row.line, f"'{plain(cells[scores])}' is no range of scores.")
        own = number if numbers is None else int(plain(cells[numbers]))
        yield RewardRow(own, found, tuple(cells[column] for column in kept), row.line)


def _score_column(block: TableBlock) -> int | None:
    """The column in which most rows have a range of scores, `16-25` or `36+`; None if fewer than half have one."""
    counts = [sum(_is_range(cell) for cell in column) for column in _columns(block)]
    most = max(counts, default=0)
    return counts.index(most) if most and 2 * most >= len(block.rows) else None


def _row_column(block: TableBlock) -> int | None:
    """The column that numbers the rows from 1 on, in any order."""
    wanted = [str(number) for number in range(1, len(block.rows) + 1)]
    found = (number for number, column in enumerate(_columns(block)) if sorted(map(plain, column)) == sorted(wanted))
    return next(found, None)


def _columns(block: TableBlock) -> list[tuple[str, ...]]:
    width = min(len(block.header.cells), _MOST_COLUMNS)
    return [
        tuple(row.cells[column] if column < len(row.cells) else "" for row in block.rows) for column in range(width)
    ]


def _span(cell: str) -> tuple[Span, ...]:
    words = plain(cell).replace(" to ", "-")
    return () if words.endswith(_OPEN) else spans(words, _SCORES)


def _is_range(cell: str) -> bool:
    return any(low < high for low, high in _span(cell))


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}+" if high == FAR else f"{low}\u2013{high}"


def _words(text: str) -> frozenset[str]:
    return frozenset(comparable(text.replace("-", " ").replace("_", " ")).split())


def _broken(note: Note, line: int, message: str) -> InvalidError:
    return InvalidError(
        message,
        where=f"{note.path}:{line}",
        hint="Write the scores of each row as 16\u201325 or 36+, and beside them what it gives.",
    )
