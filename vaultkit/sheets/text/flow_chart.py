"""Conversion of Mermaid flow charts to lists of their boxes and the connections between them."""

import re
from collections.abc import Iterator

from vaultkit.vault.markdown import Node

_HEAD = re.compile(r"\s*(?:graph|flowchart)\b[^\n;]*")
_OTHER = re.compile(r"(?:subgraph|end|style|classDef|class|click|linkStyle|direction)\b|%%")
_NAME = r"(?P<name>\w+(?:[-.]\w+)*)"
_SHAPE = r"(?:@\{[^}]*\}|[\[({>]+[/\\]?\s*(?P<words>\"[^\"]*\"|[^\"\]})]*?)\s*[/\\]?[\])}]+)?(?::::\w+)?"
_STEP = re.compile(rf"\s*{_NAME}{_SHAPE}\s*")
_ARROW = re.compile(r"[<xo]?(?:--+|==+|-\.+-?|~~~)(?:[>xo]|(?=\s*[|\w\[]))(?:\s*\|\s*(?P<bar>[^|]*?)\s*\|)?")
_WORDED = re.compile(r"[<xo]?(?:--|==|-\.)\s+(?P<mid>[^-=.|>][^|>]*?)\s*(?:--+|==+|\.+-)[>xo]?")
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
        if line.strip() and not _OTHER.match(line.strip()) and not _read_line(line, labels, edges):
            return None
    items = list(_items(labels, edges))
    return Node("List", children=items) if items else None


def _read_line(line: str, labels: dict[str, str], edges: list[_FlowEdge]) -> bool:
    """Add the boxes and arrows of a line to `labels` and `edges`; return False if it contains anything else."""
    before, words, at = list[str](), "", 0
    while True:
        group = list[str]()
        while (step := _STEP.match(line, at)) is not None:
            group.append(step["name"])
            if step["words"] is not None:
                labels[step["name"]] = _clean_label(step["words"])
            labels.setdefault(step["name"], step["name"])
            at = step.end()
            if not line.startswith("&", at):
                break
            at += 1
        edges += [(start, other, words) for start in before for other in group]
        arrow = (_WORDED.match(line, at) or _ARROW.match(line, at)) if group else None
        if arrow is None:
            return bool(group) and at == len(line)
        words, before, at = _clean_label(next(iter(arrow.groupdict().values())) or ""), group, arrow.end()


def _clean_label(words: str) -> str:
    return _GAP.sub(" ", words.strip().strip('"`')).strip()


def _items(labels: dict[str, str], edges: list[_FlowEdge]) -> Iterator[Node]:
    """Yield a list item for each box, with its only arrow on the same line, or with its arrows as a list below."""
    targets = {other for _, other, _ in edges}
    for name, label in labels.items():
        ends = [
            [*_on_condition(words), Node("Text", f"→ {labels[other]}")]
            for start, other, words in edges
            if start == name
        ]
        if len(ends) > 1:
            below = [Node("Item", children=[Node("Paragraph", children=end)]) for end in ends]
            yield Node("Item", children=[Node("Paragraph", children=[_box(label)]), Node("List", children=below)])
        elif ends or name not in targets:
            line = [_box(label), *(part for end in ends for part in (Node("Text", " "), *end))]
            yield Node("Item", children=[Node("Paragraph", children=line)])


def _box(label: str) -> Node:
    return Node("Strong", children=[Node("Text", label)])


def _on_condition(words: str) -> list[Node]:
    return [Node("Emphasis", children=[Node("Text", words)]), Node("Text", " ")] if words else []
