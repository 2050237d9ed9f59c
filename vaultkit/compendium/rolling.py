"""Finding and rolling: the roll tables of a whole vault, and where their rows send a roll on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from vaultkit.compendium.dice import Generator
from vaultkit.compendium.rolltable import RollTable, TableRow, tables_of
from vaultkit.errors import InvalidError, NothingFound, VaultkitError
from vaultkit.vault import Note, Vault
from vaultkit.vault.links import split_wikilink
from vaultkit.vault.subpath import find_heading
from vaultkit.vault.tables import block_links

DEPTH = 8
"""So many tables may send a roll on, one after the other."""
MOST_ROLLS = 50
"""So many rolls may come of one, all told."""


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

    def short(self, table: RollTable) -> str:
        """The shortest that `find` knows the table by: its note alone, if that has no other table."""
        name = self.name(table)
        alone = len(self.of(self.vault.read(table.path))) == 1
        return name.removesuffix(f"#{table.subpath}") if alone else name

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


def _split(name: str) -> tuple[str, str]:
    """Note and subpath of what a person names, `Note^id` without `#` included."""
    _, path, subpath = split_wikilink(name.strip().removeprefix("[[").removesuffix("]]"))
    if not subpath:
        path, caret, block_id = path.partition("^")
        subpath = f"{caret}{block_id}"
    return path.strip(), subpath


def _line_above(note: Note, line: int) -> int:
    """The line of the last heading above a line, 0 if there is none."""
    return max((heading.line for heading in note.headings if heading.line < line), default=0)


def _several(name: str, found: Iterable[str], where: str = "") -> InvalidError:
    return InvalidError(f"'{name}' may mean several tables.", where=where, hint=f"Name one of: {_listed(found)}")


def _listed(names: Iterable[str]) -> str:
    first, *more = quoted = [f"'{name}'" for name in names]
    return ", ".join(quoted) if len(more) < 10 else ", ".join([first, *more[:8], "and more"])
