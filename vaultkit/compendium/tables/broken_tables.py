"""Texts that are meant as roll tables and are no tables, since the line below the header is wrong or missing."""

import re
from collections.abc import Collection, Iterator

from vaultkit.compendium.tables.roll_table import RefusedTable
from vaultkit.vault import Note
from vaultkit.vault.structure import elements
from vaultkit.vault.table_heads import is_bare_die, is_roll_word
from vaultkit.vault.tables import plain_cell_text
from vaultkit.vault.text_positions import LINE_END

_PIPE = re.compile(r"(?<!\\)\|")
_DELIMITER_LINE = re.compile(r"[|: \t-]*-[|: \t-]*")
_NUMBERED_ROW = re.compile(r"\|?\W{0,4}[0-9]{1,7}[^|]{0,20}\|")
_VERBATIM_ELEMENTS = frozenset({"CodeBlock", "HtmlBlock"})


def find_broken_tables(note: Note, row_lines: Collection[int]) -> Iterator[RefusedTable]:
    """Yield the headers with a die below which no table is; `row_lines` are the lines of all rows of tables."""
    lines = [line.strip(" \t>") for line in LINE_END.split(note.text)]
    for number, line in enumerate(lines, 1):
        if "|" not in line or number in row_lines or not _names_die(line):
            continue
        start = note.places.start(number)
        fault = _find_fault(line, [*lines[number : number + 2], "", ""])
        if fault and not any(first <= start < end for first, end in _verbatim_spans(note)):
            yield RefusedTable(note, number, start, reason=f"This table cannot be rolled: {fault[0]}.", hint=fault[1])


def _verbatim_spans(note: Note) -> Iterator[tuple[int, int]]:
    return ((start, end) for _, start, end in elements(note.body, note.body_start, _VERBATIM_ELEMENTS))


def _names_die(line: str) -> bool:
    """Return whether a line has several cells, of which the first one names a die or says that something is rolled."""
    cells = _split_cells(line)
    head = plain_cell_text(cells[0]) if len(cells) > 1 and len(cells[0]) < len(line) else ""
    return is_bare_die(head) or is_roll_word(head)


def _split_cells(line: str) -> list[str]:
    return [cell.strip() for cell in _PIPE.split(line.removeprefix("|").removesuffix("|"))]


def _find_fault(header: str, below: list[str]) -> tuple[str, str] | None:
    """Return why a header begins no table and what to write, or None if it is not meant to; `below` are two lines."""
    width, rule = len(_split_cells(header)), "|---" * len(_split_cells(header)) + "|"
    if _NUMBERED_ROW.match(below[0]):
        return f"it has no line {rule} below its header", f"Add {rule} below the header."
    if not below[0] and "|" in below[1] and _DELIMITER_LINE.fullmatch(below[1]):
        return "a blank line divides its header from the line below", "Delete the blank line."
    if "|" in below[0] and _DELIMITER_LINE.fullmatch(below[0]) and len(_split_cells(below[0])) != width:
        return f"the line below its header has not the header's {width} columns", f"Write {rule} there."
    return None
