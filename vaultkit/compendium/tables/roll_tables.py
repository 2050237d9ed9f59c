"""The roll tables of a whole vault: finding a table, rolling on it, and following its links to other tables."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, takewhile
from typing import TypeVar

from vaultkit.compendium.tables.dice import Dice, Generator
from vaultkit.compendium.tables.roll_table import RefusedTable, RollTable, TablePlace, TableRow, roll_cell
from vaultkit.compendium.tables.table_names import (
    possible_files,
    quote_names,
    split_line_number,
    split_name,
    words_of_kind,
)
from vaultkit.compendium.tables.table_parser import read_equal_rows, read_tables, tables_of
from vaultkit.errors import InvalidError, NothingFound, UsageError, VaultkitError
from vaultkit.spelling import suggest_by_words
from vaultkit.text import group, name_sort_key, parse_whole_number, quote_word
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.tables import BlockLink, block_links, plain_cell_text
from vaultkit.vault.text_positions import LINE_END

Tables = Sequence[RollTable]
_Place = TypeVar("_Place", bound=TablePlace)
_NAME_WITH_COLUMN = re.compile(r"(?P<name>\[\[.*\]\])\s*\|\s*(?P<column>.+)")

_SIDELESS_DICE = re.compile(r"\d{1,3}[dw]", re.IGNORECASE)
_MAX_SUGGESTED_TABLE_COUNT = 12
"""The maximum number of tables that an error suggests for a word in their titles."""
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
    def shown_text(self) -> str:
        """The result, and whether it leads to more rolls than were made."""
        return f"{self.text} (not followed any further)" if self.cut else self.text

    @property
    def chain(self) -> tuple["Roll", ...]:
        """All rolls that followed from this one, directly or not, in their order."""
        return tuple(following_roll for roll in self.then for following_roll in (roll, *roll.chain))


class RollTables:
    """The roll tables of a vault; each note is read once."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self._tables_by_path: dict[str, tuple[RollTable, ...]] = {}
        self._tables_by_id: dict[str, dict[str, list[RollTable]]] = {}
        self._tables_by_subpath: dict[tuple[str, str], list[RollTable]] = {}
        self._names: dict[tuple[str, int], str] = {}

    @cached_property
    def all(self) -> tuple[RollTable, ...]:
        """Every roll table of the notes that can be read, and what dice rollers roll on, in the order of paths."""
        tables = [table for note in self._notes for table in self.tables_in(note)]
        linked_tables = (self._find_by_id(*target) for target in self._dice_targets())
        all_tables = dict.fromkeys((*tables, *filter(None, linked_tables)))
        return tuple(sorted(all_tables, key=lambda table: (name_sort_key(table.path), table.line)))

    @cached_property
    def refused(self) -> tuple[RefusedTable, ...]:
        """Every table that looks like one to roll on and cannot be rolled on, in the order of paths."""
        return tuple(table for note in self._notes for table in read_tables(note)[1])

    @cached_property
    def _notes(self) -> tuple[Note, ...]:
        paths = sorted((facts.path for facts in self.vault.note_facts if facts.rolls), key=name_sort_key)
        return tuple(filter(None, map(self._read_note, paths)))

    def _dice_targets(self) -> Iterator[tuple[str, str, str]]:
        """Yield the path and block id of each block on which a dice roller's code rolls, and the path of its note."""
        for facts in self.vault.note_facts:
            if b"dice" in bytes(facts.encoded_links):
                for link in facts.links:
                    if link.kind == "dice" and link.subpath.startswith("^"):
                        yield link.path, link.subpath[1:], facts.path

    def tables_in(self, note: Note) -> tuple[RollTable, ...]:
        """Return the roll tables of a note, from a cache."""
        if note.path not in self._tables_by_path:
            self._tables_by_path[note.path] = tables_of(note)
        return self._tables_by_path[note.path]

    def name(self, table: RollTable) -> str:
        """Return a name by which `find` finds the table: `Note#^block-id`, `Note#Heading`, or `Note:9` with its line.

        The note has its folders if they are needed.
        """
        place = (table.path, table.start)
        if place not in self._names:
            note_name = self._note_name(table)
            bare_names = () if table.subpaths else (note_name,)
            names = (*bare_names, *(f"{note_name}#{subpath}" for subpath in table.subpaths))
            self._names[place] = self._first_unique_name(table, names)
        return self._names[place]

    def short_name(self, table: RollTable) -> str:
        """Return the shortest name by which `find` finds the table: its note alone, if it has no other table."""
        return self._first_unique_name(table, (self._note_name(table), self.name(table)))

    def find(self, name: str) -> RollTable:
        """Return the table that a user names: by note, heading, block id, line or title, or by a note with one table.

        The name may end with one of the table's columns, as in `[[Note^id]]|Header`. Raise InvalidError if several are
        meant, and NothingFound with the nearest name, or with the reason why a table cannot be rolled on.
        """
        if match := _NAME_WITH_COLUMN.fullmatch(name.strip()):
            return _take_column(self.find(match["name"]), match["column"])
        note, subpath = self._find_note_and_subpath(name)
        refusals: Sequence[RefusedTable] = read_tables(note)[1] if note else ()
        if note is not None and (subpath or refusals or self.tables_in(note)):
            matches, where, candidates = self._tables_within(note, subpath), note.path, self.tables_in(note)
            refusals = () if matches else _select_places(note, subpath, refusals)
        else:
            matches, where, candidates = _with_title(name, self.all), str(self.vault.root), self.all
            refusals = () if matches else _with_title(name, self.refused)
        for table in refusals:
            raise NothingFound(table.reason, where=f"{table.path}:{table.line}", hint=table.hint)
        return self._require_one(matches, name, where, candidates)

    def linked_tables(self, table: RollTable, row: TableRow) -> tuple[tuple[RollTable, str], ...]:
        """Return the tables to which a row leads, each once, and how often to roll on each, as a dice roller writes it.

        They are tables that it names by their block ids, the only table below a heading that it links to, and notes
        that contain only a table. A note with more than a table, such as a wand with its effects, is a result.
        """
        cells = " ".join(row.cells)
        counts: dict[RollTable, str] = {}
        for block_link in block_links(cells):
            if target := self._find_by_block_link(block_link, table.path):
                counts.setdefault(target, block_link.times)
        links = (link for link in table.note.links if link.line == row.line and not link.external)
        row_links = (link for link in links if table.note.text[link.start : link.end] in cells)
        for link in {(link.path, link.subpath): link for link in row_links}.values():
            if target := self._find_by_link(link, table.path):
                counts.setdefault(target, "")
        return tuple(counts.items())

    def tables_of_link(self, link: Link, source: str) -> tuple[RollTable, ...]:
        """Return the tables that a link in the note `source` may mean: the whole note's, or what its subpath names."""
        note = None if link.external else self._note_of_target(link.path, source)
        return tuple(self._tables_within(note, link.subpath)) if note else ()

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
        files = self.vault.files
        is_alone = files.resolve(note, "").path == table.path and len(files.find_namesakes(note)) == 1
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
        tables = self._tables_within(note, subpath) if note else []
        return len(tables) == 1 and (tables[0].path, tables[0].start) == (table.path, table.start)

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
        place = (note.path, subpath)
        if place not in self._tables_by_subpath:
            self._tables_by_subpath[place] = (
                self._tables_with_id(note, subpath[1:].lower())
                if subpath.startswith("^")
                else _select_places(note, subpath, self.tables_in(note))
            )
        return self._tables_by_subpath[place]

    def _tables_with_id(self, note: Note, block_id: str) -> list[RollTable]:
        if note.path not in self._tables_by_id:
            self._tables_by_id[note.path] = group((table.block_id.lower(), table) for table in self.tables_in(note))
        if tables := self._tables_by_id[note.path].get(block_id):
            return tables
        return [*filter(None, (read_equal_rows(note, block_id),))] if block_id in note.blocks else []

    def _require_one(self, matches: Tables, name: str, where: str, candidates: Tables) -> RollTable:
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise _ambiguity_error(name, [self.name(table) for table in matches], where, _block_id_advice(matches))
        hint = self._missing_table_hint(name, candidates)
        raise NothingFound(f"There is no roll table '{name}'.", where=where, hint=hint)

    def _missing_table_hint(self, name: str, candidates: Tables) -> str:
        words = [word for word in name.casefold().split() if any(map(str.isalnum, word))]
        similar_tables = [table for table in candidates if words and all(_has_kind(table, word) for word in words)]
        if similar_tables:
            return self.commands_hint(similar_tables, "Tables of that kind")
        find_name = self.name if "#" in name else self.short_name
        names_by_word = {word: find_name(table) for table in candidates for word in (table.title, self.name(table))}
        if suggestion := suggest_by_words(name, names_by_word):
            return suggestion
        if _SIDELESS_DICE.fullmatch(name.strip()):
            return f"Dice need their number of sides, as in {name.strip()}6."
        names = dict.fromkeys(self.name(table) for table in candidates)
        return f"There is {quote_names(names)}." if 0 < len(names) <= 4 else self.commands_hint(candidates)

    def commands_hint(self, tables: Tables, kind: str = "The tables here") -> str:
        """Return a hint with the commands that roll on the first of some tables, and the one that lists all."""
        names = [quote_word(self.short_name(table)) for table in tables[:_MAX_SUGGESTED_TABLE_COUNT]]
        commands = ", ".join(f"vaultkit roll {name}" for name in names)
        all_tables = "All roll tables: vaultkit roll"
        return f"{kind}: {commands}. {all_tables}" if commands else all_tables

    def _find_by_id(self, path: str, block_id: str, source: str) -> RollTable | None:
        note = self._note_of_target(path, source)
        return next(iter(self._tables_within(note, f"^{block_id}")), None) if note else None

    def _find_by_block_link(self, link: BlockLink, source: str) -> RollTable | None:
        table = self._find_by_id(link.path, link.block_id, source)
        return (table.only_column(link.column) or table) if table and link.column else table

    def _find_by_link(self, link: Link, source: str) -> RollTable | None:
        """Return the one table below the heading that a link names, or of a note that contains only a table."""
        note = None if link.subpath.startswith("^") else self._note_of_target(link.path, source)
        if note is None:
            return None
        is_whole = not link.subpath
        matches = _find_sole_tables(self.tables_in(note), note) if is_whole else self._tables_within(note, link.subpath)
        return matches[0] if len(matches) == 1 else None

    def _note_of_target(self, path: str, source: str) -> Note | None:
        """Return the note to which a link in the note `source` leads, or None if there is none that can be read."""
        try:
            target_path = self.vault.files.resolve(path, source).path
            note = self.vault.read(target_path) if target_path and is_note(target_path) else None
            _ = note and self.tables_in(note)  # raises an error for a note that is not UTF-8
        except VaultkitError:
            return None
        return note


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
        next_tables = [next_table for next_table, count in linked_tables for _ in range(_roll_count(count, self._rng))]
        later_rolls = []
        for next_table in next_tables if depth < MAX_TABLE_DEPTH else ():
            if self._remaining_rolls:
                later_rolls.append(self.roll(next_table, depth + 1))
        return Roll(table, rolled_number, row, text, tuple(later_rolls), len(later_rolls) < len(next_tables))


