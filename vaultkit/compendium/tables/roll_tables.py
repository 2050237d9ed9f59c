"""The roll tables of a whole vault: finding a table, rolling on it, and following its links to other tables."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from vaultkit.compendium.tables.dice import Generator, with_rolls
from vaultkit.compendium.tables.rolltable import RollTable, TableRow, refusals, tables_of
from vaultkit.errors import InvalidError, NothingFound, VaultkitError
from vaultkit.figures import whole_number
from vaultkit.sorting import name_order
from vaultkit.spelling import did_you_mean_by
from vaultkit.vault import Link, Note, Vault
from vaultkit.vault.facts import name_of
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.links import split_wikilink
from vaultkit.vault.places import LINE_END
from vaultkit.vault.subpath import find_heading
from vaultkit.vault.tables import block_links

DEPTH = 8
"""The most tables that a roll follows, one after the other."""
MOST_ROLLS = 50
"""The most rolls that one roll may cause in all, itself included."""


@dataclass(frozen=True)
class Roll:
    """A number rolled on a table, its row, and the rolls on the tables to which the row links.

    `text` is the result in plain words, with the totals of its dice, but without the rolls that follow. `cut` says that
    the row links to more tables than are followed.
    """

    table: RollTable
    number: int
    row: TableRow | None
    text: str
    then: tuple["Roll", ...] = ()
    cut: bool = False

    @property
    def chain(self) -> tuple["Roll", ...]:
        """All rolls that followed, in their order."""
        return tuple(later for roll in self.then for later in (roll, *roll.chain))


class RollTables:
    """The roll tables of a vault; each note is read once."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self._of: dict[str, tuple[RollTable, ...]] = {}

    @cached_property
    def all(self) -> tuple[RollTable, ...]:
        """Every roll table of the notes that can be read, in the order of paths."""
        paths = sorted((facts.path for facts in self.vault.note_facts if facts.rolls), key=name_order)
        notes = map(self._note, paths)
        return tuple(table for note in notes if note for table in self.of(note))

    def of(self, note: Note) -> tuple[RollTable, ...]:
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

    def short(self, table: RollTable) -> str:
        """Return the shortest name by which `find` finds the table: its note alone, if it has no other table."""
        return self._first(table, (self._note_name(table), self.name(table)))

    def find(self, name: str) -> RollTable:
        """Return the table that a user names: by note, heading, block id, line or title, or by a note with one table.

        Raise NothingFound with the nearest name, and InvalidError if several are meant.
        """
        note, subpath = self._place(name)
        if note is not None and (subpath or self.of(note)):
            return self._only(self._within(note, subpath), name, note.path, self.of(note))
        if note is not None and (refused := refusals(note)):
            line, why = next(iter(refused.items()))
            raise NothingFound(why, where=f"{note.path}:{line}", hint="What a table needs: vaultkit check")
        wanted = name.strip().lstrip("#^").casefold()
        called = [table for table in self.all if wanted in (table.title.casefold(), table.block_id.casefold())]
        return self._only(called if wanted else [], name, str(self.vault.root), self.all)

    def linked(self, table: RollTable, row: TableRow) -> tuple[RollTable, ...]:
        """Return the tables to which a row leads, each once.

        They are tables that it names by their block ids, the only table below a heading that it links to, and notes
        that contain only a table. A note with more than a table, such as a wand with its effects, is a result.
        """
        cells = " ".join(row.cells)
        by_id = (self._at(path, block_id, table.path) for path, block_id in block_links(cells))
        links = (link for link in table.note.links if link.line == row.line and not link.external)
        inside = (link for link in links if table.note.text[link.start : link.end] in cells)
        meant = {(link.path, link.subpath): link for link in inside}
        by_name = (self._behind(link, table.path) for link in meant.values())
        return tuple(dict.fromkeys(found for found in (*by_id, *by_name) if found is not None))

    def behind(self, link: Link, source: str) -> tuple[RollTable, ...]:
        """Return the tables that a link in the note `source` may mean: the whole note's, or what its subpath names."""
        known = () if link.external else self._led_to(link.path, source)
        return tuple(self._within(known[0].note, link.subpath)) if known else ()

    def roll(self, table: RollTable, rng: Generator) -> Roll:
        """Roll once, and on the tables to which the row leads.

        The rolls are at most MAX_TABLE_DEPTH deep and at most MAX_ROLL_COUNT in all.
        """
        return _Rolling(self, rng).roll(table, 0)

    def _note(self, path: str) -> Note | None:
        found = self.vault.locate(path)
        if found.status == "ambiguous":
            raise _several(path, (str(found.path), *found.others))
        return None if found.path is None else self.vault.read(found.path)

    def _note_name(self, table: RollTable) -> str:
        """Return the name of the table's note, with folders if another file has the name, too."""
        note = name_of(table.path)
        is_alone = self.vault.files.resolve(note, "").path == table.path and len(self.vault.files.named(note)) == 1
        return note if is_alone else table.path.removesuffix(".md")

    def _first(self, table: RollTable, names: Iterable[str]) -> str:
        """Return the first of `names` that means `table` and no other, else its note and line."""
        tried = (*names, f"{self._note_name(table)}:{table.line}")
        return next((name for name in tried if self._is_called(table, name)), f"{table.path}:{table.line}")

    def _is_called(self, table: RollTable, name: str) -> bool:
        try:
            note, subpath = self._place(name)
        except VaultkitError:
            return False
        return note is not None and note.path == table.path and self._within(note, subpath) == [table]

    def _place(self, name: str) -> tuple[Note | None, str]:
        """Return the note that `name` means, and the part after it: `^block-id`, a heading, or a line such as `:9`."""
        for path, subpath in as_files(name.strip()):  # `Log #2.md` is a file, and so is `2^10.md`
            found = self.vault.files.resolve(path, "")
            if found.status == "ok" and found.path and is_note(found.path):
                return self.vault.read(found.path), subpath
        path, subpath = split(name)
        note = self._note(path) if path else None
        path, line = split_line(path)
        return (self._note(path), line) if note is None and line and not subpath else (note, subpath)

    def _within(self, note: Note, subpath: str) -> list[RollTable]:
        found = self.of(note)
        if subpath.startswith(":"):
            return [table for table in found if table.line == whole_number(subpath[1:])]
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
            raise _several(name, [self.name(table) for table in found], where, _advice(found))
        raise NothingFound(f"There is no roll table '{name}'.", where=where, hint=self._hint(name, among))

    def _hint(self, name: str, among: Sequence[RollTable]) -> str:
        known = {word: self.name(table) for table in among for word in (table.title, self.name(table))}
        if near := did_you_mean_by(name.strip(), known, like=70):
            return near
        names = dict.fromkeys(self.name(table) for table in among)
        return f"There is {listed(names)}." if 0 < len(names) <= 4 else "All roll tables: vaultkit roll"

    def _at(self, path: str, block_id: str, source: str) -> RollTable | None:
        known = self._led_to(path, source)
        return next((table for table in known if table.block_id.lower() == block_id.lower()), None)

    def _behind(self, link: Link, source: str) -> RollTable | None:
        """Return the one table below the heading that a link names, or of a note that contains only a table."""
        known = self._led_to(link.path, source)
        if not known or link.subpath.startswith("^"):
            return None
        note = known[0].note
        found = self._within(note, link.subpath) if link.subpath else [one for one in known if _is_all(one, note)]
        return found[0] if len(found) == 1 else None

    def _led_to(self, path: str, source: str) -> tuple[RollTable, ...]:
        """Return the tables of the note to which a link in the note `source` leads."""
        try:
            found = self.vault.files.resolve(path, source).path
            return self.of(self.vault.read(found)) if found and is_note(found) else ()
        except VaultkitError:
            return ()


