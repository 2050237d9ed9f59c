"""Extraction of facts such as `**Range:** 30 feet` from the beginning of a note's tree, as labels and values."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from vaultkit.vault.markdown import Node

Fact = tuple[list[Node], list[Node]]
"""A label without its colon, and its value."""
_BREAKS = {"SoftBreak", "HardBreak"}


def split_lines(nodes: Sequence[Node]) -> list[list[Node]]:
    """Return the lines of a paragraph, without the breaks between them."""
    lines: list[list[Node]] = [[]]
    for node in nodes:
        if node.kind in _BREAKS:
            lines.append([])
        else:
            lines[-1].append(node)
    return lines


def join_lines(lines: Iterable[Sequence[Node]]) -> list[Node]:
    """Return the nodes of all lines, with a break between each two lines."""
    return [node for line in lines for node in (Node("SoftBreak"), *line)][1:]


def take_facts(tree: Node) -> list[Fact]:
    """Remove the lines and list items at the beginning of a tree that are a label and a value; return them as facts."""
    facts = list[Fact]()
    while tree.children:
        block = tree.children[0]
        lines = _lines_or_items(block)
        block_facts = [fact for fact in takewhile(bool, map(_parse_fact, lines)) if fact]
        facts += block_facts
        if not block_facts or len(block_facts) < len(lines):
            if block_facts and block.kind == "List":
                block.children = block.children[len(block_facts) :]
            elif block_facts:
                block.children = join_lines(lines[len(block_facts) :])
            break
        tree.children.pop(0)
    return facts


def _lines_or_items(block: Node) -> list[list[Node]]:
    """Return the lines of a paragraph or the items of a bullet list, [] for other blocks.

    An item of more than one line counts as empty.
    """
    if block.kind == "Paragraph":
        return split_lines(block.children)
    return list(map(_item_line, block.children)) if block.kind == "List" and block.number is None else []


def _item_line(item: Node) -> list[Node]:
    nodes = item.children
    if len(nodes) == 1 and nodes[0].kind == "Paragraph":
        nodes = nodes[0].children
    return [] if any(node.kind in {*_BREAKS, "List", "Paragraph"} for node in nodes) else nodes


def _parse_fact(nodes: Sequence[Node]) -> Fact | None:
    """Return the label and value of a line that begins with bold text and a colon in or after it, else None."""
    if not nodes or nodes[0].kind != "Strong":
        return None
    label_nodes, value = list(nodes[0].children), list(nodes[1:])
    if label_nodes and label_nodes[-1].kind == "Text" and label_nodes[-1].text.rstrip().endswith(":"):
        label_nodes[-1] = Node("Text", label_nodes[-1].text.rstrip()[:-1].rstrip())
    elif value and value[0].kind == "Text" and value[0].text.startswith(":"):
        value[0] = Node("Text", value[0].text[1:])
    else:
        return None
    if value and value[0].kind == "Text":
        value[0] = Node("Text", value[0].text.lstrip())
    return label_nodes, value
