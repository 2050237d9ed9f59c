"""Links that Obsidian itself does not see: in dice rollers, in code blocks that plugins render, and in raw HTML (L5).

Each public function yields the links of one element of a note, `text[start:end]`, as the Markdown parser delimits it.
Offsets refer to the whole note, and no link spans a line break.
"""

import re
from collections.abc import Callable, Iterator

from vaultkit.vault.entities import unescape_references
from vaultkit.vault.links import Kind, Link, decode_uri, is_external, split_destination, split_wikilink
from vaultkit.vault.text_positions import LINE_END, Places

_WIKI = r"\[(?!\[)(?P<wiki>(?:[^\[\]\r\n]++|\[(?!\[)|\](?!\]))+)\]\]"
_ANGLED = r"<(?P<angled>[^<>\r\n]*)>"
_TITLE = r"""(?:[ \t]+(?:"[^"\r\n]*"|'[^'\r\n]*'|\([^()\r\n]*\)))?"""
# Limited, since matching a line of many brackets and backslashes would otherwise take quadratic time.
_DISPLAY_TEXT = r"(?P<shown>(?:[^\[\]\r\n\\]++|\\[^\r\n]|\[[^\[\]\r\n]*+\]){0,200})\]"
_MARKDOWN = rf"{_DISPLAY_TEXT}\([ \t]*(?:{_ANGLED}|(?P<bare>(?:[^\s()<>]++|\([^\s()<>]*+\))+)){_TITLE}[ \t]*\)"
_LINK = rf"\[(?:{_WIKI}|{_MARKDOWN})"
_FENCED = r"^[ \t>]*(?:[-+*][ \t]+)?(?P<mark>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*\n(?s:.*?)(?:^[ \t>]*(?P=mark)|\Z)"
_CODE = r"(?P<code>(?<!`)(?P<tick>`++)(?:[^`\r\n]++|(?!(?P=tick)(?!`))`++)*(?P=tick)(?!`))"

_LINKS = re.compile(_LINK)
_MARKDOWN_LINKS = re.compile(rf"{_FENCED}|{_CODE}|\\[^\r\n]|{_LINK}", re.MULTILINE)

_DICE_PREFIX = re.compile(r"`+[ \t]?dice(?:[+-]|-mod|-no-roll)?:")
# Unlike Markdown, the plugin allows spaces in a destination.
_DICE_LINKS = re.compile(rf"\[(?:{_WIKI}|{_DISPLAY_TEXT}\((?:{_ANGLED}|(?P<bare>(?:[^()\r\n]++|\([^()\r\n]*+\))+))\))")

_LINK_NOTATIONS = {
    "statblock": "yaml",
    "encounter": "yaml",
    "encounter-table": "yaml",
    "leaflet": "yaml",
    "dataview": "query",
}
"""The languages of code blocks that hold links, and the notation of the text around the links."""
_LIST_IN_LIST = re.compile(r"""\s*(?:["']|[^\[]*\[|[\d\s.,+-]+\Z)""")
"""The content of double brackets in YAML that mean nested lists, not links: `[["blue", [32, -89]]]`, `[[1, 2]]`."""
_MAX_LOOKBEHIND_CHARS = 4_000
"""The number of characters before a link that are searched for an opening quote."""

_VALUE = r"""(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<plain>[^\s"'=<>`]++))"""
_ATTRIBUTE = rf"""[\s/]*+(?P<name>[^\s"'<>/=]++)(?:\s*+=\s*+{_VALUE})?"""
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_HTML_TAG = re.compile(
    r"<!--(?:-?>|.*?(?:-->|\Z))|<(?P<raw>script|style)\b.*?(?:</(?P=raw)|\Z)"
    rf"|<(?P<tag>a|img)(?=[\s/>])(?P<attributes>(?:{re.sub('[?]P<[a-z]+>', '?:', _ATTRIBUTE)})*)[\s/]*+>",
    re.IGNORECASE | re.DOTALL,
)
_ANCHOR_TEXT = re.compile(r"[^<\r\n]*+(?=</a\b)", re.IGNORECASE)


def links_in_code(text: str, start: int, end: int, places: Places) -> Iterator[Link]:
    """Yield the links in a code span, given with its backticks, if it is for the dice roller plugin.

    The plugin decodes the paths of wikilinks and Markdown links, and takes `[[Note^id]]` for `[[Note#^id]]` (S5).
    """
    if not _DICE_PREFIX.match(text, start, end):
        return
    for match in _DICE_LINKS.finditer(text, start, end):
        if link := _make_link("dice", match, places):
            yield link


def links_in_fence(info: str, text: str, start: int, end: int, places: Places) -> Iterator[Link]:
    """Yield the links of a code block, given with its fences, whose language is the first word of `info`.

    Statblocks, encounters, maps and Dataview queries hold links as text; an admonition holds Markdown. Code in other
    languages has no links.
    """
    language = next(iter(info.lower().split(maxsplit=1)), "")
    if not (language in _LINK_NOTATIONS or language.startswith("ad-")):
        return
    if text.find("[[", start, end) < 0 and text.find("](", start, end) < 0:
        return
    inner_start = _find_inner_start(text, start, end)
    if language.startswith("ad-"):
        yield from _links_in_admonition(text, inner_start, end, places)
        return
    is_yaml = _LINK_NOTATIONS[language] == "yaml"
    may_be_quoted = is_yaml and (text.find("''", start, end) >= 0 or text.find('\\"', start, end) >= 0)
    for match in _LINKS.finditer(text, inner_start, end):
        if match["wiki"] and (_is_nested_list if is_yaml else _is_query_code)(match):
            continue
        is_quoted = may_be_quoted and ("''" in match[0] or '\\"' in match[0])
        if link := _make_link("fence", match, places, _yaml_unquoter(match) if is_quoted else None):
            yield link


