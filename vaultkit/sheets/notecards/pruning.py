"""Removal of what the text of a card has no use for: pictures, empty parts, placeholders, tags, sources, icons."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from vaultkit.sheets.cards.fact_nodes import BREAKS, Fact, join_lines, plain_text, split_lines
from vaultkit.sheets.notecards.record_words import has_no_value, is_record, is_record_line, is_record_section
from vaultkit.sheets.text.html_tags import fold_line, html_lines
from vaultkit.sheets.text.inline import embeds_note, link_name
from vaultkit.sheets.text.omissions import obsidian_only_kind
from vaultkit.theme import image_transcoding
from vaultkit.vault.links import is_external
from vaultkit.vault.markdown import Node

_PICTURE_TAG = re.compile("<(?:img|svg)", re.IGNORECASE)
_HOLDERS = {
    "Paragraph", "Heading", "List", "Item", "BlockQuote", "Details", "Summary", "Styled", "Table", "TableRow",
    "TableHead", "Link", "Strong", "Emphasis", "Highlight", "Underline", "Strikethrough",
}  # fmt: skip
"""The kinds of nodes that are removed when nothing is left in them."""
_TAG = r"#[^\s#.,;:!?()\[\]{}'\"`]*[^\W\d][^\s#.,;:!?()\[\]{}'\"`]*"
_TAGS_AT_END = re.compile(rf"(?:(?:^|(?<=\s)){_TAG}\s*)+$")
_TAG_SIGN = re.compile(rf"(?:^|(?<=\s))#(?={_TAG[1:]})")
_ICON = re.compile(r":(?:Fa[srb]|Li|Ri|Bo[x]?|Ti|Fi|Fe|Si|Ib|Ra|Oc|Co)[A-Z0-9][A-Za-z0-9]*:\s?")
"""A sign of the Iconize plugin, such as `:FasCrown:`."""
_PLACEHOLDER = re.compile(
    r"(?:tbd|tba|tbc|to[- ]?do|wip|fixme|n/?a|lorem ipsum|placeholder|\?+|\{\{.*\}\}|<%.*%>|\W*)[\s.:…]*", re.IGNORECASE
)
_INFO_BOXES = {"infobox", "info-box", "statbox"}


def is_placeholder(words: str) -> bool:
    """Return whether the words of a field or a line stand for words that are still to be written."""
    return bool(_PLACEHOLDER.fullmatch(words.strip()))


def is_useful_fact(fact: Fact, title: str, language: str) -> bool:
    """Return whether a fact says more than the title of its card, and is no placeholder, source or time of writing."""
    label, words = plain_text(fact[0]), plain_text(fact[1])
    is_missing = is_placeholder(words) or has_no_value(words, language)
    return not (is_missing or is_record(label, fact[1]) or is_same_name(words, title))


def is_same_name(words: str, title: str) -> bool:
    """Return whether words are the title; case and punctuation do not count."""
    first, second = (re.sub(r"[\W_]+", " ", text).strip().casefold() for text in (words, title))
    return first == second != "" or words.casefold() == title.casefold()


def open_info_boxes(tree: Node) -> list[Fact]:
    """Replace information boxes at the beginning of a tree by their content; return the facts in their tables."""
    facts = list[Fact]()
    for box in [node for node in tree.children if node.kind == "Callout" and node.text in _INFO_BOXES]:
        title, *parts = box.children
        tables = [part for part in parts if part.kind == "Table" and len(part.columns) == 2]
        for table in tables:
            facts += [_row_fact(row) for row in table.children[1:]]
            if not _is_generic_head(table.children[0]):
                facts.insert(0, _row_fact(table.children[0]))
        at = tree.children.index(box)
        head = [Node("Heading", children=title.children, number=3)] if title.children else []
        heads_of_tables = [above for above, part in pairwise(parts) if part in tables and above.kind == "Heading"]
        tree.children[at : at + 1] = [*head, *(part for part in parts if part not in [*tables, *heads_of_tables])]
    return facts


def _row_fact(row: Node) -> Fact:
    label, value = ([*cell.children] for cell in row.children[:2])
    plain = label[0].children if len(label) == 1 and label[0].kind == "Strong" else label
    return plain, value


def _is_generic_head(head: Node) -> bool:
    """Return whether the head of a table of facts names only its columns."""
    return plain_text([head.children[0]]).casefold() in {"", "type", "fact", "name", "key", "stat", "property"}


def remove_icons(tree: Node) -> None:
    """Remove the signs of the Iconize plugin from the words of a tree."""
    for node in tree.walk():
        if node.kind == "Text":
            node.text = _ICON.sub("", node.text)


def prune(tree: Node, title: str) -> None:
    """Remove from a tree everything that is of no use on a card with that title."""
    _prune_blocks(tree)
    if tree.children and tree.children[-1].kind == "Paragraph":
        *lines, last_line = split_lines((paragraph := tree.children.pop()).children)
        lines += [] if is_record_line(last_line, at_end=True) else [last_line]
        tree.children += [Node("Paragraph", children=join_lines(lines, paragraph.children))] if lines else []
    tree.children = [
        node
        for number, node in enumerate(drop_records(tree.children))
        if not ((node.kind == "Heading" or number == 0) and is_same_name(plain_text([node]), title))
    ]


def drop_records(nodes: Sequence[Node]) -> list[Node]:
    """Return blocks without the sections that only say where a note comes from."""
    blocks, end = list[Node](), 0
    for start, node in enumerate(nodes):
        if start >= end and node.kind == "Heading":
            level, below = node.number or 1, enumerate(nodes[start + 1 :], start + 1)
            ends = (number for number, block in below if block.kind == "Heading" and (block.number or 1) <= level)
            end_of_section = next(ends, len(nodes))
            if is_record_section(plain_text([node]), nodes[start + 1 : end_of_section]):
                end = end_of_section
        blocks += [node] if start >= end else []
    return blocks


def _prune_blocks(parent: Node) -> None:
    for node in parent.children:
        if node.kind == "Paragraph":
            lines = list(map(_prune_line, split_lines(node.children)))
            node.children = node.children if all(lines) else join_lines(filter(None, lines), node.children)
        elif node.kind == "Table":
            node.children = [node.children[0], *(row for row in node.children[1:] if not _is_vain(row.children))]
        elif node.kind in {"Item", "List", "Callout", "BlockQuote", "Details"}:
            _prune_blocks(node)
    if parent.kind == "Item" and parent.children and parent.children[0].kind not in {"Paragraph", "List"}:
        inner = [node for node in parent.children if node.kind != "List"]
        lists = [node for node in parent.children if node.kind == "List"]
        parent.children = [*_prune_line(inner), *lists]
    parent.children = [node for node in parent.children if not _is_empty_block(node)]


def _prune_line(line: list[Node]) -> list[Node]:
    """Return a line without the tags at its end and the signs of other tags; [] for one without a use."""
    if is_record_line(line) or (is_placeholder(plain_text(line)) and not _has_part(line)):
        return []
    if line and line[-1].kind == "Text":
        line[-1].text = _TAGS_AT_END.sub("", line[-1].text)
    for node in line:
        if node.kind == "Text":
            node.text = _TAG_SIGN.sub("", node.text)
    return line if plain_text(line) or _has_part(line) else []


def _has_part(nodes: Sequence[Node]) -> bool:
    """Return whether nodes have a part that is more than its words, such as an embedded note or code."""
    kinds = {"Image", "Code", "InlineMath", "DisplayMath", "FootnoteReference", "InlineHtml"}
    parts = (part for node in nodes for part in node.walk())
    return any(part.kind in kinds and not obsidian_only_kind(part) for part in parts)


def _is_vain(cells: Sequence[Node]) -> bool:
    """Return whether a row has no value; one of formulas, which cannot be printed, has none beside its label."""
    has_formulas = any(obsidian_only_kind(part) for cell in cells for part in cell.walk())
    return all(map(_is_vain_cell, cells[1:] if has_formulas and len(cells) > 1 else cells))


def _is_vain_cell(cell: Node) -> bool:
    words = "".join("" if obsidian_only_kind(part) else part.text for part in cell.walk())
    return is_placeholder(words) and not _has_part([cell])


def _is_empty_block(node: Node) -> bool:
    if node.kind == "Table":
        return len(node.children) < 2
    if node.kind == "Callout":
        return not plain_text(node.children) and not _has_part(node.children)
    is_bare = node.kind in {"Paragraph", "Item", "List", "BlockQuote"} and node.kind in _HOLDERS
    return is_bare and not plain_text([node]) and not _has_part([node])


def drop_empty_sections(nodes: list[Node]) -> list[Node]:
    """Return blocks without headings below which there is nothing."""
    blocks = list[Node]()
    level_below = 0
    for node in reversed(nodes):
        if node.kind == "Heading":
            level = node.number or 1
            if not blocks or (blocks[-1].kind == "Heading" and level_below <= level):
                continue
            level_below = level
        blocks.append(node)
    return blocks[::-1]


def drop_idle_rules(nodes: list[Node]) -> list[Node]:
    """Return blocks without horizontal rules at the beginning, at the end, and below another one or a heading."""
    blocks = list[Node]()
    for node in nodes:
        if node.kind != "Rule" or (blocks and blocks[-1].kind not in {"Rule", "Heading"}):
            blocks.append(node)
    while blocks and blocks[-1].kind == "Rule":
        blocks.pop()
    return blocks


def remove_pictures(tree: Node) -> list[Node]:
    """Remove all pictures from a tree, and nodes that held nothing else; return the pictures in order."""
    _unfold_html(tree)
    pictures = list(_remove_pictures(tree))
    _drop_empty_callouts(tree)
    return pictures


def _is_picture(node: Node) -> bool:
    if node.kind != "Image" or embeds_note(node):
        return False
    return is_external(node.text) or image_transcoding.is_named_as_picture(link_name(node.text))


def _unfold_html(tree: Node) -> None:
    """Replace HTML that contains pictures by nodes."""
    for node in tree.walk():
        if any(child.kind == "InlineHtml" and _PICTURE_TAG.search(child.text) for child in node.children):
            node.children = fold_line(node.children)
        for number, child in enumerate(node.children):
            source = "".join(part.text for part in child.children) if child.kind == "HtmlBlock" else ""
            if _PICTURE_TAG.search(source):
                parts = [part for line in html_lines(source) for part in (Node("HardBreak"), *line)]
                node.children[number] = Node("Paragraph", children=parts[1:])


def _remove_pictures(node: Node) -> Iterator[Node]:
    children, drops_break = list[Node](), False
    for child in node.children:
        if _is_picture(child):
            yield child
            drops_break = True
            continue
        inner_pictures = list(_remove_pictures(child))
        yield from inner_pictures
        if inner_pictures and child.kind in _HOLDERS and _is_empty(child):
            drops_break = True
        elif not (drops_break and child.kind in BREAKS and (not children or children[-1].kind in BREAKS)):
            children, drops_break = [*children, child], drops_break and _is_blank(child)
    node.children = children


def _is_blank(node: Node) -> bool:
    return node.kind == "Text" and not node.text.strip()


def _is_empty(node: Node) -> bool:
    """Return whether a node has no text; check boxes and table cells without text do not count."""
    return all(part.kind in {*_HOLDERS, "TableCell", "Task", *BREAKS} or _is_blank(part) for part in node.walk())


def _drop_empty_callouts(tree: Node) -> None:
    for node in tree.walk():
        node.children = [child for child in node.children if child.kind != "Callout" or _has_text(child.children)]


def _has_text(parts: Sequence[Node]) -> bool:
    title, *body = parts
    return bool(title.words().strip() or body)