def _roll_count(count: str, rng: Generator) -> int:
    """Return how often a dice roller's code rolls on a table: `3`, `3d`, as often as `1d4+1` says, and once for ""."""
    try:
        dice = Dice.parse(count.rstrip("dD ") or "1")
    except UsageError:
        return 1
    return min(max(dice.roll(rng), 0), MAX_ROLL_COUNT + 1)


def _select_places(note: Note, subpath: str, places: Sequence[_Place]) -> list[_Place]:
    """Return the tables of a note that a subpath means: `:9` for a line, `^block-id`, a heading, or "" for all."""
    if subpath.startswith(":"):
        line = parse_whole_number(subpath[1:]) or 0
        return _places_in_lines(places, line, line)
    if subpath.startswith("^"):
        return [place for place in places if place.block_id.lower() == subpath[1:].lower()]
    if not subpath:
        return list(places)
    heading = note.outline.find_heading(subpath)
    if heading is None:
        return []
    places_below = _places_in_lines(places, heading.line + 1, note.places.line(note.section_end(heading) - 1))
    return [place for place in places_below if note.outline.headings_above(place.start)[-1] == heading] or places_below


def _places_in_lines(places: Sequence[_Place], first: int, last: int) -> list[_Place]:
    """Return the tables from the line `first` to `last`; all are in the order of their lines."""
    start = bisect_left(places, first, key=lambda place: place.line)
    return [*takewhile(lambda place: place.line <= last, islice(places, start, None))]


