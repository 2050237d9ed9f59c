"""Roll tables: tables of a note whose first column is headed by a die. Reading, checking, finding, rolling."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from vaultkit.compendium.dice import FAR, Dice, Generator, Span, spans
from vaultkit.errors import InvalidError, NothingFound, Problem, UsageError, VaultkitError
from vaultkit.vault import Note, Vault, quicklook
from vaultkit.vault.links import split_wikilink
from vaultkit.vault.subpath import find_heading, to_subpath
from vaultkit.vault.tables import Row, TableBlock, block_links, plain, tables

DEPTH = 8
"""So many tables may send a roll on, one after the other."""
MOST_ROLLS = 50
"""So many rolls may come of one, all told."""

_AROUND_DIE = re.compile(r"\b(?:rolls?|results?|die|dice|number|no|nr)\b\.?|[#:()]", re.IGNORECASE)


@dataclass(frozen=True)
class TableRow:
    """One row: the numbers as written and as read, none if they cannot be, and the other cells as Markdown."""

    label: str
    cells: tuple[str, ...]
    line: int
    spans: tuple[Span, ...]

    def covers(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.spans)


@dataclass(frozen=True)
class RollTable:
    """A table that can be rolled on, and where it stands.

    `columns` are the headers of the rows' cells, `path` is the note's vault path, `line` the header's, from 1;
    `block_id` is as written, "" if there is none; `headings` are those above it, the outermost first.
    """

    title: str
    dice: Dice
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    path: str
    line: int
    block_id: str = ""
    headings: tuple[str, ...] = ()

    @property
    def subpath(self) -> str:
        """What a link to it has behind the `#`: its block id, else its heading; "" if it has neither."""
        if self.block_id:
            return f"^{self.block_id}"
        return to_subpath(self.headings[-1]) if self.headings else ""

    def row(self, number: int) -> TableRow | None:
        """The first row that covers a number, None if there is none."""
        return next((row for row in self.rows if row.covers(number)), None)

    def text(self, row: TableRow) -> str:
        """A row in plain words; of several cells each with its column's header."""
        told = [(plain(name), plain(cell)) for name, cell in zip(self.columns, row.cells, strict=False) if cell]
        if len(told) == 1:
            return told[0][1]
        return "; ".join(f"{name}: {cell}" if name else cell for name, cell in told)


@dataclass(frozen=True)
class Roll:
    """A number rolled on a table, the row that it found, and the rolls to which that row sent on.

    `cut` says that the row sends on further than we follow.
    """

    table: RollTable
    number: int
    row: TableRow | None
    then: tuple["Roll", ...] = ()
    cut: bool = False

    @property
    def text(self) -> str:
        """The result in plain words, without what it led to."""
        if self.row is None:
            return f"{self.number} is in no row."
        return self.table.text(self.row)

    @property
    def chain(self) -> tuple["Roll", ...]:
        """All rolls that followed, in their order."""
        return tuple(later for roll in self.then for later in (roll, *roll.chain))


def tables_of(note: Note) -> tuple[RollTable, ...]:
    """The roll tables of a note, top to bottom. Raises InvalidError if the note is not UTF-8."""
    if not quicklook.may_have_rolls(note.text):
        return ()
    return tuple(found for block in tables(note) if (found := _read(note, block)))


def problems(note: Note) -> tuple[Problem, ...]:
    """Rows that cannot be read or rolled, numbers in no row or in two: warnings. Raises as `tables_of` does."""
    return tuple(problem for table in tables_of(note) for problem in _problems(table))


