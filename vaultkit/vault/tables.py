"""A parser for the tables of a note, in Markdown or HTML, and for the text and links of their cells."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

import msgspec

from vaultkit.vault import markdown
from vaultkit.vault.dialect import elements
from vaultkit.vault.links import split_destination, split_wikilink
from vaultkit.vault.note import Note

_BLOCK_ID = r"\^(?P<id>[A-Za-z0-9-]+)[ \t]*"
_BLOCK_ID_BELOW = re.compile(rf"[ \t>\r\n]*+{_BLOCK_ID}(?=[\r\n]|\Z)")
"""A block id on a line of its own below a table, perhaps after blank lines; in a quote each line begins with `>`."""
_LINK = re.compile(
    r"\[\[(?P<wiki>[^\[\]\r\n]+)\]\]"
    r"|\[(?P<text>[^\[\]\r\n]*)\]\((?:<(?P<angled>[^<>\r\n]*)>|(?P<bare>(?:[^()<>\r\n]|\([^()\r\n]*\))*))\)"
)
_DICE_CODE = re.compile(r"`dice(?:[+-]|-[a-z]+)?:[ \t]*(?P<rolled>[^`]*)`(?:[ \t]*\(`[^`]*`\))?")
"""A roll in the inline code of a dice roller. The converter repeats the dice behind it, for reading."""
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
"""A line break within a cell."""
DIE = re.compile(r"[dD][0-9%]")
"""A die, such as `d20` or `d%`."""
_DIE_IN_CELL = re.compile(r"<t[hd][^<>]{0,200}>[^<>]{0,40}[dD][0-9%]", re.IGNORECASE)
"""A die near the beginning of a cell of an HTML table."""
_DELIMITER_ROW = re.compile(r"\n[ \t>]*+(?:\|[ \t]*+:?-|:?-++:?[ \t]*+\|)")
"""A line break and the start of a delimiter row, the second line of a Markdown table, such as `| --- |`.

The pattern begins with one fixed character, which Python searches faster than a set.
"""
_MAX_HEADER_CHARS = 1000
"""The maximum length of a header that is searched for a die."""
_TABLE_ELEMENTS = frozenset({"Table", "TableHead", "TableRow", "TableCell"})
_BLOCK_ID_AT_END = re.compile(rf"[|\t ]{_BLOCK_ID}[\r\n]*\Z")
"""A block id at the end of the last row of a table."""


class Row(msgspec.Struct, frozen=True):
    """A row of a table: its cells as they are written, without space around them, and its line in the note, from 1."""

    cells: tuple[str, ...]
    line: int


class TableBlock(msgspec.Struct, frozen=True):
    """A table: its header, the rows below the header, and the offset of its start in the text of the note.

    `block_id` is its block id without `^`, "" if it has none. The id is written below the table, directly or after a
    blank line, or at the end of the last row (S5).
    """

    header: Row
    rows: tuple[Row, ...]
    start: int
    block_id: str = ""


def markdown_tables(note: Note) -> tuple[TableBlock, ...]:
    """Return the Markdown tables of a note, top to bottom."""
    # For each table its start, its end and its rows; for each row its line and its cells.
    table_parts: list[tuple[int, int, list[tuple[int, list[str]]]]] = []
    for kind, start, end in elements(note.body, note.body_start, _TABLE_ELEMENTS):
        if kind == "Table":
            table_parts.append((start, end, []))
        elif kind == "TableCell":
            table_parts[-1][2][-1][1].append(note.text[start:end].strip())
        else:
            table_parts[-1][2].append((note.places.line(start), []))
    return tuple(_build_table_block(note, start, end, _build_rows(rows)) for start, end, rows in table_parts)


@lru_cache(maxsize=4)
def all_tables(note: Note) -> tuple[TableBlock, ...]:
    """Return all tables of a note, in Markdown and in HTML, top to bottom."""
    if "<table" not in note.text.lower():
        return markdown_tables(note)
    from vaultkit.vault.html_tables import find_html_tables

    html_blocks = [
        _build_table_block(note, table.start, table.end, _build_rows(table.rows)) for table in find_html_tables(note)
    ]
    return tuple(sorted((*markdown_tables(note), *html_blocks), key=lambda block: block.start))


def _build_rows(rows: list[tuple[int, list[str]]]) -> list[Row]:
    return [Row(tuple(cells), line) for line, cells in rows]


def plain_cell_text(cell: str) -> str:
    """Return the text of a cell without Markdown.

    A link to a block becomes its text or, if it has none, the name of the note that it leads to.
    """
    text = _LINK.sub(_link_label, BREAK.sub(" ", _DICE_CODE.sub(_dice_target, cell)))
    nodes = [node for node in markdown.parse(f"| |\n|-|\n| {text} |").walk() if node.kind == "TableCell"]
    return " ".join((nodes[-1].words() if len(nodes) > 1 else text).split())


def block_link_targets(cell: str) -> Iterator[tuple[str, str]]:
    """Return an iterator over the path and block id of each link to a block, also in a dice roller's syntax (S5)."""
    return (target for link in _LINK.finditer(cell) if (target := _block_target(link)))


