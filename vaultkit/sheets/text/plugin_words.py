"""The words in code blocks of plug-ins that set columns, tabs, timelines, charts and link cards, as Markdown."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from vaultkit.sheets.text.stat_block import read_keys, to_text

LAYOUT_KINDS = {"column-settings", "multi-column-settings", "start-multi-column", "multi-column-start"}
"""Kinds of blocks that only say how columns look."""
_SEPARATOR = re.compile(r"^\s*={3,}\s*$", re.MULTILINE)
_TAB = re.compile(r"^(?:tab:|---+(?=\s*\S))[ \t]*(.*)$", re.MULTILINE)
_LABELLED_EVENT = re.compile(r"^(date|title|content)\s*:[ \t]*", re.MULTILINE)
_SETTINGS_LINE = re.compile(r"\[(?:line|body)-\d.*\]")
_EVENT_PART = re.compile(r"^\+[ \t]*(.*(?:\n(?!\+).*)*)", re.MULTILINE)
_CHRONOS_EVENT = re.compile(r"[-@*=]\s*\[([^\]]*)\]\s*(?:#\w+\s*)?(?:\{([^}]*)\}\s*)?([^|]*)(?:\|(.*))?$")
_QUERY_LINE = re.compile(r"[\w/#-]+(?:;[\w/#-]*)*|\w+\s*=.*")


def plugin_markdown(kind: str, source: str) -> str | None:
    """Return the words of a plug-in's code block as Markdown; None for a kind without words of its own."""
    is_mermaid_timeline = kind == "mermaid" and source.split(maxsplit=1)[:1] == ["timeline"]
    convert = _mermaid_timeline if is_mermaid_timeline else _CONVERTERS.get(kind)
    return convert(source) if convert else None


def _column(source: str) -> str:
    """Return the content of a column, without the settings above the line that separates them."""
    return _SEPARATOR.split(source, maxsplit=1)[-1]


def _columns(source: str) -> str:
    parts = _SEPARATOR.split(source)
    return "\n\n".join(part.strip("\n") for part in parts[len(parts) > 1 :])


def _tabs(source: str) -> str:
    parts = _TAB.split(source)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return "\n\n".join(f"**{title.strip()}**\n\n{content.strip()}" for title, content in pairs) or source


def _timeline(source: str) -> str | None:
    """Return the events of a timeline; None for a timeline that is a query for notes."""
    lines = [line for line in source.split("\n") if not _SETTINGS_LINE.match(line.strip())]
    source = "\n".join(lines).strip()
    if not source or all(_QUERY_LINE.fullmatch(line.strip()) for line in source.split("\n") if line.strip()):
        return None
    parts = [part.strip() for part in _EVENT_PART.findall(source)]
    if not parts:
        parts = [value.strip() for value in _LABELLED_EVENT.split(source)[2::2]]
    if not parts:
        return source
    return "\n\n".join(_event_markdown(parts[n : n + 3]) for n in range(0, len(parts), 3))


def _event_markdown(parts: list[str]) -> str:
    """Return the date, the title and the text of an event as paragraphs."""
    date, *others = parts
    head = " ".join(filter(None, [f"**{date}**" if date else "", *others[:1]]))
    return "\n\n".join(filter(None, [head, *others[1:]]))


def _chronos(source: str) -> str:
    events = list[str]()
    for line in source.split("\n"):
        if match := _CHRONOS_EVENT.match(line.strip()):
            dates, group, title, text = ((part or "").strip() for part in match.groups())
            words = [
                f"**{dates.replace('~', ' – ')}**",
                f"{group}:" if group else "",
                title,
                f"– {text}" if text else "",
            ]
            events.append(f"- {' '.join(filter(None, words))}")
    return "\n".join(events) or source


def _mermaid_timeline(source: str) -> str:
    events = list[str]()
    for line in map(str.strip, source.split("\n")):
        word, _, rest = line.partition(" ")
        date, _, rest_of_line = (part.strip() for part in line.partition(":"))
        if word in {"title", "section"}:
            events.append(f"\n**{rest.strip()}**\n")
        elif line and word not in {"timeline", "%%"}:
            words = f"**{date}**" if date else "", rest_of_line.replace(" : ", "; ")
            events.append(f"- {' '.join(filter(None, words))}")
    return "\n".join(events)


def _chart(source: str) -> str | None:
    """Return the numbers of a chart as a table; None for a chart that takes them from elsewhere."""
    chart = read_keys(source) or {}
    labels, series = chart.get("labels"), chart.get("series")
    if not (isinstance(labels, list) and isinstance(series, list)):
        return None
    columns = [entry for entry in series if isinstance(entry, Mapping) and isinstance(entry.get("data"), list)]
    rows = [["", *(to_text(column.get("title")) for column in columns)]]
    rows += [[to_text(label), *(_value(column["data"], n) for column in columns)] for n, label in enumerate(labels)]
    lines = ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]) if columns else None


def _value(data: list[Any], index: int) -> str:
    return to_text(data[index]) if index < len(data) else ""


def _card(source: str) -> str | None:
    """Return the link of a card, with its title and description; None without an address."""
    card = read_keys(source) or {}
    url, title = to_text(card.get("url")), to_text(card.get("title"))
    return f"[{title or url}](<{url}>)\n\n{to_text(card.get('description'))}" if url else None


_CONVERTERS: Mapping[str, Callable[[str], str | None]] = {
    "col": str, "col-md": _column, "columns": _columns, "tabs": _tabs, "timeline": _timeline,
    "timeline-labeled": _timeline, "chronos": _chronos, "chart": _chart, "markmap": str, "cardlink": _card,
    "embed": _card,
}  # fmt: skip
