"""Lines of text that are marks for printing or for a column plug-in: page breaks, column breaks, ends of columns."""

import re
from itertools import groupby

from vaultkit.sheets.text.html_styles import COLUMN, PAGE
from vaultkit.vault.markdown import Node

_PAGE_WORDS = r"\\(?:newpage|pagebreak|clear(?:double)?page|pagebreaknum)(?:\{\}|\[\d\])?"
_PAGE_LINE, _COLUMN_LINE = rf"{_PAGE_WORDS}|\\page|\f", r"\\(?:column(?:break)?|newcolumn)"
_COLUMN_MARK = r"(?:(?:start|end|break)-(?:multi-)?column|(?:multi-)?column-(?:start|end|break))"
_LAYOUT_LINE = (
    rf"[-=–—]{{1,3}}\s*{_COLUMN_MARK}(?:\s*[:=–—-][^\n]*)?|\{{\{{pageNumber[^{{}}]*\}}\}}"
    r"|:{3,}(?:\s*(?:\{[^{}]*\}|columns?(?:\s*\{[^{}]*\})?))?\s*:*"
)
_MARK = re.compile(rf"(?P<page>{_PAGE_LINE})|(?P<column>{_COLUMN_LINE})|(?:{_LAYOUT_LINE})", re.IGNORECASE)
_AT_START = re.compile(rf"\s*(?:{_PAGE_WORDS})\s+", re.IGNORECASE)
_AT_END = re.compile(rf"(?<=\S)\s++(?:{_PAGE_WORDS})\s*+\Z", re.IGNORECASE)
"""A page break at one end of a line of text, where LaTeX would break the page too."""
_HINT = re.compile(r"\\[a-zA-Z]{4}|[-=–—] ?(?:column|multi-col|start-|end-|break-)|\f|pageNumber|:::")
_BREAK_KINDS = {"SoftBreak", "HardBreak"}


def fold_marks(nodes: list[Node]) -> list[Node]:
    """Return the nodes of lines, with nodes in place of the lines that are page or column breaks.

    Marks of plug-ins that set columns are left out; their content is printed one below the other.
    """
    for node in nodes:
        if node.kind == "Text" and _HINT.search(node.text):
            break
    else:
        return nodes
    result = list[Node]()
    for is_break, group in groupby(nodes, key=lambda node: node.kind in _BREAK_KINDS):
        line = list(group)
        marks = None if is_break else _fold_line(line)
        if marks is None and not (is_break and result and result[-1].kind == "Break"):
            result += line
        result += marks or []
    return result


def _fold_line(line: list[Node]) -> list[Node] | None:
    """Return the nodes of a line with page breaks in place of the words for them; None if it has none."""
    text = "".join(node.text for node in line) if all(node.kind == "Text" for node in line) else ""
    if mark := _MARK.fullmatch(text.strip(" \t\n")):
        kind = PAGE if mark["page"] else COLUMN if mark["column"] else ""
        return [Node("Break", kind)] if kind else []
    first, last = line[0], line[-1]
    starts = _AT_START.match(first.text) if first.kind == "Text" else None
    ends = _AT_END.search(last.text) if last.kind == "Text" else None
    if starts:
        line = [Node("Break", PAGE), Node("Text", first.text[starts.end() :]), *line[1:]]
    if ends:
        line = [*line[:-1], Node("Text", line[-1].text[: ends.start() - len(last.text)]), Node("Break", PAGE)]
    return line if starts or ends else None