def _build_table_block(note: Note, start: int, end: int, rows: list[Row]) -> TableBlock:
    """Return the table between two offsets of a note, with `rows` that begin with the header, and its block id."""
    header, *body_rows = rows
    body_rows, block_id = _split_block_id(body_rows)
    match = _BLOCK_ID_AT_END.search(note.text, start, end) or _BLOCK_ID_BELOW.match(note.text, end)
    return TableBlock(header, tuple(body_rows), start, block_id or (match["id"] if match else ""))


def _split_block_id(rows: list[Row]) -> tuple[list[Row], str]:
    """Return the rows of a table before its block id, and the block id, or all rows and "" if there is none.

    Markdown parses a block id directly below a table as another row.
    """
    for number, row in enumerate(rows):
        match = re.fullmatch(_BLOCK_ID, row.cells[0]) if row.cells and not any(row.cells[1:]) else None
        if match:
            return rows[:number], match["id"]
    return rows, ""


def _dice_target(code: re.Match[str]) -> str:
    """Return the dice or the link to roll on in a dice roller's code, without display options."""
    rolled = code["rolled"]
    return rolled if "[" in rolled else re.split(r"\\?\|", rolled)[0]


def _link_label(link: re.Match[str]) -> str:
    """Return the words to show for a link to a block: its text, else the name of its note; other links unchanged."""
    target = _block_target(link)
    if target is None:
        return link[0]
    path, block_id = target
    text = link["text"] if link["wiki"] is None else link["wiki"].partition("|")[2]
    return text or PurePosixPath(path).name.removesuffix(".md") or block_id


def _block_target(link: re.Match[str]) -> tuple[str, str] | None:
    """Return the path and the block id of a link to a block, or None for any other link."""
    if link["wiki"] is not None:
        _, path, subpath = split_wikilink(link["wiki"])
    else:
        path, subpath = split_destination(link["angled"] or link["bare"] or "")
    if not subpath:
        path, caret, block_id = path.partition("^")  # dice rollers accept links without the `#`
        return (path.strip(), block_id.strip()) if caret else None
    return (path, subpath[1:]) if subpath.startswith("^") else None


@lru_cache(maxsize=4)  # several checks in turn need it for one note
def may_have_roll_tables(note: Note) -> bool:
    """Return whether the note may have a table to roll on: one with a die in its header.

    This is a quick search of the lines above delimiter rows and of HTML cells; it may say yes for other tables.
    """
    text = note.text
    if "<" in text and "<t" in text and _DIE_IN_CELL.search(text):
        return True
    return any(DIE.search(text, *_line_before(text, rule)) for rule in delimiter_row_breaks(text))


def delimiter_row_breaks(text: str, start: int = 0) -> Iterator[int]:
    """Yield the offset of each line break behind which a delimiter row, the second line of a table, may follow."""
    if "|" in text:
        yield from (rule.start() for rule in _DELIMITER_ROW.finditer(text.replace("\r", "\n"), start))


def _line_before(text: str, end: int) -> tuple[int, int]:
    """Return the start and end offsets of the line that ends at the line break `end`; of a long line, its last part."""
    if text.startswith("\n", end) and text.startswith("\r", end - 1):
        end -= 1
    start = max(0, end - _MAX_HEADER_CHARS)
    return max(start, text.rfind("\n", start, end), text.rfind("\r", start, end)), end
