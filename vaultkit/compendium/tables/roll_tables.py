"""The roll tables of a whole vault: finding a table, rolling on it, and following its links to other tables."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from vaultkit.compendium.tables.dice import Generator, insert_rolls
from vaultkit.compendium.tables.roll_table import RollTable, TableRow, refusals, tables_of
from vaultkit.errors import InvalidError, NothingFound, VaultkitError
from vaultkit.spelling import did_you_mean_by
from vaultkit.text import name_sort_key, parse_whole_number
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import split_wikilink
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.subpath import find_heading
from vaultkit.vault.tables import block_links
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
        return tuple(later for roll in self.then for later in (roll, *roll.chain))


class RollTables:
    """The roll tables of a vault; each note is read once."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self._of: dict[str, tuple[RollTable, ...]] = {}

    @cached_property
    def all(self) -> tuple[RollTable, ...]:
        """Every roll table of the notes that can be read, in the order of paths."""
        paths = sorted((facts.path for facts in self.vault.note_facts if facts.rolls), key=name_sort_key)
        notes = map(self._note, paths)
        return tuple(table for note in notes if note for table in self.tables_in(note))

    def tables_in(self, note: Note) -> tuple[RollTable, ...]:
        """Return the roll tables of a note, from a cache."""
        if note.path not in self._of:
            self._of[note.path] = tables_of(note)
        return self._of[note.path]

    def name(self, table: RollTable) -> str:
        """Return a name by which `find` finds the table: `Note#^block-id`, `Note#Heading`, or `Note:9` with its line.

        The note has its folders if they are needed.
        """
        note = self._note_name(table)
        alone = () if table.subpaths else (note,)
        return self._first(table, (*alone, *(f"{note}#{subpath}" for subpath in table.subpaths)))

    def short_name(self, table: RollTable) -> str:
        """Return the shortest name by which `find` finds the table: its note alone, if it has no other table."""
        return self._first(table, (self._note_name(table), self.name(table)))

    def find(self, name: str) -> RollTable:
        """Return the table that a user names: by note, heading, block id, line or title, or by a note with one table.

        Raise NothingFound with the nearest name, and InvalidError if several are meant.
        """
        note, subpath = self._place(name)
        if note is not None and (subpath or self.tables_in(note)):
            return self._require_one(self._tables_within(note, subpath), name, note.path, self.tables_in(note))
        if note is not None and (reasons := refusals(note)):
            line, why = next(iter(reasons.items()))
            raise NothingFound(why, where=f"{note.path}:{line}", hint="What a table needs: vaultkit check")
        folded_name = name.strip().lstrip("#^").casefold()
        matches = [table for table in self.all if folded_name in (table.title.casefold(), table.block_id.casefold())]
        return self._require_one(matches if folded_name else [], name, str(self.vault.root), self.all)

    def linked_tables(self, table: RollTable, row: TableRow) -> tuple[RollTable, ...]:
        """Return the tables to which a row leads, each once.

        They are tables that it names by their block ids, the only table below a heading that it links to, and notes
        that contain only a table. A note with more than a table, such as a wand with its effects, is a result.
        """
        cells = " ".join(row.cells)
        by_id = (self._find_by_id(path, block_id, table.path) for path, block_id in block_links(cells))
        links = (link for link in table.note.links if link.line == row.line and not link.external)
        inside = (link for link in links if table.note.text[link.start : link.end] in cells)
        links_by_target = {(link.path, link.subpath): link for link in inside}
        by_name = (self._find_by_link(link, table.path) for link in links_by_target.values())
        return tuple(dict.fromkeys(target_table for target_table in (*by_id, *by_name) if target_table is not None))

    def tables_at(self, link: Link, source: str) -> tuple[RollTable, ...]:
        """Return the tables that a link in the note `source` may mean: the whole note's, or what its subpath names."""
        tables = () if link.external else self._tables_of_target(link.path, source)
        return tuple(self._tables_within(tables[0].note, link.subpath)) if tables else ()

    def roll(self, table: RollTable, rng: Generator) -> Roll:
        """Roll once, and on the tables to which the row leads.

        The rolls are at most MAX_TABLE_DEPTH deep and at most MAX_ROLL_COUNT in all.
        """
        return _RollChain(self, rng).roll(table, 0)

    def _note(self, path: str) -> Note | None:
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

    def _first(self, table: RollTable, names: Iterable[str]) -> str:
        """Return the first of `names` that means `table` and no other, else its note and line."""
        candidates = (*names, f"{self._note_name(table)}:{table.line}")
        return next((name for name in candidates if self._is_called(table, name)), f"{table.path}:{table.line}")

    def _is_called(self, table: RollTable, name: str) -> bool:
        try:
            note, subpath = self._place(name)
        except VaultkitError:
            return False
        return note is not None and note.path == table.path and self._tables_within(note, subpath) == [table]

    def _place(self, name: str) -> tuple[Note | None, str]:
        """Return the note that `name` means, and the part after it: `^block-id`, a heading, or a line such as `:9`."""
        for path, subpath in as_files(name.strip()):  # `Log #2.md` is a file, and so is `2^10.md`
            target = self.vault.files.resolve(path, "")
            if target.status == "ok" and target.path and is_note(target.path):
                return self.vault.read(target.path), subpath
        path, subpath = split_name(name)
        note = self._note(path) if path else None
        path, line = split_line(path)
        return (self._note(path), line) if note is None and line and not subpath else (note, subpath)

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
        below = [table for table in tables if heading.line < table.line <= note.places.line(end - 1)]
        direct = [table for table in below if _line_above(note, table.line) == heading.line]
        return direct or below

    def _require_one(
        self, matches: Sequence[RollTable], name: str, where: str, among: Sequence[RollTable]
    ) -> RollTable:
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise _ambiguity_error(name, [self.name(table) for table in matches], where, _advice(matches))
        raise NothingFound(f"There is no roll table '{name}'.", where=where, hint=self._hint(name, among))

    def _hint(self, name: str, among: Sequence[RollTable]) -> str:
        names_by_word = {word: self.name(table) for table in among for word in (table.title, self.name(table))}
        if near := did_you_mean_by(name.strip(), names_by_word, min_score=70):
            return near
        names = dict.fromkeys(self.name(table) for table in among)
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
            else [table for table in tables if _is_whole_note(table, note)]
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
        self._known = roll_tables
        self._rng = rng
        self._left = MAX_ROLL_COUNT

    def roll(self, table: RollTable, depth: int) -> Roll:
        self._left -= 1
        number = table.dice.roll(self._rng)
        row = table.row(number)
        text = table.text(row, partial(insert_rolls, rng=self._rng)) if row else f"{number} is in no row."
        following = self._known.linked_tables(table, row) if row else ()
        then = []
        for other in following if depth < MAX_TABLE_DEPTH else ():
            if self._left:
                then.append(self.roll(other, depth + 1))
        return Roll(table, number, row, text, tuple(then), len(then) < len(following))


