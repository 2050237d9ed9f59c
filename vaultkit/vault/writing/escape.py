"""People's words made safe for notes: a player may be called anything, and a note must stay what it is."""

import json
import re
from collections.abc import Callable
from unicodedata import category

_SPECIAL = re.compile(
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
_LEADING = re.compile(r"^(?=[-+>=])|^([0-9]{1,9})(?=[.)](?: |$))")
"""The beginning of a quotation or a list. A number with its point is one only before a space or nothing: not 7.5."""
_PLAIN_SCALAR = re.compile(r"[A-Za-z][\w /+-]*", re.ASCII)
_WORDS_OF_YAML = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


def clean(text: str) -> str:
    """One line: white space of any kind is one space; control characters and halves of characters are gone."""
    spaced = " ".join(text.split())
    kept = "".join(char for char in spaced if category(char) not in {"Cc", "Cs"} and char not in _BIDI)
    return " ".join(kept.split())


def markdown(text: str) -> str:
    """One line that Obsidian shows as it is: no heading, link, tag, comment, code or HTML comes of it."""
    return _LEADING.sub(r"\1\\", _special_escaped(clean(text)))


def with_links(text: str, link: Callable[[str], str]) -> str:
    """As `markdown`, but a wikilink that `link` knows stays one, as it spells it; for "" its brackets are escaped.

    What would be embedded is text.
    """
    links = {piece: link(piece) for piece in _WIKILINK.findall(clean(text))}
    pieces = _WIKILINK.split(clean(text))
    return _LEADING.sub(r"\1\\", "".join(links.get(piece) or _special_escaped(piece) for piece in pieces))


def property_text(text: str) -> str:
    """One line for a property, where nothing can be escaped: what would make it a link is loosened."""
    loosened = re.sub(r"\[{2,}", "[", re.sub(r"\]{2,}", "]", clean(text)))
    return loosened.replace("](", "] (").replace("://", ": //").replace("<%", "< %")


def yaml_scalar(value: object) -> str:
    """A YAML 1.2 scalar that reads back as `value`, a number or a text; texts are quoted where they need it."""
    if isinstance(value, int | float):
        return json.dumps(value)
    text = str(value)
    if _PLAIN_SCALAR.fullmatch(text) and not text.endswith(" ") and text.lower() not in _WORDS_OF_YAML:
        return text
    return json.dumps(clean(text), ensure_ascii=False)


def _special_escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)
