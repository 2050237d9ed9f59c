"""Conversion of Mermaid flow charts to lists of their boxes and the connections between them."""

import re
from collections.abc import Iterator

from vaultkit.vault.markdown import Node

_HEAD = re.compile(r"\s*(?:graph|flowchart)\b[^\n;]*")
_IGNORED_STATEMENT = re.compile(r"(?:subgraph|end|style|classDef|class|click|linkStyle|direction)\b|%%")
_NAME = r"(?P<name>\w+(?:[-.]\w+)*)"
_SHAPE = r"(?:@\{[^}]*\}|[\[({>]+[/\\]?\s*(?P<words>\"[^\"]*\"|[^\"\]})]*?)\s*[/\\]?[\])}]+)?(?::::\w+)?"
_BOX = re.compile(rf"\s*{_NAME}{_SHAPE}\s*")
_ARROW = re.compile(r"[<xo]?(?:--+|==+|-\.+-?|~~~)(?:[>xo]|(?=\s*[|\w\[]))(?:\s*\|\s*(?P<bar>[^|]*?)\s*\|)?")
_LABELLED_ARROW = re.compile(r"[<xo]?(?:--|==|-\.)\s+(?P<mid>[^-=.|>][^|>]*?)\s*(?:--+|==+|\.+-)[>xo]?")
_GAP = re.compile(r"(?:<br\s*/?>|\s)+", re.IGNORECASE)
_MAX_LINE_CHARS = 2000
"""The most characters of a line; a chart with a longer line is not read, because no person wrote it."""

_FlowEdge = tuple[str, str, str]
"""An arrow between two boxes: the name of the first box, that of the second, and the words on the arrow."""


def parse_flow_chart(source: str) -> Node | None:
    """Return a list node with the boxes of a flow chart, each with the boxes to which its arrows lead.

    None means that the source is no flow chart, or that its syntax is not supported.
    """
    head = _HEAD.match(source)
    if head is None:
        return None
    labels: dict[str, str] = {}
    edges: list[_FlowEdge] = []
    lines = re.split(r"[;\n]", source[head.end() :])
    if max(map(len, lines)) > _MAX_LINE_CHARS:
        return None
    for line in lines:
        if line.strip() and not _IGNORED_STATEMENT.match(line.strip()) and not _read_line(line, labels, edges):
            return None
    items = list(_make_items(labels, edges))
    return Node("List", children=items) if items else None


def _read_line(line: str, labels: dict[str, str], edges: list[_FlowEdge]) -> bool:
    """Add the boxes and arrows of a line to `labels` and `edges`; return False if it contains anything else."""
    source_names, words, position = list[str](), "", 0
    while True:
        names = list[str]()
        while (box := _BOX.match(line, position)) is not None:
            names.append(box["name"])
            if box["words"] is not None:
                labels[box["name"]] = _clean_label(box["words"])
            labels.setdefault(box["name"], box["name"])
            position = box.end()
            if not line.startswith("&", position):
                break
            position += 1
        edges += [(start, target, words) for start in source_names for target in names]
        arrow = (_LABELLED_ARROW.match(line, position) or _ARROW.match(line, position)) if names else None
        if arrow is None:
            return bool(names) and position == len(line)
        words, source_names, position = _clean_label(next(iter(arrow.groupdict().values())) or ""), names, arrow.end()


def _clean_label(words: str) -> str:
    return _GAP.sub(" ", words.strip().strip('"`')).strip()


def _make_items(labels: dict[str, str], edges: list[_FlowEdge]) -> Iterator[Node]:
    """Yield a list item for each box, with its only arrow on the same line, or with its arrows as a list below."""
    targets = {target for _, target, _ in edges}
    for name, label in labels.items():
        arrow_nodes = [
            [*_condition_nodes(words), Node("Text", f"→ {labels[target]}")]
            for start, target, words in edges
            if start == name
        ]
        if len(arrow_nodes) > 1:
            sub_items = [Node("Item", children=[Node("Paragraph", children=nodes)]) for nodes in arrow_nodes]
            yield Node(
                "Item", children=[Node("Paragraph", children=[_bold_label(label)]), Node("List", children=sub_items)]
            )
        elif arrow_nodes or name not in targets:
            line = [_bold_label(label), *(part for nodes in arrow_nodes for part in (Node("Text", " "), *nodes))]
            yield Node("Item", children=[Node("Paragraph", children=line)])


def _bold_label(label: str) -> Node:
    return Node("Strong", children=[Node("Text", label)])


def _condition_nodes(words: str) -> list[Node]:
    return [Node("Emphasis", children=[Node("Text", words)]), Node("Text", " ")] if words else []
