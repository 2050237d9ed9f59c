"""Conversion of HTML blocks in a note to nodes: tables with spanning cells, lists, containers, preformatted text."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import accumulate, takewhile

from msgspec.structs import replace

from vaultkit.sheets.text.html_styles import PLAIN, HtmlStyle, StyledNode, read_style
from vaultkit.sheets.text.html_tags import (
    DRAWING_TAG,
    count_open,
    drawing_source,
    embed_drawings,
    html_lines,
    parse_attributes,
)
from vaultkit.text import parse_whole_number
from vaultkit.vault.entities import unescape_references
from vaultkit.vault.markdown import MAX_DEPTH, Node

_CONTAINER_KINDS = {"details": "Details", "summary": "Summary"}
_TAG_PATTERN = r"<(?P<end>/?)(?P<name>{})(?P<more>\s[^<>]*?)?(?P<void>/?)>"
_CONTAINER_TAG = re.compile(_TAG_PATTERN.format("details|summary"), re.IGNORECASE)
_STYLED_NAMES = "center|div|p|section|article|aside|header|footer|main|figure|blockquote|address|h[1-6]|br|hr"
_STYLED_TAG = re.compile(_TAG_PATTERN.format(f"details|summary|{_STYLED_NAMES}"), re.IGNORECASE)
_CENTRED = HtmlStyle(alignment="center")
_VOID_TAGS = {"br", "hr"}
_ELEMENT_TAG = re.compile(r"<(/?)(table|pre|ul|ol)(\s[^<>]*)?>", re.IGNORECASE)
_TABLE_TAG = re.compile(r"<(/?)table(?:\s[^<>]*)?()>", re.IGNORECASE)
_LIST_TAG = re.compile(r"<(/?)(ul|ol|li)(\s[^<>]*)?>", re.IGNORECASE)
_TABLE_PART_TAG = re.compile(r"<(/?)(table|thead|tbody|tfoot|tr|td|th|caption)(\s[^<>]*)?>", re.IGNORECASE)
_ANY_TAG = re.compile("<[^<>]*>")
_COMMENT = re.compile("<!--.*?-->", re.DOTALL)
_BREAK_COMMENT = re.compile(r"<!--\s*\\?(?:page[-_ ]?break|new[-_ ]?page)\s*-->", re.IGNORECASE)
_MAX_CELL_COLUMNS, _MAX_CELL_ROWS = 20, 100
"""The most columns and rows that a cell may span."""
_MAX_PIECES_PER_TABLE = 200
"""The most following blocks joined to the first one of a table or drawing, which blank lines had separated."""
_MAX_HEAD_ROWS = 2
"""The most rows of header cells in the head of a table; further ones belong to its body."""
_MAX_LIST_DEPTH = 8
"""The most levels of nested lists; deeper ones, which only a hostile note needs, are flattened."""


def fold_blocks(nodes: list[Node], *, has_styles: bool = True) -> list[Node]:
    """Return the blocks with the elements in HTML blocks replaced by nodes.

    The elements are tables, lists, `pre`, `details`, `summary`, and with `has_styles` others with a look of their own;
    the rest of the HTML stays in HTML blocks.
    """
    if not any(node.kind == "HtmlBlock" for node in nodes):
        return nodes
    root = Node("Document")
    open_elements: _OpenElements = [("", root)]
    for node in _join_elements(nodes):
        if node.kind != "HtmlBlock":
            _holder(open_elements).children.append(node)
            continue
        source = embed_drawings(_remove_comments("".join(child.text for child in node.children)))
        for part in _split_elements(source):
            if isinstance(part, Node):
                _holder(open_elements).children.append(part)
            else:
                _add_containers(open_elements, part, has_styles)
    return root.children


_OpenElements = list[tuple[str, Node | None]]
"""The open elements, each with the name of its tag, and with its node if it has one."""


def _holder(open_elements: _OpenElements) -> Node:
    """Return the node of the innermost open element that has one."""
    return next(node for _, node in reversed(open_elements) if node is not None)


def _remove_comments(text: str) -> str:
    """Return HTML without its comments, in linear time; a comment that is never closed is kept as text."""
    closed, end, rest = text.rpartition("-->")
    return _COMMENT.sub(_replace_comment, closed + end) + rest


def _replace_comment(comment: re.Match[str]) -> str:
    return '<br class="page-break">' if _BREAK_COMMENT.fullmatch(comment[0]) else ""


def fold_tree(tree: Node) -> None:
    """Replace all HTML blocks in a tree by the nodes of `fold_blocks` without `has_styles`."""
    for node in tree.walk():
        node.children = fold_blocks(node.children, has_styles=False)


def _join_elements(nodes: list[Node]) -> Iterator[Node]:
    """Yield the nodes, with the parts of each HTML table or drawing that blank lines separate joined to one block.

    Other nodes between the parts of a table become paragraphs in it.
    """
    remaining_nodes = list(nodes)
    while remaining_nodes:
        node = remaining_nodes.pop(0)
        for pattern, to_source in ((DRAWING_TAG, drawing_source), (_TABLE_TAG, _html_source)):
            if node.kind == "HtmlBlock" and (open_count := count_open(pattern, _html_source(node))) > 0:
                sources = list(map(to_source, remaining_nodes[:_MAX_PIECES_PER_TABLE]))
                counts = (count_open(pattern, source) for source in sources)
                open_counts = enumerate(accumulate(counts, initial=open_count))
                end = next((n for n, open_elements in open_counts if open_elements <= 0), 0)
                node = Node("HtmlBlock", children=[Node("Html", "".join([_html_source(node), *sources[:end]]))])
                remaining_nodes = remaining_nodes[end:]
        yield node


def _html_source(node: Node) -> str:
    """Return the source of an HTML block, or the words of any other node as an HTML paragraph."""
    if node.kind == "HtmlBlock":
        return "".join(child.text for child in node.children)
    return f"<p>{escape(node.words())}</p>"


def _add_containers(open_elements: _OpenElements, text: str, has_styles: bool) -> None:
    """Add the text of an HTML block to the innermost node, and open and close elements for its tags."""
    end, lead = 0, ""
    for tag in (_STYLED_TAG if has_styles else _CONTAINER_TAG).finditer(text):
        name, is_void = tag["name"].lower(), tag["void"] == "/" or tag["name"].lower() in _VOID_TAGS
        closed = name if tag["end"] else "p" if open_elements[-1][0] == "p" and name not in _VOID_TAGS else ""
        names = [open_name for open_name, _ in open_elements] if closed else []
        index = len(names) - 1 - names[::-1].index(closed) if closed in names else 0
        if index:
            if any(node is not None for _, node in open_elements[index:]):
                is_heading = closed[0] == "h" and bool(tag["end"])
                _append_html(_holder(open_elements), lead + text[end : tag.end() if is_heading else tag.start()])
                end, lead = tag.end() if tag["end"] else tag.start(), ""
            del open_elements[index:]
        if tag["end"]:
            continue
        style = _CENTRED if name == "center" else read_style(name, parse_attributes(tag["more"] or ""))
        kind = _CONTAINER_KINDS.get(name, "")
        if len(open_elements) >= MAX_DEPTH:
            continue
        if not kind and style == PLAIN:
            open_elements += [] if is_void else [(name, None)]
            continue
        holder = _holder(open_elements)
        _append_html(holder, lead + text[end : tag.start()])
        end, lead = tag.end(), f"<{name}>" if name[0] == "h" and name not in {"hr", "header"} else ""
        node = StyledNode(kind or "Division", style=style)
        holder.children.append(node)
        open_elements += [] if is_void else [(name, node)]
    _append_html(_holder(open_elements), lead + text[end:])


def _append_html(holder: Node, text: str) -> None:
    if text.strip():
        holder.children.append(Node("HtmlBlock", children=[Node("Html", text)]))


def _split_elements(text: str, list_depth: int = 0) -> Iterator[str | Node]:
    """Yield the parts of an HTML block in order: nodes for tables, lists and `pre`, and HTML text between them.

    `list_depth` is the number of lists around the block.
    """
    start = end = depth = 0
    name = ""
    for tag in _ELEMENT_TAG.finditer(text):
        if depth == 0 and not tag[1]:
            start, name, depth = tag.start(), tag[2].lower(), 1
        elif depth and tag[2].lower() == name:
            depth += -1 if tag[1] else 1
            if depth == 0:
                yield text[end:start]
                yield from _parse_element(name, text[start : tag.end()], list_depth)
                end = tag.end()
    if depth:
        yield text[end:start]
        yield from _parse_element(name, text[start:], list_depth)
    else:
        yield text[end:]


def _parse_element(name: str, source: str, list_depth: int) -> Iterator[str | Node]:
    """Yield the node of an element in the look of its tag, after the text outside its cells or items."""
    tag = _ELEMENT_TAG.match(source)
    style = read_style(name, parse_attributes((tag and tag[3]) or ""))
    if style.is_hidden:
        return
    if name == "table":
        yield from _parse_table(source, style)
    elif name == "pre":
        text = unescape_references(_ANY_TAG.sub("", source)).strip("\n")
        yield StyledNode("CodeBlock", children=[Node("Text", text)], style=style)
    elif list_depth < _MAX_LIST_DEPTH:
        yield from _parse_list(name, source, list_depth + 1, style)
    else:
        yield source


def _parse_list(name: str, source: str, list_depth: int, style: HtmlStyle) -> Iterator[str | Node]:
    """Yield the text outside the items of an HTML list, then the list as a node."""
    items, outside_text, start_number = list[StyledNode](), "", None
    open_lists = end = 0
    for tag in _LIST_TAG.finditer(source):
        is_list = tag[2].lower() != "li"
        open_lists += is_list and (-1 if tag[1] else 1)
        if open_lists > 1 or (is_list and open_lists == 1 and tag[1]):
            continue
        text, end = source[end : tag.start()], tag.end()
        outside_text += _add_to_item(items, text, list_depth)
        if is_list and not tag[1] and name == "ol":
            start = parse_whole_number(parse_attributes(tag[3] or "").get("start", ""))
            start_number = 1 if start is None else start
        elif not is_list and not tag[1]:
            items.append(StyledNode("Item", style=read_style("li", parse_attributes(tag[3] or ""))))
    yield outside_text + _add_to_item(items, source[end:], list_depth)
    if visible_items := [item for item in items if not item.style.is_hidden]:
        yield StyledNode("List", number=start_number, children=list[Node](visible_items), style=style)


def _add_to_item(items: Sequence[Node], text: str, list_depth: int) -> str:
    """Add the text to the last item and return ""; return the text if there is no item yet."""
    if not items:
        return text
    for part in _split_elements(text, list_depth):
        if isinstance(part, Node):
            items[-1].children.append(part)
        elif part.strip():
            items[-1].children.append(Node("Paragraph", children=_parse_inline(part)))
    return ""


def _parse_inline(text: str) -> list[Node]:
    """Return the inline nodes of an HTML text, with breaks between its lines."""
    return [node for line in html_lines(text) for node in (Node("HardBreak"), *line)][1:]


Span = tuple[int, int, int, int]
"""The first column and row of a cell over several columns or rows, and its last ones."""


class HtmlCell(StyledNode):
    """A cell of an HTML table, which may span several columns and rows, or be `covered` by such a cell."""

    wide: int = 1
    high: int = 1
    covered: bool = False


def find_spans(rows: Sequence[Sequence[Node]]) -> list[Span]:
    """Return the cells that span several columns or rows."""
    return [
        (x, y, x + cell.wide - 1, y + cell.high - 1)
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if isinstance(cell, HtmlCell) and (cell.wide > 1 or cell.high > 1)
    ]


def _parse_table(source: str, style: HtmlStyle) -> Iterator[str | Node]:
    """Yield the caption and other text outside the cells of an HTML table, then the table as a node."""
    rows, outside_text, cell = list[list[HtmlCell]](), "", None
    open_tables, end, row_style = 0, 0, style
    for tag in _TABLE_PART_TAG.finditer(source):
        name = tag[2].lower()
        open_tables += {("table", ""): 1, ("table", "/"): -1}.get((name, tag[1]), 0)
        if open_tables > 1 or (name == "table" and open_tables == 1 and tag[1]):
            continue
        outside_text += _fill_cell(cell, source[end : tag.start()])
        end, cell = tag.end(), None
        if tag[1] or name not in {"tr", "td", "th"}:
            continue
        attributes = parse_attributes(tag[3] or "")
        if name == "tr" or not rows:
            rows.append([])
            row_style = read_style(name, attributes).inherit(style) if name == "tr" else style
        if name != "tr":
            cell = _make_cell(name, attributes)
            cell.style = read_style(name, attributes).inherit(row_style)
            rows[-1] += [] if cell.style.is_hidden else [cell]
    yield outside_text + _fill_cell(cell, source[end:])
    rows = [row for row in rows if row]
    if rows:
        table = _make_table(rows)
        table.style = replace(style, ground="")  # which the cells have
        yield table


def _make_cell(name: str, attributes: dict[str, str]) -> HtmlCell:
    column_span, row_span = (parse_whole_number(attributes.get(key, "")) or 1 for key in ("colspan", "rowspan"))
    return HtmlCell("TableCell", name, wide=min(column_span, _MAX_CELL_COLUMNS), high=min(row_span, _MAX_CELL_ROWS))


def _fill_cell(cell: HtmlCell | None, text: str) -> str:
    """Set the content of the cell and return ""; return the text if there is no cell."""
    if cell is None:
        return text
    words = _parse_inline(text)
    cell.children = [Node("Strong", children=words)] if cell.text == "th" and words else words
    return ""


def _is_head(row: Sequence[HtmlCell]) -> bool:
    return all(cell.text == "th" and cell.high == 1 for cell in row)


def place_cells(sizes: Iterable[Iterable[tuple[int, int]]]) -> list[list[int]]:
    """Return the column of each cell, row by row, from the numbers of columns and rows that it spans.

    Cells take the columns from the left that no cell of the rows above takes.
    """
    first_free_rows, columns_by_row = defaultdict[int, int](int), list[list[int]]()
    for y, row in enumerate(sizes):
        x, columns = 0, list[int]()
        for wide, high in row:
            while first_free_rows[x] > y:
                x += 1
            for column in range(x, x + wide):
                first_free_rows[column] = max(first_free_rows[column], y + high)
            columns.append(x)
        columns_by_row.append(columns)
    return columns_by_row


def _make_table(rows: Sequence[Sequence[HtmlCell]]) -> StyledNode:
    """Return the table node, in which each row has a cell for every column.

    The first rows are its head if they have only header cells; without such rows, the head is empty.
    """
    for y, row in enumerate(rows):
        for cell in row:
            cell.high = min(cell.high, len(rows) - y)
    columns_by_row = place_cells([[(cell.wide, cell.high) for cell in row] for row in rows])
    cells_by_position = {
        (y, x): cell for y, row in enumerate(rows) for x, cell in zip(columns_by_row[y], row, strict=True)
    }
    columns = sorted({x for _, x in cells_by_position})
    grid: list[list[HtmlCell | None]] = [[None] * len(columns) for _ in rows]
    covered = HtmlCell("TableCell", covered=True)
    for (y, x), cell in cells_by_position.items():
        first_column = bisect_left(columns, x)
        cell.wide = bisect_left(columns, x + cell.wide) - first_column
        for grid_row in grid[y : y + cell.high]:
            grid_row[first_column : first_column + cell.wide] = [covered] * cell.wide
    for (y, x), cell in cells_by_position.items():
        grid[y][bisect_left(columns, x)] = cell
    table_rows = [[cell or HtmlCell("TableCell") for cell in grid_row] for grid_row in grid]
    head_count = sum(1 for _ in takewhile(_is_head, rows[: max(1, min(_MAX_HEAD_ROWS, len(rows) - 1))]))
    if not head_count:
        table_rows.insert(0, [HtmlCell("TableCell") for _ in columns])
    kinds = ["TableHead"] * max(head_count, 1) + ["TableRow"] * len(table_rows)
    nodes = [Node(kind, children=list(row)) for kind, row in zip(kinds, table_rows, strict=False)]
    return StyledNode("Table", children=nodes, columns=("None",) * len(columns))
