"""Escaping of text that users typed, such as players' names, so that it cannot change a note's structure."""

import json
import re
from collections.abc import Callable
from unicodedata import category

_SPECIAL_CHARACTERS = re.compile(
    r"""
    [\\`*_\[\]<|#^$]      # code, emphasis, links, HTML, table cells, tags, block ids, math
    | &(?=\#?\w+;)        # an entity
    | (?<=[%<])%          # a comment, and <% of Templater, which runs what stands behind it
    | (?<==)= | (?<=~)~   # highlight, strike-through
    | (?<=:): | (?<=:)/(?=/)   # a Dataview field, an address that becomes a link
    """,
    re.VERBOSE,
)
_WIKILINK = re.compile(r"(?<!!)(\[\[[^\[\]]+\]\])")
_LINE_START_MARKER = re.compile(r"^(?=[-+>=])|^([0-9]{1,9})(?=[.)](?: |$))")
"""The start of a line that Markdown may read as a quotation, a list item or an underline; 7.5 begins no list item."""
_PLAIN_SCALAR = re.compile(r"[A-Za-z][\w /+-]*", re.ASCII)
_YAML_KEYWORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


def clean_line(text: str) -> str:
    """Return the text as one line, with single spaces and without control characters and direction marks."""
    line = " ".join(text.split())
    chars = (char for char in line if category(char) not in {"Cc", "Cs"} and char not in _DIRECTION_MARKS)
    visible_chars = "".join(chars)
    return " ".join(visible_chars.split())


def escape_markdown(text: str) -> str:
    """Return one line that Obsidian shows literally: no heading, link, tag, comment, code or HTML."""
    return _LINE_START_MARKER.sub(r"\1\\", _escape_special(clean_line(text)))


def escape_except_links(text: str, replace_link: Callable[[str], str]) -> str:
    """Return the text escaped as Markdown, with its wikilinks replaced by the links that `replace_link` returns.

    Wikilinks for which it returns "" are escaped; so are embeds.
    """
    links = {piece: replace_link(piece) for piece in _WIKILINK.findall(clean_line(text))}
    pieces = _WIKILINK.split(clean_line(text))
    return _LINE_START_MARKER.sub(r"\1\\", "".join(links.get(piece) or _escape_special(piece) for piece in pieces))


def escape_property(text: str) -> str:
    """Return one line for a property; what would make a link is broken up, since properties have no escapes."""
    safe_text = re.sub(r"\[{2,}", "[", re.sub(r"\]{2,}", "]", clean_line(text)))
    return safe_text.replace("](", "] (").replace("://", ": //").replace("<%", "< %")


def format_yaml_scalar(value: object) -> str:
    """Return a number or a text, as one line, as a YAML 1.2 scalar; texts are quoted if needed."""
    if isinstance(value, int | float):
        return json.dumps(value)
    text = str(value)
    if _PLAIN_SCALAR.fullmatch(text) and not text.endswith(" ") and text.lower() not in _YAML_KEYWORDS:
        return text
    return json.dumps(clean_line(text), ensure_ascii=False)


def _escape_special(text: str) -> str:
    return _SPECIAL_CHARACTERS.sub(r"\\\g<0>", text)