def _is_nested_list(match: re.Match[str]) -> bool:
    """Return whether double brackets in YAML mean a nested list, not a link."""
    unquoted = match.string[match.start() - 1 : match.start()] not in ('"', "'")
    return bool(_LIST_IN_LIST.match(match["wiki"]) or (unquoted and "," in match["wiki"]))


def _is_query_code(match: re.Match[str]) -> bool:
    """Return whether double brackets in a query are part of a string or an index, not a link.

    Examples: `"[[" + name + "]]"`, `rows[[0]]`.
    """
    text, start = match.string, match.start()
    line = _line_start(text, start)
    return text.count('"', line, start) % 2 == 1 or text[start - 1 : start].isalnum() or '"' in match["wiki"]


def _line_start(text: str, offset: int) -> int:
    """Return the start of the line at an offset; in a very long line, the earliest offset that may be searched."""
    search_start = max(offset - _MAX_LOOKBEHIND_CHARS, 0)
    return max(text.rfind("\n", search_start, offset) + 1, search_start)


def links_in_html(text: str, start: int, end: int, places: Places) -> Iterator[Link]:
    """Yield the links of raw HTML, a tag or a block, that lead into the vault: `<a href>` and `<img src>`.

    The offsets of a link span the value of the attribute, without quotes.
    """
    for tag in _HTML_TAG.finditer(text, start, end):
        if tag["tag"] is not None and (link := _make_html_link(tag, places)):
            yield link


def _find_inner_start(text: str, start: int, end: int) -> int:
    if not text.startswith(("```", "~~~"), start):
        return start
    line_end = LINE_END.search(text, start, end)
    return line_end.end() if line_end else end


def _links_in_admonition(text: str, start: int, end: int, places: Places) -> Iterator[Link]:
    """Yield the links of an admonition's Markdown; code in it has links only in dice rollers."""
    for match in _MARKDOWN_LINKS.finditer(text, start, end):
        if match["code"] is not None:
            yield from links_in_code(text, *match.span(), places)
        elif (match["wiki"] or match["shown"]) is not None and (link := _make_link("fence", match, places)):
            yield link


def _yaml_unquoter(match: re.Match[str]) -> Callable[[str], str]:
    """Return a function that removes YAML's escapes of quotes from parts of the link.

    The link is in single quotes if the number of `'` before it on the line is odd, else in double quotes.
    """
    text, start = match.string, match.start()
    if text.count("'", _line_start(text, start), start) % 2:
        return lambda text: text.replace("''", "'")
    return lambda text: text.replace('\\"', '"')


def _make_link(
    kind: Kind, match: re.Match[str], places: Places, unquote: Callable[[str], str] | None = None
) -> Link | None:
    """Return the link of a match, or None for `[[]]` and `[[#]]`, which Dataview uses for the note itself."""
    start, end = match.span()
    embed = start > match.pos and match.string[start - 1] == "!"
    wiki, text, bare, angled = match.group("wiki", "shown", "bare", "angled")
    if wiki is not None:
        text, path, subpath = split_wikilink(unquote(wiki) if unquote else wiki)
        path = decode_uri(path) if kind == "dice" else path
        external = False
    else:
        destination = bare or angled or ""
        text, destination = (unquote(text), unquote(destination)) if unquote else (text, destination)
        external = is_external(destination)
        path, subpath = (destination, "") if external else split_destination(destination)
    if kind == "dice" and not (subpath or external):
        path, caret, block = path.partition("^")
        path, subpath = path.strip(), f"{caret}{block.strip()}"
    if not (path or subpath):
        return None
    return Link(kind, embed, text, path, subpath, *places.extent(start - embed, end), external)


def _make_html_link(tag: re.Match[str], places: Places) -> Link | None:
    is_image = tag["tag"].lower() == "img"
    attributes = _find_attributes(tag)
    is_internal = "internal-link" in _attribute_value(attributes.get("class")).split()
    attribute = attributes.get("src") if is_image else attributes.get("data-href") or attributes.get("href")
    destination = _attribute_value(attribute).strip()
    if attribute is None or _leads_out_of_vault(destination, is_internal) or LINE_END.search(destination):
        return None
    path, subpath = split_destination(destination)
    extent = places.extent(*attribute.span(attribute.lastgroup or 0))
    return Link("html", is_image, _html_text(tag, attributes), path, subpath, *extent)


def _find_attributes(tag: re.Match[str]) -> dict[str, re.Match[str]]:
    """Return the matches of a tag's attributes with a value, by name in lower case; of duplicates the first."""
    attributes: dict[str, re.Match[str]] = {}
    for attribute in _ATTRIBUTES.finditer(tag.string, *tag.span("attributes")):
        if attribute.lastgroup != "name":
            attributes.setdefault(attribute["name"].lower(), attribute)
    return attributes


def _attribute_value(attribute: re.Match[str] | None) -> str:
    return unescape_references(attribute[attribute.lastgroup or 0]) if attribute else ""


def _leads_out_of_vault(destination: str, internal: bool) -> bool:
    """Return whether a destination is empty, a web address or an anchor in the HTML itself, not a file of the vault."""
    if internal:
        return "://" in destination or not destination
    return is_external(destination) or destination.startswith(("//", "#", "?")) or not destination


def _html_text(tag: re.Match[str], attributes: dict[str, re.Match[str]]) -> str:
    """Return the alternative text of an image, or the text between `<a>` and `</a>` if it has no tags."""
    if tag["tag"].lower() == "img":
        return _attribute_value(attributes.get("alt"))
    inner = _ANCHOR_TEXT.match(tag.string, tag.end())
    return unescape_references(inner[0]) if inner else ""
