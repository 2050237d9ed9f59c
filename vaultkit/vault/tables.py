"""A parser for the tables of a note, in Markdown or HTML, and for the text and links of their cells."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import PurePosixPath
from typing import NamedTuple

import msgspec

from vaultkit.vault import markdown
from vaultkit.vault.dialect import elements
from vaultkit.vault.links import split_destination, split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.table_heads import DIE, mentions_roll, split_at_heads

_BLOCK_ID = r"\^(?P<id>[A-Za-z0-9-]+)[ \t]*"
_BLOCK_ID_BELOW = re.compile(rf"[ \t>\r\n]*+{_BLOCK_ID}(?=[\r\n]|\Z)")
"""A block id on a line of its own below a table, perhaps after blank lines; in a quote each line begins with `>`."""
_LINK = re.compile(
    r"\[\[(?P<wiki>[^\[\]\r\n]+)\]\]"
    r"|\[(?P<text>[^\[\]\r\n]*)\]\((?:<(?P<angled>[^<>\r\n]*)>|(?P<bare>(?:[^()<>\r\n]|\([^()\r\n]*\))*))\)"
)
_DICE_CODE = re.compile(r"`dice(?:[+-]|-[a-z]+)?:[ \t]*(?P<rolled>[^`]*)`(?:[ \t]*\(`[^`]*`\))?")
"""A roll in the inline code of a dice roller. The converter repeats the dice behind it, for reading."""
_DICE_CODE_OR_LINK = re.compile(f"{_DICE_CODE.pattern}|{_LINK.pattern}")
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
"""A line break within a cell."""
_DIE_IN_CELL = re.compile(rf"<t[hd][^<>]{{0,200}}>[^<>]{{0,40}}(?:{DIE.pattern})", re.IGNORECASE)
"""A die near the beginning of a cell of an HTML table."""
_FIRST_ROW = re.compile(r"\n[ \t>|*+_\[`-]*+0{0,3}1(?![0-9])")
"""A line break, and the beginning of a list item or a row with the number 1."""
_ITEM_MARK = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?")
_LIST_ELEMENTS = frozenset({"List", "Item"})
_DELIMITER_ROW = re.compile(r"\n[ \t>]*+(?:\|[ \t]*+:?-|:?-++:?[ \t]*+\|)")
"""A line break and the start of a delimiter row, the second line of a Markdown table, such as `| --- |`.

The pattern begins with one fixed character, which Python searches faster than a set.
"""
_MAX_HEADER_CHARS = 1000
"""The maximum length of a header that is searched for a die."""
_DISPLAY_OPTION = re.compile(r"(?:no)?(?:dice|form|render|paren)|avg|none|text\(.*\)|round|ceil|floor|signed")
"""An option of a dice roller's code that changes only what is shown."""
_TABLE_ELEMENTS = frozenset({"Table", "TableHead", "TableRow", "TableCell"})
_BLOCK_ID_IN_ITEM = re.compile(rf"[\r\n][ \t>]*+{_BLOCK_ID}[\r\n]*\Z")
"""A block id on the last line of a list, which belongs to the list."""
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
    """Return the Markdown tables of a note, top to bottom; one with several heads is several tables."""
    tables: list[tuple[int, int, list[tuple[int, list[str]]]]] = []
    for kind, start, end in elements(note.body, note.body_start, _TABLE_ELEMENTS):
        if kind == "Table":
            tables.append((start, end, []))
        elif kind == "TableCell":
            tables[-1][2][-1][1].append(note.text[start:end].strip())
        else:
            tables[-1][2].append((note.places.line(start), []))
    return tuple(block for table in tables for block in _build_table_blocks(note, *table))


@lru_cache(maxsize=4)
def all_tables(note: Note) -> tuple[TableBlock, ...]:
    """Return all tables of a note, in Markdown and in HTML, top to bottom."""
    if "<table" not in note.text.lower():
        return markdown_tables(note)
    from vaultkit.vault.html_tables import find_html_tables

    html_tables = (_build_table_blocks(note, table.start, table.end, table.rows) for table in find_html_tables(note))
    tables = (*markdown_tables(note), *chain.from_iterable(html_tables))
    return tuple(sorted(tables, key=lambda block: block.start))


