"""The roll tables of a whole vault: finding a table, rolling on it, and following its links to other tables."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from vaultkit.compendium.tables.dice import Generator
from vaultkit.compendium.tables.nested_tables import roll_cell
from vaultkit.compendium.tables.roll_table import RollTable, TableRow
from vaultkit.compendium.tables.table_parser import read_tables, tables_of
from vaultkit.errors import InvalidError, NothingFound, VaultkitError
from vaultkit.spelling import did_you_mean_by
from vaultkit.text import name_sort_key, parse_whole_number
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import split_wikilink
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.subpath import find_heading
from vaultkit.vault.tables import block_link_targets
from vaultkit.vault.text_positions import LINE_END

MAX_TABLE_DEPTH = 8
"""The maximum number of links from table to table that a roll follows, one after the other."""
MAX_ROLL_COUNT = 50
"""The maximum number of rolls that one roll may cause in all, itself included."""


@dataclass(frozen=True)
class Roll:
    """A number rolled on a table, its row, and the rolls on the tables to which the row links.

    `text` is the result in plain words, with the totals of its dice, but without the rolls in `then`. `cut` is true if
    the row links to more tables than were rolled on.
    """

    table: RollTable
    number: int
    row: TableRow | None
    text: str
    then: tuple["Roll", ...] = ()
    cut: bool = False

    @property
    def chain(self) -> tuple["Roll", ...]:
        """All rolls that followed from this one, directly or not, in their order."""
        return tuple(following_roll for roll in self.then for following_roll in (roll, *roll.chain))


class RollTables:
    """The roll tables of a vault; each note is read once."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self._tables_by_path: dict[str, tuple[RollTable, ...]] = {}

    @cached_property
    def all(self) -> tuple[RollTable, ...]:
        """Every roll table of the notes that can be read, in the order of paths."""
        paths = sorted((facts.path for facts in self.vault.note_facts if facts.rolls), key=name_sort_key)
        notes = map(self._read_note, paths)
        return tuple(table for note in notes if note for table in self.tables_in(note))

    def tables_in(self, note: Note) -> tuple[RollTable, ...]:
        """Return the roll tables of a note, from a cache."""
        if note.path not in self._tables_by_path:
            self._tables_by_path[note.path] = tables_of(note)
        return self._tables_by_path[note.path]

    def name(self, table: RollTable) -> str:
        """Return a name by which `find` finds the table: `Note#^block-id`, `Note#Heading`, or `Note:9` with its line.

        The note has its folders if they are needed.
        """
        note_name = self._note_name(table)
        bare_names = () if table.subpaths else (note_name,)
        return self._first_unique_name(table, (*bare_names, *(f"{note_name}#{subpath}" for subpath in table.subpaths)))

    def short_name(self, table: RollTable) -> str:
        """Return the shortest name by which `find` finds the table: its note alone, if it has no other table."""
        return self._first_unique_name(table, (self._note_name(table), self.name(table)))

    def find(self, name: str) -> RollTable:
        """Return the table that a user names: by note, heading, block id, line or title, or by a note with one table.

        Raise NothingFound with the nearest name, and InvalidError if several are meant.
        """
        note, subpath = self._find_note_and_subpath(name)
        if note is not None and (subpath or self.tables_in(note)):
            return self._require_one(self._tables_within(note, subpath), name, note.path, self.tables_in(note))
        if note is not None and (reasons := read_tables(note)[1]):
            line, reason = next(iter(reasons.items()))
            raise NothingFound(reason, where=f"{note.path}:{line}", hint="What a table needs: vaultkit check")
        folded_name = name.strip().lstrip("#^").casefold()
        matches = [table for table in self.all if folded_name in (table.title.casefold(), table.block_id.casefold())]
        return self._require_one(matches if folded_name else [], name, str(self.vault.root), self.all)

    def linked_tables(self, table: RollTable, row: TableRow) -> tuple[RollTable, ...]:
        """Return the tables to which a row leads, each once.

        They are tables that it names by their block ids, the only table below a heading that it links to, and notes
        that contain only a table. A note with more than a table, such as a wand with its effects, is a result.
        """
        cells = " ".join(row.cells)
        tables_by_id = (self._find_by_id(path, block_id, table.path) for path, block_id in block_link_targets(cells))
        links = (link for link in table.note.links if link.line == row.line and not link.external)
        row_links = (link for link in links if table.note.text[link.start : link.end] in cells)
        links_by_target = {(link.path, link.subpath): link for link in row_links}
        tables_by_link = (self._find_by_link(link, table.path) for link in links_by_target.values())
        return tuple(
            dict.fromkeys(target_table for target_table in (*tables_by_id, *tables_by_link) if target_table is not None)
        )

    def tables_of_link(self, link: Link, source: str) -> tuple[RollTable, ...]:
        """Return the tables that a link in the note `source` may mean: the whole note's, or what its subpath names."""
        tables = () if link.external else self._tables_of_target(link.path, source)
        return tuple(self._tables_within(tables[0].note, link.subpath)) if tables else ()

    def roll(self, table: RollTable, rng: Generator) -> Roll:
        """Roll once, and on the tables to which the row leads.

        The rolls are at most MAX_TABLE_DEPTH deep and at most MAX_ROLL_COUNT in all.
        """
        return _RollChain(self, rng).roll(table, 0)

    def _read_note(self, path: str) -> Note | None:
        location = self.vault.locate(path)
        if location.status == "ambiguous":
            raise _ambiguity_error(path, (str(location.path), *location.others))
        return None if location.path is None else self.vault.read(location.path)

    def _note_name(self, table: RollTable) -> str:
        """Return the name of the table's note, with folders if another file has the name, too."""
        note = name_of(table.path)
        is_alone = (
            self.vault.files.resolve(note, "").path == table.path and len(self.vault.files.find_namesakes(note)) == 1
        )
        return note if is_alone else table.path.removesuffix(".md")

    def _first_unique_name(self, table: RollTable, names: Iterable[str]) -> str:
        """Return the first of `names` that means `table` and no other, else its note and line."""
        candidates = (*names, f"{self._note_name(table)}:{table.line}")
        return next((name for name in candidates if self._is_unique_name(table, name)), f"{table.path}:{table.line}")

    def _is_unique_name(self, table: RollTable, name: str) -> bool:
        try:
            note, subpath = self._find_note_and_subpath(name)
        except VaultkitError:
            return False
        return note is not None and note.path == table.path and self._tables_within(note, subpath) == [table]

    def _find_note_and_subpath(self, name: str) -> tuple[Note | None, str]:
        """Return the note that `name` means, and the part after it: `^block-id`, a heading, or a line such as `:9`."""
        for path, subpath in possible_files(name.strip()):  # `Log #2.md` is a file, and so is `2^10.md`
            target = self.vault.files.resolve(path, "")
            if target.status == "ok" and target.path and is_note(target.path):
                return self.vault.read(target.path), subpath
        path, subpath = split_name(name)
        note = self._read_note(path) if path else None
        path, line = split_line_number(path)
        return (self._read_note(path), line) if note is None and line and not subpath else (note, subpath)

    def _tables_within(self, note: Note, subpath: str) -> list[RollTable]:
        tables = self.tables_in(note)
        if subpath.startswith(":"):
            return [table for table in tables if table.line == parse_whole_number(subpath[1:])]
        if subpath.startswith("^"):
            return [table for table in tables if table.block_id.lower() == subpath[1:].lower()]
        if not subpath:
            return list(tables)
        heading = find_heading(note.headings, subpath)
        if heading is None:
            return []
        end = note.section_end(heading)
        tables_below = [table for table in tables if heading.line < table.line <= note.places.line(end - 1)]
        tables_directly_below = [
            table for table in tables_below if _heading_line_above(note, table.line) == heading.line
        ]
        return tables_directly_below or tables_below

    def _require_one(
        self, matches: Sequence[RollTable], name: str, where: str, candidates: Sequence[RollTable]
    ) -> RollTable:
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise _ambiguity_error(name, [self.name(table) for table in matches], where, _block_id_advice(matches))
        raise NothingFound(
            f"There is no roll table '{name}'.", where=where, hint=self._missing_table_hint(name, candidates)
        )

    def _missing_table_hint(self, name: str, candidates: Sequence[RollTable]) -> str:
        names_by_word = {word: self.name(table) for table in candidates for word in (table.title, self.name(table))}
        if suggestion := did_you_mean_by(name.strip(), names_by_word, min_score=70):
            return suggestion
        names = dict.fromkeys(self.name(table) for table in candidates)
        return f"There is {quote_names(names)}." if 0 < len(names) <= 4 else "All roll tables: vaultkit roll"

    def _find_by_id(self, path: str, block_id: str, source: str) -> RollTable | None:
        tables = self._tables_of_target(path, source)
        return next((table for table in tables if table.block_id.lower() == block_id.lower()), None)

    def _find_by_link(self, link: Link, source: str) -> RollTable | None:
        """Return the one table below the heading that a link names, or of a note that contains only a table."""
        tables = self._tables_of_target(link.path, source)
        if not tables or link.subpath.startswith("^"):
            return None
        note = tables[0].note
        matches = (
            self._tables_within(note, link.subpath)
            if link.subpath
            else [table for table in tables if _is_only_content(table, note)]
        )
        return matches[0] if len(matches) == 1 else None

    def _tables_of_target(self, path: str, source: str) -> tuple[RollTable, ...]:
        """Return the tables of the note to which a link in the note `source` leads."""
        try:
            target_path = self.vault.files.resolve(path, source).path
            return self.tables_in(self.vault.read(target_path)) if target_path and is_note(target_path) else ()
        except VaultkitError:
            return ()