def _with_title(name: str, places: Iterable[_Place]) -> list[_Place]:
    """Return the tables with a title or block id; none if the name has no letters."""
    word = name.strip().lstrip("#^").casefold()
    return [place for place in places if word and word in (place.title.casefold(), place.block_id.casefold())]


def _has_kind(table: RollTable, word: str) -> bool:
    return any(word_form in table.title.casefold() for word_form in words_of_kind(word))


def _take_column(table: RollTable, column: str) -> RollTable:
    """Return the table with one of its columns only. Raise NothingFound if it has no such column."""
    if narrowed_table := table.only_column(column):
        return narrowed_table
    names = quote_names(plain_cell_text(name) for name in table.columns)
    where = f"{table.path}:{table.line}"
    raise NothingFound(f"This table has no column '{column}'.", where=where, hint=f"It has {names}.")


def _find_sole_tables(tables: Tables, note: Note) -> list[RollTable]:
    """Return the tables that are all that a note contains, besides headings and their block ids."""
    headings = {heading.line for heading in note.headings}
    lines = enumerate(LINE_END.split(note.body), note.places.line(note.body_start))
    content = [(line, text.strip()) for line, text in lines if line not in headings and text.strip()]
    return [
        table
        for table in tables
        if all(table.line <= line <= table.last_line or text == f"^{table.block_id}" for line, text in content)
    ]


def _block_id_advice(tables: Iterable[RollTable]) -> str:
    """Return advice on how to give a table a name, with the line of the first one without a block id."""
    line = next((table.line for table in tables if not table.block_id), 0)
    return f" To give one a name of its own, add a line ^name below the table in line {line}." if line else ""


def _ambiguity_error(name: str, names: Iterable[str], where: str = "", advice: str = "") -> InvalidError:
    hint = f"Name one of: {quote_names(names)}.{advice}"
    return InvalidError(f"'{name}' may mean several tables.", where=where, hint=hint)