_CELL_MARKUP = re.compile(r"[\\`*_\[\]<>&~=$^%#|!{:]")
"""A sign that may be Markdown in the text of a cell."""


@lru_cache(maxsize=1000)  # tables share heads
def plain_cell_text(cell: str) -> str:
    """Return the text of a cell without Markdown.

    A link to a block becomes its text or, if it has none, the name of the note that it leads to.
    """
    if not _CELL_MARKUP.search(cell):  # most cells have none, and a parse takes far longer
        return " ".join(cell.split())
    text = _LINK.sub(_link_label, BREAK.sub(" ", _DICE_CODE.sub(_dice_target, cell)))
    nodes = [node for node in markdown.parse(f"| |\n|-|\n| {text} |").walk() if node.kind == "TableCell"]
    return " ".join((nodes[-1].words() if len(nodes) > 1 else text).split())


class BlockLink(NamedTuple):
    """A link to a block: its path and block id, and how a dice roller's code uses it.

    `times` is how often to roll there, as written: `3`, `3d` or `1d4+1`, "" for once. `column` is the header of the
    only column to use, "" for all.
    """

    path: str
    block_id: str
    times: str = ""
    column: str = ""

    @classmethod
    def parse(cls, code: str) -> "BlockLink | None":
        """Return the link in what a dice roller is to roll, such as `3d[[Note^id]]|Header`; None if there is none."""
        link = _LINK.search(code)
        target = _block_target(link) if link else None
        if link is None or target is None:
            return None
        options = (option.strip() for option in re.split(r"\\?\|", code[link.end() :]))
        column = next((option for option in options if option and not _DISPLAY_OPTION.fullmatch(option)), "")
        return cls(*target, code[: link.start()].strip(), column)


def block_links(cell: str) -> Iterator[BlockLink]:
    """Yield the links to blocks in a cell, also in a dice roller's syntax (S5)."""
    matches = _DICE_CODE_OR_LINK.finditer(cell)
    yield from filter(None, (BlockLink.parse(match["rolled"] or match[0]) for match in matches))


def _build_table_blocks(
    note: Note, start: int, end: int, lines_with_cells: list[tuple[int, list[str]]]
) -> Iterator[TableBlock]:
    """Yield the tables between two offsets of a note, of which each begins with its head, and their block id."""
    rows, block_id = _split_block_id([Row(tuple(cells), line) for line, cells in lines_with_cells])
    match = _find_id_at_end(note.text, start, end) or _BLOCK_ID_BELOW.match(note.text, end)
    block_id = block_id or (match["id"] if match else "")
    for indices in split_at_heads([row.cells for row in rows]):
        header, *body_rows = (rows[index] for index in indices)
        offset = note.places.start(header.line) if indices[0] else start
        yield TableBlock(header, tuple(body_rows), offset, block_id)