class _RollChain:
    """A roll with all rolls that follow from it, limited in number, since tables may link to each other."""

    def __init__(self, roll_tables: RollTables, rng: Generator) -> None:
        self._roll_tables = roll_tables
        self._rng = rng
        self._remaining_rolls = MAX_ROLL_COUNT

    def roll(self, table: RollTable, depth: int) -> Roll:
        self._remaining_rolls -= 1
        rolled_number = table.dice.roll(self._rng)
        row = table.row(rolled_number)
        text = table.text(row, partial(roll_cell, rng=self._rng)) if row else f"{rolled_number} is in no row."
        linked_tables = self._roll_tables.linked_tables(table, row) if row else ()
        later_rolls = []
        for next_table in linked_tables if depth < MAX_TABLE_DEPTH else ():
            if self._remaining_rolls:
                later_rolls.append(self.roll(next_table, depth + 1))
        return Roll(table, rolled_number, row, text, tuple(later_rolls), len(later_rolls) < len(linked_tables))


def _heading_line_above(note: Note, line: int) -> int:
    """Return the line of the last heading above a line, or 0 if there is none."""
    return max((heading.line for heading in note.headings if heading.line < line), default=0)


def _is_only_content(table: RollTable, note: Note) -> bool:
    """Return whether a note contains nothing but headings and the table with its block id."""
    headings = {heading.line for heading in note.headings}
    lines = enumerate(LINE_END.split(note.body), note.places.line(note.body_start))
    other_lines = (text for line, text in lines if line not in headings and not table.line <= line <= table.last_line)
    return not any(text.strip() and text.strip() != f"^{table.block_id}" for text in other_lines)