class RollTables:
    """The roll tables of a vault; each note is read once."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self._of: dict[str, tuple[RollTable, ...]] = {}

    @cached_property
    def all(self) -> tuple[RollTable, ...]:
        """Every roll table of the notes that can be read, in the order of paths."""
        notes = (self._note(facts.path) for facts in self.vault.note_facts if facts.rolls)
        return tuple(table for note in notes if note for table in self.of(note))

    def of(self, note: Note) -> tuple[RollTable, ...]:
        """`tables_of`, remembered."""
        if note.path not in self._of:
            self._of[note.path] = tables_of(note)
        return self._of[note.path]

    def name(self, table: RollTable) -> str:
        """What `find` knows the table by: `Note#^block-id` or `Note#Heading`, with folders where they are needed."""
        note = PurePosixPath(table.path).stem
        if self.vault.files.resolve(note, "").path != table.path or len(self.vault.files.named(note)) > 1:
            note = table.path.removesuffix(".md")
        return f"{note}#{table.subpath}" if table.subpath else note

    def find(self, name: str) -> RollTable:
        """The table that a person means: `Note#^block-id`, `Note#Heading`, `Note`, or a table's title or block id.

        Raises NothingFound with the nearest name, and InvalidError if several are meant.
        """
        path, subpath = _split(name)
        note = self._note(path) if path else None
        if note is None and subpath:  # `Log #2.md` is a file
            note, subpath = self._note(name), ""
        if note is not None and (subpath or self.of(note)):
            return self._only(self._within(note, subpath), name, note.path, self.of(note))
        wanted = name.strip().lstrip("#^").casefold()
        called = [table for table in self.all if wanted in (table.title.casefold(), table.block_id.casefold())]
        return self._only(called if wanted else [], name, str(self.vault.root), self.all)

    def linked(self, cell: str, source: str) -> tuple[RollTable, ...]:
        """The tables that the block links of a cell in the note `source` lead to, each once."""
        found = (self._at(path, block_id, source) for path, block_id in block_links(cell))
        return tuple(dict.fromkeys(table for table in found if table is not None))

    def roll(self, table: RollTable, rng: Generator) -> Roll:
        """One roll, and those to which the row sends on, at most DEPTH deep and MOST_ROLLS in all."""
        return _Rolling(self, rng).roll(table, 0)

    def _note(self, path: str) -> Note | None:
        found = self.vault.locate(path)
        if found.status == "ambiguous":
            raise _several(path, (str(found.path), *found.others))
        return None if found.path is None else self.vault.read(found.path)

    def _within(self, note: Note, subpath: str) -> list[RollTable]:
        found = self.of(note)
        if subpath.startswith("^"):
            return [table for table in found if table.block_id.lower() == subpath[1:].lower()]
        if not subpath:
            return list(found)
        heading = find_heading(note.headings, subpath)
        if heading is None:
            return []
        end = note.section_end(heading)
        below = [table for table in found if heading.line < table.line <= note.places.line(end - 1)]
        direct = [table for table in below if _line_above(note, table.line) == heading.line]
        return direct or below

    def _only(self, found: Sequence[RollTable], name: str, where: str, among: Sequence[RollTable]) -> RollTable:
        if len(found) == 1:
            return found[0]
        if found:
            raise _several(name, [f"{self.name(table)} (line {table.line})" for table in found], where)
        raise NothingFound(f"There is no roll table '{name}'.", where=where, hint=self._hint(name, among))

    def _hint(self, name: str, among: Sequence[RollTable]) -> str:
        from difflib import get_close_matches

        known = {word.casefold(): self.name(table) for table in among for word in (table.title, self.name(table))}
        near = get_close_matches(name.strip().casefold(), known, n=1, cutoff=0.7)
        if near:
            return f"Did you mean '{known[near[0]]}'?"
        names = dict.fromkeys(self.name(table) for table in among)
        return f"There is {_listed(names)}." if 0 < len(names) <= 4 else "All roll tables: vaultkit roll"

    def _at(self, path: str, block_id: str, source: str) -> RollTable | None:
        try:
            found = self.vault.files.resolve(path, source).path
            known = self.of(self.vault.read(found)) if found and found.lower().endswith(".md") else ()
        except VaultkitError:
            return None
        return next((table for table in known if table.block_id.lower() == block_id.lower()), None)


class _Rolling:
    """One roll with all that follows; counts, so that tables that lead to each other come to an end."""

    def __init__(self, known: RollTables, rng: Generator) -> None:
        self._known = known
        self._rng = rng
        self._left = MOST_ROLLS

    def roll(self, table: RollTable, depth: int) -> Roll:
        self._left -= 1
        number = table.dice.roll(self._rng)
        row = table.row(number)
        following = self._known.linked(" ".join(row.cells), table.path) if row else ()
        then = []
        for other in following if depth < DEPTH else ():
            if self._left:
                then.append(self.roll(other, depth + 1))
        return Roll(table, number, row, tuple(then), len(then) < len(following))


def _read(note: Note, block: TableBlock) -> RollTable | None:
    """A table as a roll table; None unless a die heads it, and at least half of its rows have numbers."""
    heads = [_die(cell) for cell in block.header.cells]
    dice = heads[0] if heads else None
    if dice is None:
        return None
    width, rows = _rows(block, dice, [number for number, head in enumerate(heads) if head == dice])
    read = sum(bool(row.spans) for row in rows)
    if not read or 2 * read < len(rows):
        return None
    headings = _headings(note, block.start)
    title = plain(headings[-1]) if headings else note.title
    columns = block.header.cells[1:width]
    return RollTable(title, dice, columns, rows, note.path, block.header.line, block.block_id, headings)


def _die(cell: str) -> Dice | None:
    """The die that a header cell names: `d100`, `dice: 1d22`, `**d6**`, `Roll (d6)`; None for other words."""
    if not quicklook.DIE.search(cell):
        return None
    try:
        dice = Dice.parse(_AROUND_DIE.sub(" ", plain(cell)))
    except UsageError:
        return None
    return dice if dice.terms else None


def _rows(block: TableBlock, dice: Dice, starts: Sequence[int]) -> tuple[int, tuple[TableRow, ...]]:
    """The rows, and how many columns each takes. A long table may be set in several strips, side by side."""
    width = len(block.header.cells)
    whole = tuple(_strip(block.rows, dice, 0, width))
    if len(starts) == 1 or not _gaps(dice, whole):
        return width, whole
    ends = [*starts[1:], width]
    strips = (_strip(block.rows, dice, start, end) for start, end in zip(starts, ends, strict=True))
    return starts[1], tuple(row for strip in strips for row in strip)


def _strip(rows: Iterable[Row], dice: Dice, start: int, end: int) -> Iterator[TableRow]:
    for row in rows:
        label, *cells = row.cells[start:end]
        if label or any(cells):
            yield TableRow(label, tuple(cells), row.line, spans(label, dice))


def _headings(note: Note, start: int) -> tuple[str, ...]:
    """The headings above a place of the note, each deeper than the one before."""
    path: list[tuple[int, str]] = []
    for heading in note.headings:
        if heading.start < start:
            path = [*((level, text) for level, text in path if level < heading.level), (heading.level, heading.text)]
    return tuple(text for _, text in path)


def _line_above(note: Note, line: int) -> int:
    """The line of the last heading above a line, 0 if there is none."""
    return max((heading.line for heading in note.headings if heading.line < line), default=0)


def _problems(table: RollTable) -> Iterator[Problem]:
    unread = [row for row in table.rows if not row.spans]
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
        yield _warning(table, table.line, "table-gap", f"No row of this table has {_spoken(gaps)}.", "")


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
    """What the dice can roll and no row has."""
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


def _split(name: str) -> tuple[str, str]:
    """Note and subpath of what a person names, `Note^id` without `#` included."""
    _, path, subpath = split_wikilink(name.strip().removeprefix("[[").removesuffix("]]"))
    if not subpath:
        path, caret, block_id = path.partition("^")
        subpath = f"{caret}{block_id}"
    return path.strip(), subpath


def _several(name: str, found: Iterable[str], where: str = "") -> InvalidError:
    return InvalidError(f"'{name}' may mean several tables.", where=where, hint=f"Name one of: {_listed(found)}")


def _listed(names: Iterable[str]) -> str:
    first, *more = quoted = [f"'{name}'" for name in names]
    return ", ".join(quoted) if len(more) < 10 else ", ".join([first, *more[:8], "and more"])