def _find_id_at_end(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the match of a block id at the end of a table; its `^`, the last one there, is found first, for speed."""
    caret = text.rfind("^", start + 1, end)
    return _BLOCK_ID_AT_END.match(text, caret - 1, end) if caret > 0 else None


def lists(note: Note) -> Iterator[TableBlock]:
    """Yield the outermost lists of a note as tables of one column without a head, top to bottom.

    An item of several lines has BREAK signs between them.
    """
    list_parts: list[tuple[int, int, list[tuple[int, int]]]] = []
    for kind, start, end in elements(note.body, note.body_start, _LIST_ELEMENTS):
        is_outermost = not list_parts or start >= list_parts[-1][1]
        if kind == "List" and is_outermost:
            list_parts.append((start, end, []))
        elif kind == "Item" and (not list_parts[-1][2] or start >= list_parts[-1][2][-1][1]):
            list_parts[-1][2].append((start, end))
    for start, end, items in list_parts:
        rows = [Row((_item_text(note.text[first:last]),), note.places.line(first)) for first, last in items]
        own_id = _BLOCK_ID_IN_ITEM.search(note.text, start, end)
        match = own_id or _BLOCK_ID_BELOW.match(note.text, end)
        yield TableBlock(Row((), rows[0].line), tuple(rows), start, match["id"] if match else "")


def _item_text(source: str) -> str:
    """Return the text of a list item without its mark, and without a block id on its last line."""
    lines = [line.strip(" \t>") for line in _ITEM_MARK.sub("", source, count=1).strip().splitlines()]
    return "<br>".join(line for line in lines if line and not re.fullmatch(_BLOCK_ID, line))


def _split_block_id(rows: list[Row]) -> tuple[list[Row], str]:
    """Return the rows of a table before its block id, and the block id, or all rows and "" if there is none.

    Markdown parses a block id directly below a table as another row.
    """
    for number, row in enumerate(rows[1:], 1):
        match = re.fullmatch(_BLOCK_ID, row.cells[0]) if row.cells and not any(row.cells[1:]) else None
        if match:
            return rows[:number], match["id"]
    return rows, ""


def _dice_target(code: re.Match[str]) -> str:
    """Return the dice or the link to roll on in a dice roller's code, without display options."""
    link = _LINK.search(code["rolled"])
    return link[0] if link else re.split(r"\\?\|", code["rolled"])[0]


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
    """Return whether the note may have a table to roll on: one with a die or a word for rolling in or above its head.

    This is a quick search of the lines above delimiter rows and lists, and of HTML cells; it may say yes for others.
    """
    text = note.text
    if "<" in text and "<t" in text and _DIE_IN_CELL.search(text):
        return True
    return any(_may_be_rolled(text, rule) for rule in delimiter_row_breaks(text)) or has_rows_below_die(note)


def has_rows_below_die(note: Note) -> bool:
    """Return whether a line with a die may stand above a list, or above rows that no delimiter row makes a table."""
    text = note.text.replace("\r", "\n")
    return any(DIE.search(line_above(text, row.start())) for row in _FIRST_ROW.finditer(text))


def _may_be_rolled(text: str, rule: int) -> bool:
    """Return whether the head above the line break `rule`, or the text above the head, may name a die."""
    start, end = _line_before(text, rule)
    first_cell = text[start:end].lstrip(" \t>|\r\n").partition("|")[0]
    return bool(DIE.search(text, start, end) or mentions_roll(first_cell) or DIE.search(line_above(text, start)))


def line_above(text: str, offset: int) -> str:
    """Return the last line with words before an offset, or of a long line its last part; "" if there is none."""
    lines = text[max(0, offset - _MAX_HEADER_CHARS) : offset].rstrip(" \t>\r\n").splitlines()
    return lines[-1] if lines else ""


def verbatim_spans(note: Note) -> list[tuple[int, int]]:
    """Return the start and end of each block of code or HTML in a note."""
    return [(start, end) for _, start, end in elements(note.body, note.body_start, {"CodeBlock", "HtmlBlock"})]


def delimiter_row_breaks(text: str, start: int = 0) -> Iterator[int]:
    """Yield the offset of each line break behind which a delimiter row, the second line of a table, may follow."""
    first = text.find("|", start)
    if first >= 0:
        text = text.replace("\r", "\n")
        yield from (rule.start() for rule in _DELIMITER_ROW.finditer(text, max(start, text.rfind("\n", 0, first))))


def _line_before(text: str, end: int) -> tuple[int, int]:
    """Return the start and end offsets of the line that ends at the line break `end`; of a long line, its last part."""
    if text.startswith("\n", end) and text.startswith("\r", end - 1):
        end -= 1
    start = max(0, end - _MAX_HEADER_CHARS)
    return max(start, text.rfind("\n", start, end), text.rfind("\r", start, end)), end