def _block_id_advice(tables: Iterable[RollTable]) -> str:
    """Return advice on how to give a table a name, with the line of the first one without a block id."""
    line = next((table.line for table in tables if not table.block_id), 0)
    return f" To give one a name of its own, add a line ^name below the table in line {line}." if line else ""


def _ambiguity_error(name: str, names: Iterable[str], where: str = "", advice: str = "") -> InvalidError:
    hint = f"Name one of: {quote_names(names)}.{advice}"
    return InvalidError(f"'{name}' may mean several tables.", where=where, hint=hint)


_PATH_WITH_LINE = re.compile(r"(?P<path>.+)(?P<line>:[0-9]{1,7})", re.DOTALL)


def split_name(name: str) -> tuple[str, str]:
    """Split a table's name from a user into note and subpath: a heading, `^block-id`, or `:9` for a line."""
    _, path, subpath = split_wikilink(name.strip().removeprefix("[[").removesuffix("]]"))
    if not subpath:
        path, caret, block_id = path.partition("^")
        subpath = f"{caret}{block_id}"
    return path.strip(), subpath


def split_line_number(path: str) -> tuple[str, str]:
    """Split a name such as `Note:9` into the note and its line, `:9`; the line is "" if the name has none."""
    match = _PATH_WITH_LINE.fullmatch(path)
    return (match["path"], match["line"]) if match else (path, "")


def possible_files(name: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to read a name as a file's path and a subpath, the longest path first."""
    yield name, ""
    if split_line_number(name)[1]:
        yield split_line_number(name)
    for sign in reversed([*re.finditer("#", name)]):
        yield name[: sign.start()], name[sign.end() :].partition("|")[0].strip()


def quote_names(names: Iterable[str]) -> str:
    """Return names in quotes, separated by commas; of ten or more, the first nine."""
    first_name, *other_names = quoted_names = [f"'{name}'" for name in names]
    return ", ".join(quoted_names) if len(other_names) < 10 else ", ".join([first_name, *other_names[:8], "and more"])
