"""Facts in a note's tree: labels with their values, as people and plugins write them."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile, zip_longest

from vaultkit.vault.markdown import Node

Fact = tuple[list[Node], list[Node]]
"""A label without its colon, and its value."""
BREAKS = {"SoftBreak", "HardBreak"}
MAX_VALUE_CHARS = 70
"""The maximum length of a value in a strip; a longer one is a paragraph, or no fact if it is below a heading."""
_FIELD = re.compile(r"\s*([^\W\d_][^:\[\](){}\n]{0,30}?)\s*::(?:\s+|$)")
"""The beginning of an inline field of Dataview, such as `Age:: 43`."""
_BRACKETED_FIELD = re.compile(r"\s*(?:\[([^:\[\]]+?)::\s*([^\]]*)\]|\(([^:()]+?)::\s*([^)]*)\))")


def plain_text(nodes: Sequence[Node]) -> str:
    """Return the words of nodes, separated by single spaces."""
    return " ".join("".join(node.words() for node in nodes).split())


def take_facts(tree: Node, *, bare: bool = False) -> list[Fact]:
    """Remove the facts at the beginning of a tree, and inline fields anywhere between its blocks; return them.

    A fact is a line, or an item of a list, that begins with a bold label and a colon; the colon may be missing if
    `bare`. Below a first heading, blocks count only if they hold nothing but several short facts. A fact without a
    value is removed, too, unless what follows is its value.
    """
    facts, at_beginning, is_below_heading = _take_quoted_facts(tree, bare=bare), True, False
    for block, following in zip_longest(list(tree.children), tree.children[1:]):
        if block.kind == "Heading" and not is_below_heading:
            is_below_heading = True
            continue
        lines = _lines_or_items(block)
        labels = [_parse_label(line, bare=bare) for line in lines]
        if is_below_heading and not _are_short_facts(labels):
            at_beginning = False
        rest = list[int]()
        for number, (line, label) in enumerate(zip(lines, labels, strict=True)):
            introduces_block = line is lines[-1] and following is not None and following.kind != "Heading"
            has_value = any(plain_text(value) for _, value in label)
            is_fact = at_beginning and not rest and (has_value or not introduces_block)
            line_facts = _parse_fields(line) or (label if is_fact else [])
            facts += [fact for fact in line_facts if plain_text(fact[1])]
            rest += [] if line_facts else [number]
        if rest or not lines:
            at_beginning = False
        if not lines or len(rest) == len(lines):
            continue
        if not rest:
            tree.children = [node for node in tree.children if node is not block]
        elif block.kind == "List":
            block.children = [block.children[number] for number in rest]
        else:
            block.children = join_lines((lines[number] for number in rest), block.children)
    return facts


def _take_quoted_facts(tree: Node, *, bare: bool) -> list[Fact]:
    """Remove quotes above the first heading that hold nothing but several short facts, and return the facts."""
    facts = list[Fact]()
    for quote in [node for node in takewhile(_is_no_heading, tree.children) if node.kind == "BlockQuote"]:
        labels = [_parse_label(line, bare=bare) for part in quote.children for line in _lines_or_items(part) or [[]]]
        if _are_short_facts(labels):
            facts += [fact for label in labels for fact in label]
            tree.children = [node for node in tree.children if node is not quote]
    return facts


def _is_no_heading(node: Node) -> bool:
    return node.kind != "Heading"


def _are_short_facts(labels: Sequence[list[Fact]]) -> bool:
    facts = [fact for label in labels for fact in label]
    return len(labels) > 1 and all(labels) and all(len(plain_text(value)) <= MAX_VALUE_CHARS for _, value in facts)


def split_lines(nodes: Sequence[Node]) -> list[list[Node]]:
    """Return the lines of a paragraph, without the breaks between them."""
    lines: list[list[Node]] = [[]]
    for node in nodes:
        if node.kind in BREAKS:
            lines.append([])
        else:
            lines[-1].append(node)
    return lines


def join_lines(lines: Iterable[Sequence[Node]], like: Sequence[Node] = ()) -> list[Node]:
    """Return lines as the nodes of one paragraph, with breaks as in other nodes, else hard ones."""
    kind = next((node.kind for node in like if node.kind in BREAKS), "HardBreak")
    return [part for line in lines for part in (Node(kind), *line)][1:]


def _lines_or_items(block: Node) -> list[list[Node]]:
    """Return the lines of a paragraph or the items of a bullet list, [] for other blocks.

    An item of more than one line counts as empty. Facts between `|` count as lines of their own.
    """
    if block.kind == "Paragraph":
        return [cell for line in split_lines(block.children) for cell in _split_cells(line)]
    return list(map(_item_line, block.children)) if block.kind == "List" and block.number is None else []


def _split_cells(line: Sequence[Node]) -> list[list[Node]]:
    """Return the parts of a line between `|` that begin with bold text, each with the parts behind it."""
    cells: list[list[Node]] = [[]]
    for node in line:
        if node.kind == "Strong" and cells[-1] and cells[-1][-1].text.rstrip().endswith("|"):
            last = cells[-1].pop()
            cells[-1].append(Node("Text", last.text.rstrip()[:-1].rstrip()))
            cells.append([])
        cells[-1].append(node)
    return cells


def _item_line(item: Node) -> list[Node]:
    nodes = item.children
    if len(nodes) == 1 and nodes[0].kind == "Paragraph":
        nodes = nodes[0].children
    return [] if any(node.kind in {*BREAKS, "List", "Paragraph", "Task"} for node in nodes) else nodes


def _parse_fields(nodes: Sequence[Node]) -> list[Fact]:
    """Return the inline fields of a line that has nothing else, else []."""
    if not nodes:
        return []
    label, *value = nodes
    if label.kind == "Strong" and value and value[0].kind == "Text" and value[0].text.startswith("::"):
        return [(list(label.children), [Node("Text", value[0].text[2:].lstrip()), *value[1:]])]
    if label.kind != "Text":
        return []
    if match := _FIELD.match(label.text):
        return [([Node("Text", match[1])], [Node("Text", label.text[match.end() :]), *value])]
    if value or _BRACKETED_FIELD.sub("", label.text).strip(" ,;|"):
        return []
    pairs = ((match[1] or match[3], match[2] or match[4] or "") for match in _BRACKETED_FIELD.finditer(label.text))
    return [([Node("Text", name.strip())], [Node("Text", value.strip())]) for name, value in pairs]


def _parse_label(nodes: Sequence[Node], *, bare: bool) -> list[Fact]:
    """Return the label and value of a line that begins with bold text and a colon in or after it, else []."""
    if not nodes or nodes[0].kind != "Strong":
        return []
    label_nodes, value = list(nodes[0].children), list(nodes[1:])
    if label_nodes and label_nodes[-1].kind == "Text" and label_nodes[-1].text.rstrip().endswith(":"):
        label_nodes[-1] = Node("Text", label_nodes[-1].text.rstrip()[:-1].rstrip())
    elif value and value[0].kind == "Text" and value[0].text.lstrip().startswith(":"):
        value[0] = Node("Text", value[0].text.lstrip()[1:])
    elif not (bare and value and not plain_text(label_nodes).endswith((".", "!", "?"))):
        return []
    if value and value[0].kind == "Text":
        value[0] = Node("Text", value[0].text.lstrip())
    return [(label_nodes, value)]
