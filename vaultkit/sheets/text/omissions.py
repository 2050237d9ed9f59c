"""The parts of notes that have no words on paper: code for Obsidian, and styles of HTML elements."""

import re
from collections.abc import Mapping

from vaultkit.sheets.text.plugin_words import plugin_markdown
from vaultkit.text import format_count, join_words
from vaultkit.vault.markdown import Node

STYLE_PREFIX = "style "
"""The beginning of the names under which properties of HTML elements that are not printed are counted."""
_QUERY = re.compile(r"\$?=\s*(?:this\b|dv\.|\[\[|\w+\()|(?:INPUT|VIEW|BUTTON)\[")
"""Inline code that Dataview or Meta Bind evaluates."""
_QUERY_BLOCKS = {
    "dataview", "dataviewjs", "datacorejsx", "datacorejs", "datacore", "button", "meta-bind", "meta-bind-button",
    "tasks", "query", "base", "tracker", "kanban", "chart", "advanced-chart", "timeline", "timeline-vis",
    "ob-timelines", "aat-vertical", "aat-horizontal", "excalidraw", "excalidraw-json", "compressed-json", "img-gallery",
    "gallery", "toc", "table-of-contents", "calendarium", "mapview", "embed", "cardlink", "initiative-tracker",
    "todoist",
}  # fmt: skip
"""Kinds of code blocks that query or steer Obsidian, or that only a plug-in can draw: they have no words on paper."""


def obsidian_only_kind(node: Node) -> str:
    """Return the kind of code that only Obsidian can evaluate, such as `inline formula`; "" for other nodes."""
    if node.kind == "Code":
        return "inline formula" if _QUERY.match(node.text.strip()) else ""
    kind = node.type_name if node.kind == "CodeBlock" else ""
    return f"{kind} block" if kind in _QUERY_BLOCKS and plugin_markdown(kind, node.words()) is None else ""


def describe_omissions(kinds: Mapping[str, int]) -> str:
    """Return sentences that count the omitted parts and name the styles that are not printed; "" without any."""
    numbers = {kind: number for kind, number in kinds.items() if number}
    styles = sorted(kind.removeprefix(STYLE_PREFIX) for kind in numbers if kind.startswith(STYLE_PREFIX))
    counts = [format_count(number, kind) for kind, number in numbers.items() if not kind.startswith(STYLE_PREFIX)]
    sentences = [f"Left out, since only Obsidian can show it: {join_words(counts)}."] if counts else []
    sentences += [f"Styles of HTML elements that are not printed: {join_words(styles)}."] if styles else []
    return " ".join(sentences)