class _Rolling:
    """One roll with all that follows, with a limit, so that tables that lead to each other come to an end."""

    def __init__(self, known: RollTables, rng: Generator) -> None:
        self._known = known
        self._rng = rng
        self._left = MOST_ROLLS

    def roll(self, table: RollTable, depth: int) -> Roll:
        self._left -= 1
        number = table.dice.roll(self._rng)
        row = table.row(number)
        text = table.text(row, partial(with_rolls, rng=self._rng)) if row else f"{number} is in no row."
        following = self._known.linked(table, row) if row else ()
        then = []
        for other in following if depth < DEPTH else ():
            if self._left:
                then.append(self.roll(other, depth + 1))
        return Roll(table, number, row, text, tuple(then), len(then) < len(following))


def _line_above(note: Note, line: int) -> int:
    """Return the line of the last heading above a line, or 0 if there is none."""
    return max((heading.line for heading in note.headings if heading.line < line), default=0)


def _is_all(table: RollTable, note: Note) -> bool:
    """Return whether a note has nothing but headings and the table, with its block id."""
    headings = {heading.line for heading in note.headings}
    lines = enumerate(LINE_END.split(note.body), note.places.line(note.body_start))
    others = (text for line, text in lines if line not in headings and not table.line <= line <= table.end)
    return not any(text.strip() and text.strip() != f"^{table.block_id}" for text in others)


def _advice(found: Iterable[RollTable]) -> str:
    """Return advice on how to give a table a name, with the line of the first one without a block id."""
    line = next((table.line for table in found if not table.block_id), 0)
    return f" To give one a name of its own, add a line ^name below the table in line {line}." if line else ""


def _several(name: str, found: Iterable[str], where: str = "", advice: str = "") -> InvalidError:
    hint = f"Name one of: {listed(found)}.{advice}"
    return InvalidError(f"'{name}' may mean several tables.", where=where, hint=hint)


_LINE = re.compile(r"(?P<path>.+)(?P<line>:[0-9]{1,7})", re.DOTALL)


def split(name: str) -> tuple[str, str]:
    """Return the note and subpath in a user's text; the subpath is a heading, `^block-id`, or `:9` for a line."""
    _, path, subpath = split_wikilink(name.strip().removeprefix("[[").removesuffix("]]"))
    if not subpath:
        path, caret, block_id = path.partition("^")
        subpath = f"{caret}{block_id}"
    return path.strip(), subpath


def split_line(path: str) -> tuple[str, str]:
    """Return a note and its line, such as `:9`, or "" for a name without a line."""
    match = _LINE.fullmatch(path)
    return (match["path"], match["line"]) if match else (path, "")


def as_files(name: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to read a name as a file's path and a subpath, the longest path first."""
    yield name, ""
    if split_line(name)[1]:
        yield split_line(name)
    for sign in reversed([*re.finditer("#", name)]):
        yield name[: sign.start()], name[sign.end() :].partition("|")[0].strip()


def listed(names: Iterable[str]) -> str:
    """Return names in quotes, separated by commas; of ten or more, the first nine."""
    first, *more = quoted = [f"'{name}'" for name in names]
    return ", ".join(quoted) if len(more) < 10 else ", ".join([first, *more[:8], "and more"])
