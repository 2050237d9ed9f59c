"""The reward table of the GM's rule note (DC-33, DC-35, DC-36), or that of the printed rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest

from vaultkit.compendium.tables.dice import OPEN_SPAN_DISTANCE, Dice, Span, parse_spans
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.dragon_citadel import rules
from vaultkit.games.dragon_citadel.rules import OPTIONS
from vaultkit.text import format_count, join_words
from vaultkit.vault import Note
from vaultkit.vault.subpath import comparable_heading
from vaultkit.vault.tables import TableBlock, markdown_tables, plain_cell_text

HEADING = "rewards"
CHOICES = tuple(str(value) for option in OPTIONS if option.key == "rewards" for value in option.values)
_SCORE_DICE = Dice.parse("d999")
_MAX_COLUMNS = 20
_DASHES = ("-", "\u2013", "\u2014", "\u2212")
"""Last characters of a range whose end is missing."""


@dataclass(frozen=True)
class RewardRow:
    """One row: its number, the ranges of totals that lead to it, a Markdown cell for each column, and its line."""

    number: int
    scores: tuple[Span, ...]
    cells: tuple[str, ...]
    line: int = 0


@dataclass(frozen=True)
class RewardTable:
    """A reward table: its rows have ranges of scores, its columns have rewards.

    `note` and `line` say where it stands; the note of the printed rules' table has the path "". `heading` is the
    heading above it.
    """

    columns: tuple[str, ...]
    rows: tuple[RewardRow, ...]
    note: Note
    line: int
    heading: str = ""

    def location(self, line: int) -> str:
        """Return `path:line` for a line of the note, "" for the printed table."""
        return f"{self.note.path}:{line}" if self.note.path else ""

    def row_of(self, total: int) -> RewardRow | None:
        """Return the row for a total (DC-33).

        A total above all rows belongs to the row with the highest range; a total between two rows has none.
        """
        matching_row = next((row for row in self.rows if any(low <= total <= high for low, high in row.scores)), None)
        highest_row = max(self.rows, key=_max_score)
        return matching_row or (highest_row if total > _max_score(highest_row) else None)

    def row_of_crowns(self, count: int) -> RewardRow | None:
        """Return the row numbered by the count of Crowns, the last row if there are more Crowns than rows (DC-35)."""
        row_number = min(count, max(row.number for row in self.rows))
        return next((row for row in self.rows if row.number == row_number), None)

    def doubts(self) -> Iterator[str]:
        """Yield a sentence, with its line, for each range of scores that two rows share or that no row covers."""
        spans = sorted((low, high, row.line) for row in self.rows for low, high in row.scores)
        _, previous_end, previous_line = spans[0]
        for low, high, line in spans[1:]:
            where = self.location(max(line, previous_line))
            if low <= previous_end:
                scores = _format_range(low, min(high, previous_end))
                yield f"{where}: two rows of the reward table have the scores {scores}; the upper one counts."
            elif low > previous_end + 1:
                yield f"{where}: no row of the reward table has the scores {_format_range(previous_end + 1, low - 1)}."
            if high > previous_end:
                previous_end, previous_line = high, line

    def column(self, name: str) -> int:
        """Return the index of the column called `name`: a value of the option `rewards`, or words of a header (DC-36).

        Raises UsageError, listing the columns, if none or several fit.
        """
        words, headers = word_set(name), list(enumerate(map(word_set, self.columns)))
        matches = [number for number, header in headers if header == words]
        matches = matches or [number for number, header in headers if words and words <= header]
        if not matches and name in CHOICES:  # a header may have fewer words than the option
            matches = [number for number, header in headers if header <= words]
        if not matches and name in CHOICES:  # else the only column that fits no other choice
            others = [word_set(choice) for choice in CHOICES if choice != name]
            matches = [number for number, header in headers if not any(other <= header for other in others)]
        if len(matches) != 1:
            column_names = ", ".join(f"'{column}'" for column in self.columns)
            message = f"No one column of the reward table is called '{name}'."
            hint = f"Name one with --rewards: {column_names}."
            raise UsageError(message, where=self.location(self.line), hint=hint)
        return matches[0]


@cache
def printed_table() -> RewardTable:
    """Return the reward table of the printed rules (DC-33, DC-36)."""
    starts = (1, *(end + 1 for end in rules.ROW_MAX_TOTALS[:-1]))
    scores = [f"{first}-{last}" for first, last in zip(starts, rules.ROW_MAX_TOTALS, strict=True)]
    items = [f"1 roll on Magic Item Table {letter}" for letter in rules.MAGIC_ITEM_TABLES]
    tables_of_coins = zip(rules.TREASURE_ROLLS_PER_ROW, rules.TREASURE_TABLES, strict=True)
    coins = [f"{format_count(rolls, 'roll')} on Individual Treasure, {name}" for rolls, name in tables_of_coins]
    rows = ("| " + " | ".join(cells) + " |" for cells in zip(scores, items, coins, strict=True))
    text = "\n".join(("| Score | Magic items | Individual treasure |", "|---|---|---|", *rows))
    note = Note("", text.encode())
    return _parse_table(note, markdown_tables(note)[0])


def reward_table(note: Note) -> RewardTable | None:
    """Return the reward table of a rule note: the first below a heading `Rewards`, else the only similar table.

    Returns None if the note has no such table. Raises InvalidError if the table cannot be read, or if several tables
    without that heading are similar.
    """
    blocks = markdown_tables(note)
    heading = next((heading for heading in note.headings if comparable_heading(heading.text) == HEADING), None)
    last_line = note.places.line(max(note.section_end(heading) - 1, 0)) if heading else 0
    if blocks_below := [block for block in blocks if heading and heading.line < block.header.line <= last_line]:
        has_scores = (block for block in blocks_below if _score_column(block) is not None)
        return _parse_table(note, next(has_scores, blocks_below[0]))
    similar_blocks = [block for block in blocks if _row_column(block) is not None and _score_column(block) is not None]
    if len(similar_blocks) > 1:
        lines = join_words(str(block.header.line) for block in similar_blocks[:2])
        message = f"This note has several tables that may be the reward table, in the lines {lines}."
        raise InvalidError(message, where=note.path, hint="Put the right one below a heading 'Rewards'.")
    return _parse_table(note, similar_blocks[0]) if similar_blocks else None


def _parse_table(note: Note, block: TableBlock) -> RewardTable:
    """Return a table of `note` as a reward table. Raises InvalidError if it lacks a column or has an invalid row."""
    score_column, number_column = _score_column(block), _row_column(block)
    if score_column is None:
        raise _invalid_table(note, block.header.line, "This reward table has no column of scores.")
    columns = range(len(block.header.cells))
    reward_columns = [column for column in columns if column not in (score_column, number_column)]
    if not reward_columns:
        raise _invalid_table(note, block.header.line, "This reward table has no column of rewards.")
    names = tuple(plain_cell_text(block.header.cells[column]) for column in reward_columns)
    rows = tuple(_parse_rows(note, block, score_column, number_column, reward_columns))
    titles_above = [heading.text for heading in note.headings if heading.line < block.header.line]
    return RewardTable(names, rows, note, block.header.line, titles_above[-1] if titles_above else "")


def _parse_rows(
    note: Note, block: TableBlock, score_column: int, number_column: int | None, reward_columns: Sequence[int]
) -> Iterator[RewardRow]:
    """Yield the rows, of which the columns with the given indexes are read. Raises InvalidError for invalid scores."""
    rows = [row for row in block.rows if any(row.cells)]
    for number, row in enumerate(rows, 1):
        cells = [*row.cells, *[""] * (len(block.header.cells) - len(row.cells))]
        score_spans = _parse_spans(cells[score_column])
        if not score_spans:
            raise _invalid_table(note, row.line, f"'{plain_cell_text(cells[score_column])}' is not a range of scores.")
        row_number = number if number_column is None else int(plain_cell_text(cells[number_column]))
        yield RewardRow(row_number, score_spans, tuple(cells[column] for column in reward_columns), row.line)


def _score_column(block: TableBlock) -> int | None:
    """Return the index of the column in which most rows have a range of scores, such as `16-25` or `36+`.

    None if less than half of the rows have one there.
    """
    counts = [sum(any(low < high for low, high in _parse_spans(cell)) for cell in column) for column in _columns(block)]
    max_count = max(counts, default=0)
    return counts.index(max_count) if max_count and 2 * max_count >= len(block.rows) else None


def _row_column(block: TableBlock) -> int | None:
    """Return the index of the column with the numbers of the rows, 1 and up in any order, or None."""
    numbers = sorted(str(number) for number in range(1, len(block.rows) + 1))
    columns = [sorted(map(plain_cell_text, column)) for column in _columns(block)]
    return columns.index(numbers) if numbers in columns else None


def _columns(block: TableBlock) -> list[tuple[str, ...]]:
    return list(zip_longest(*(row.cells for row in block.rows), fillvalue=""))[:_MAX_COLUMNS]


def _parse_spans(cell: str) -> tuple[Span, ...]:
    """Return the ranges of scores in a cell; () if it has none or a range without an end."""
    words = plain_cell_text(cell)
    return () if words.endswith(_DASHES) else parse_spans(words, _SCORE_DICE)


def _max_score(row: RewardRow) -> int:
    return max(high for _, high in row.scores)


def _format_range(low: int, high: int) -> str:
    end = "+" if high == OPEN_SPAN_DISTANCE else f"\u2013{high}"
    return str(low) if low == high else f"{low}{end}"


def word_set(text: str) -> frozenset[str]:
    """Return the words of a name, normalized for comparison."""
    return frozenset(comparable_heading(text.replace("-", " ").replace("_", " ")).split())


def _invalid_table(note: Note, line: int, message: str) -> InvalidError:
    hint = "Write the scores of each row as 16\u201325 or 36+, and beside them what it gives."
    return InvalidError(message, where=f"{note.path}:{line}", hint=hint)