def _line_above(note: Note, line: int) -> int:
    """Return the line of the last heading above a line, or 0 if there is none."""
    return max((heading.line for heading in note.headings if heading.line < line), default=0)


def _is_whole_note(table: RollTable, note: Note) -> bool:
    """Return whether a note contains nothing but headings and the table with its block id."""
    headings = {heading.line for heading in note.headings}
    lines = enumerate(LINE_END.split(note.body), note.places.line(note.body_start))
    others = (text for line, text in lines if line not in headings and not table.line <= line <= table.end)
    return not any(text.strip() and text.strip() != f"^{table.block_id}" for text in others)


def _advice(tables: Iterable[RollTable]) -> str:
    """Return advice on how to give a table a name, with the line of the first one without a block id."""
    line = next((table.line for table in tables if not table.block_id), 0)
    return f" To give one a name of its own, add a line ^name below the table in line {line}." if line else ""


def _ambiguity_error(name: str, names: Iterable[str], where: str = "", advice: str = "") -> InvalidError:
    hint = f"Name one of: {quote_names(names)}.{advice}"
    return InvalidError(f"'{name}' may mean several tables.", where=where, hint=hint)


_LINE = re.compile(r"(?P<path>.+)(?P<line>:[0-9]{1,7})", re.DOTALL)


def split_name(name: str) -> tuple[str, str]:
    """Split a table's name from a user into note and subpath: a heading, `^block-id`, or `:9` for a line."""
    _, path, subpath = split_wikilink(name.strip().removeprefix("[[").removesuffix("]]"))
    if not subpath:
        path, caret, block_id = path.partition("^")
        subpath = f"{caret}{block_id}"
    return path.strip(), subpath


def split_line(path: str) -> tuple[str, str]:
    """Split a name such as `Note:9` into the note and its line, `:9`; the line is "" if the name has none."""
    match = _LINE.fullmatch(path)
    return (match["path"], match["line"]) if match else (path, "")


def as_files(name: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to read a name as a file's path and a subpath, the longest path first."""
    yield name, ""
    if split_line(name)[1]:
        yield split_line(name)
    for sign in reversed([*re.finditer("#", name)]):
        yield name[: sign.start()], name[sign.end() :].partition("|")[0].strip()


def quote_names(names: Iterable[str]) -> str:
    """Return names in quotes, separated by commas; of ten or more, the first nine."""
    first, *more = quoted_names = [f"'{name}'" for name in names]
    return ", ".join(quoted_names) if len(more) < 10 else ", ".join([first, *more[:8], "and more"])
