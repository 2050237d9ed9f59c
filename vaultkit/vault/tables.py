"""Markdown tables of a note, cell by cell."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vaultkit.vault.note import Note
from vaultkit.vault.places import TextOffsets
from vaultkit.vault.structure import events


@dataclass(frozen=True, slots=True)
class Row:
    """Cells as written, trimmed, and the line from 1."""

    cells: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table: its header, its rows, and where it starts in the note's text."""

    header: Row
    rows: tuple[Row, ...]
    start: int


def tables(note: Note) -> tuple[TableBlock, ...]:
    """Every table of a note, top to bottom."""
    reader = _Reader(note)
    for event, span in events(note.body):
        if isinstance(event, dict) and "End" in event:
            reader.take(event["End"], span)
    return tuple(reader.tables)


class _Reader:
    """Builds tables from the inside out: cells, then the rows that they make, then the table."""

    def __init__(self, note: Note) -> None:
        self.tables: list[TableBlock] = []
        self._note = note
        self._offset = TextOffsets(note.body, note.body_start)
        self._rows: list[Row] = []
        self._cells: list[str] = []

    def take(self, ended: Any, span: Mapping[str, int]) -> None:
        start = self._offset(span["start"])
        if ended == "TableCell":
            self._cells.append(self._note.text[start : self._offset(span["end"])].strip())
        elif ended in ("TableHead", "TableRow"):
            self._rows.append(Row(tuple(self._cells), self._note.places.line(start)))
            self._cells = []
        elif ended == "Table":
            header, *rows = self._rows
            self.tables.append(TableBlock(header, tuple(rows), start))
            self._rows = []
