"""Tables of a note, in Markdown or HTML, cell by cell."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath

import msgspec

from vaultkit.vault import markdown
from vaultkit.vault.links import split_destination, split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.structure import elements

_ID = r"\^(?P<id>[A-Za-z0-9-]+)[ \t]*"
_BELOW = re.compile(rf"[ \t>\r\n]*+{_ID}(?=[\r\n]|\Z)")
"""A block id on a line of its own, perhaps after blank lines; within a quote each line begins with `>`."""
_LINK = re.compile(
    r"\[\[(?P<wiki>[^\[\]\r\n]+)\]\]"
    r"|\[(?P<text>[^\[\]\r\n]*)\]\((?:<(?P<angled>[^<>\r\n]*)>|(?P<bare>(?:[^()<>\r\n]|\([^()\r\n]*\))*))\)"
)
_DICE_CODE = re.compile(r"`dice(?:[+-]|-[a-z]+)?:[ \t]*(?P<rolled>[^`]*)`(?:[ \t]*\(`[^`]*`\))?")
"""The code of a dice roller. The converter repeats the dice after it, for reading."""
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
"""A line break within a cell."""
DIE = re.compile(r"[dD][0-9%]")
"""A die somewhere in a table's header."""
_DIE_IN_CELL = re.compile(r"<t[hd][^<>]{0,200}>[^<>]{0,40}[dD][0-9%]", re.IGNORECASE)
_RULE = re.compile(r"\n[ \t>]*+(?:\|[ \t]*+:?-|:?-++:?[ \t]*+\|)")
"""The second line of a table. It begins with one fixed character, which Python searches faster than a set."""
_MAX_HEADER_CHARS = 1000
_KINDS = frozenset({"Table", "TableHead", "TableRow", "TableCell"})
_AT_END = re.compile(rf"[|\t ]{_ID}[\r\n]*\Z")


class Row(msgspec.Struct, frozen=True):
    """The cells of a row as written, trimmed, and its line from 1."""

    cells: tuple[str, ...]
    line: int


class TableBlock(msgspec.Struct, frozen=True):
    """A table: its header, its rows, its start in the text of the note, and its block id, "" if it has none.

    The id is below the table, directly or after a blank line, or at the end of the last row (S5). It is as written,
    without `^`.
    """

    header: Row
    rows: tuple[Row, ...]
    start: int
    block_id: str = ""


def tables(note: Note) -> tuple[TableBlock, ...]:
    """Return the Markdown tables of a note, top to bottom."""
    table_parts: list[tuple[int, int, list[tuple[int, list[str]]]]] = []
    for kind, start, end in elements(note.body, note.body_start, _KINDS):
        if kind == "Table":
            table_parts.append((start, end, []))
        elif kind == "TableCell":
            table_parts[-1][2][-1][1].append(note.text[start:end].strip())
        else:
            table_parts[-1][2].append((note.places.line(start), []))
    return tuple(_block(note, start, end, _rows(rows)) for start, end, rows in table_parts)


@lru_cache(maxsize=4)
def all_tables(note: Note) -> tuple[TableBlock, ...]:
    """Return all tables of a note, HTML tables included, top to bottom."""
    if "<table" not in note.text.lower():
        return tables(note)
    from vaultkit.vault.html_tables import html_tables

    html_blocks = [_block(note, table.start, table.end, _rows(table.rows)) for table in html_tables(note)]
    return tuple(sorted((*tables(note), *html_blocks), key=lambda block: block.start))


def _rows(rows: list[tuple[int, list[str]]]) -> list[Row]:
    return [Row(tuple(cells), line) for line, cells in rows]


def cell_words(cell: str) -> str:
    """Return the text of a cell without Markdown; a link to a block without text becomes the name of its note."""
    text = _LINK.sub(_link_label, BREAK.sub(" ", _DICE_CODE.sub(_dice_target, cell)))
    nodes = [node for node in markdown.parse(f"| |\n|-|\n| {text} |").walk() if node.kind == "TableCell"]
    return " ".join((nodes[-1].words() if len(nodes) > 1 else text).split())


def block_links(cell: str) -> Iterator[tuple[str, str]]:
    """Yield path and block id of each link to a block, also in the dice roller's own syntax (S5)."""
    return (target for link in _LINK.finditer(cell) if (target := _block_target(link)))


def _block(note: Note, start: int, end: int, rows: list[Row]) -> TableBlock:
    header, *below = rows
    below, block_id = _split_block_id(below)
    match = _AT_END.search(note.text, start, end) or _BELOW.match(note.text, end)
    return TableBlock(header, tuple(below), start, block_id or (match["id"] if match else ""))


def _split_block_id(rows: list[Row]) -> tuple[list[Row], str]:
    """Return the rows, and the block id directly below them, which Markdown parses as another row."""
    for number, row in enumerate(rows):
        match = re.fullmatch(_ID, row.cells[0]) if row.cells and not any(row.cells[1:]) else None
        if match:
            return rows[:number], match["id"]
    return rows, ""


def _dice_target(code: re.Match[str]) -> str:
    """Return the dice or the link in a dice roller's code, without display options."""
    rolled = code["rolled"]
    return rolled if "[" in rolled else re.split(r"\\?\|", rolled)[0]


def _link_label(link: re.Match[str]) -> str:
    """Return the text of a link to a block, else the name of its note; return other links unchanged."""
    target = _block_target(link)
    if target is None:
        return link[0]
    path, block_id = target
    text = link["text"] if link["wiki"] is None else link["wiki"].partition("|")[2]
    return text or PurePosixPath(path).name.removesuffix(".md") or block_id


def _block_target(link: re.Match[str]) -> tuple[str, str] | None:
    if link["wiki"] is not None:
        _, path, subpath = split_wikilink(link["wiki"])
    else:
        path, subpath = split_destination(link["angled"] or link["bare"] or "")
    if not subpath:
        path, caret, block_id = path.partition("^")  # dice rollers accept links without the `#`
        return (path.strip(), block_id.strip()) if caret else None
    return (path, subpath[1:]) if subpath.startswith("^") else None


@lru_cache(maxsize=4)  # several checks in turn need it for one note
def may_have_rolls(note: Note) -> bool:
    """Return whether a table may have a die in its header, above a delimiter row or in a cell of HTML."""
    text = note.text
    if "<" in text and "<t" in text and _DIE_IN_CELL.search(text):
        return True
    return any(DIE.search(text, *_line_before(text, rule)) for rule in rules(text))


def rules(text: str, start: int = 0) -> Iterator[int]:
    """Yield the offsets of line breaks after which the second line of a table may follow."""
    if "|" in text:
        yield from (rule.start() for rule in _RULE.finditer(text.replace("\r", "\n"), start))


def _line_before(text: str, end: int) -> tuple[int, int]:
    """Return the extent of the line that ends at `end`."""
    if text.startswith("\n", end) and text.startswith("\r", end - 1):
        end -= 1
    start = max(0, end - _MAX_HEADER_CHARS)
    return max(start, text.rfind("\n", start, end), text.rfind("\r", start, end)), end
