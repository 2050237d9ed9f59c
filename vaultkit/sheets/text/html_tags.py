"""Conversion of HTML tags in a note to Markdown nodes; all words that Obsidian shows are kept."""

import re
from base64 import b64encode
from collections.abc import Iterator
from html import escape

from vaultkit.sheets.text.html_styles import COLUMN, PAGE, StyledNode, read_style
from vaultkit.sheets.text.page_marks import fold_marks
from vaultkit.vault.entities import unescape_references
from vaultkit.vault.markdown import MAX_DEPTH, Node

_BLOCK_TAGS = (
    "div|p|center|section|article|header|footer|aside|main|nav|figure|figcaption|address|blockquote|pre|details|summary"
    "|ul|ol|li|dl|dt|dd|table|thead|tbody|tfoot|tr|caption|h[1-6]|hr|br|form|fieldset|legend|option|hgroup|menu|dialog"
)
"""Tags that begin a new line."""
_INLINE_KINDS = {
    "b": "Strong", "strong": "Strong", "i": "Emphasis", "em": "Emphasis", "cite": "Emphasis", "dfn": "Emphasis",
    "var": "Emphasis", "s": "Strikethrough", "del": "Strikethrough", "strike": "Strikethrough", "mark": "Highlight",
    "u": "Underline", "ins": "Underline", "sup": "Superscript", "rt": "Superscript", "sub": "Subscript", "kbd": "Key",
    "code": "Key", "tt": "Key", "samp": "Key", "a": "Link", "style": "Unseen", "script": "Unseen", "template": "Unseen",
    "title": "Unseen",
    "video": "Unseen", "audio": "Unseen", "iframe": "Unseen", "object": "Unseen",
}  # fmt: skip
"""The kinds of nodes by inline tags; the content of `Unseen` ones is not printed."""
_MEDIA_NAMES = {
    "video": "video",
    "audio": "sound",
    "iframe": "page",
    "object": "file",
    "embed": "file",
}
"""The names that are printed in place of media that cannot be printed."""
_IGNORED_TAGS = (
    "small|big|span|font|abbr|acronym|q|th|td|colgroup|col|ruby|rp|rb|rtc|wbr|bdi|bdo|time|label|data|datalist|output"
    "|button|select|optgroup|textarea|meter|progress|picture|source|track|map|area|nobr|html|head|body|meta|link|base"
)
_VOID_TAGS = "img|input|embed"
"""Tags without content that are replaced by nodes."""
_ANY_TAG = re.compile(
    rf"<!--(?:.*?-->|(?P<open>.*\Z))"
    rf"|<(?P<end>/?)(?P<name>{_BLOCK_TAGS}|{'|'.join(_INLINE_KINDS)}|{_IGNORED_TAGS}|{_VOID_TAGS})(?P<more>\s[^<>]*)?/?>",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([a-z-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""", re.IGNORECASE)
_BLOCK_TAG = re.compile(_BLOCK_TAGS, re.IGNORECASE)
_HTML_KINDS = {"HtmlBlock", "Html", "InlineHtml"}
_STYLED_TAGS = {"span", "font"}
"""Tags that mean nothing but the look of their content."""
DRAWING_TAG = re.compile(r"<(/?)svg(?:\s[^<>]*?)?(/?)>", re.IGNORECASE)
_HEADING_NAME = re.compile("h[1-6]")


def count_open(pattern: re.Pattern[str], text: str) -> int:
    """Return the number of elements that begin in a text and do not end there; `pattern` is that of their tags."""
    return sum(-1 if tag[1] else not tag[2] for tag in pattern.finditer(text))


def embed_drawings(text: str) -> str:
    """Return HTML with an `img` element in place of each `svg` element; one that is not closed ends with the text."""
    parts, end, depth = list[str](), 0, 0
    for tag in DRAWING_TAG.finditer(text):
        if depth or not tag[1]:
            if not depth:
                parts.append(text[end : tag.start()])
                end = tag.start()
            depth += -1 if tag[1] else not tag[2]
            if not depth:
                parts.append(_drawing_tag(text[end : tag.end()]))
                end = tag.end()
    return "".join([*parts, _drawing_tag(text[end:]) if depth else text[end:]])


def _drawing_tag(source: str) -> str:
    return f'<img src="data:image/svg+xml;base64,{b64encode(source.encode("utf-8", "replace")).decode()}">'


def drawing_source(node: Node) -> str:
    """Return the HTML of a node that lies inside an `svg` element."""
    if node.kind in _HTML_KINDS:
        return node.text or "".join(map(drawing_source, node.children))
    if node.kind == "CodeBlock":
        return node.words()
    return "".join(map(drawing_source, node.children)) or escape(node.text) or " "


def _join_drawings(nodes: list[Node]) -> Iterator[Node]:
    """Yield the nodes of a line, with one node of HTML in place of each `svg` element."""
    source, depth = "", 0
    for node in nodes:
        opened = count_open(DRAWING_TAG, node.text) if node.kind in _HTML_KINDS else 0
        if depth or opened > 0:
            source, depth = source + drawing_source(node), depth + opened
            if depth <= 0:
                yield Node("InlineHtml", embed_drawings(source))
                source = ""
        else:
            yield node
    if source:
        yield Node("InlineHtml", embed_drawings(source))


def fold_line(nodes: list[Node]) -> list[Node]:
    """Return the nodes of a line, with a node in place of each HTML element and each mark for a page break.

    An element that is not closed ends with the line.
    """
    nodes = fold_marks(nodes)
    if not any(node.kind in _HTML_KINDS for node in nodes):
        return nodes
    stack = [("", Node("Line"))]
    for node in _join_drawings(nodes):
        tag = _ANY_TAG.fullmatch(node.text.strip()) if node.kind in _HTML_KINDS else None
        if tag is None or tag["open"]:
            stack[-1][1].children.append(Node("Text", node.text) if node.kind in _HTML_KINDS else node)
        elif tag["name"]:
            _apply_tag(stack, tag["name"].lower(), tag)
    return stack[0][1].children


_OpenNodes = list[tuple[str, Node]]
"""The nodes of open elements, each with the kind or the name of the tag that closes it."""


def _apply_tag(stack: _OpenNodes, name: str, tag: re.Match[str]) -> None:
    """Apply a tag to the open nodes: add a line break or the nodes that replace the tag, or open or close a node."""
    parent, kind = stack[-1][1], _INLINE_KINDS.get(name)
    is_block = bool(_BLOCK_TAG.fullmatch(name))
    if is_block and (name == "br" or not parent.children or parent.children[-1].kind != "HardBreak"):
        parent.children.append(Node("HardBreak"))
    if tag["end"]:
        _close_nodes(stack, kind or name)
        return
    attributes = parse_attributes(tag["more"] or "")
    style, nodes = read_style(name, attributes), _replacement_nodes(name, attributes)
    parent.children += break_nodes(style.break_before)
    if is_block and name != "br" and style.break_after:
        nodes = [*nodes, *break_nodes(style.break_after)]  # most of them are empty
    is_styled = (style.has_text_look or style.ignored) and name not in _VOID_TAGS.split("|")
    kind = None if kind == "Highlight" and style.ground else kind
    kind = "Unseen" if style.is_hidden else kind or ("Styled" if is_styled or name in _STYLED_TAGS else None)
    if kind is not None and len(stack) < MAX_DEPTH:
        node = Node(kind, attributes.get("href", "") if kind == "Link" else "", nodes, len(nodes))
        outer = node
        if is_styled and kind != "Unseen":
            outer = StyledNode("Styled", children=[node] if kind != "Styled" else nodes, style=style)
        parent.children.append(outer)
        stack.append((_INLINE_KINDS.get(name) or name, outer if kind == "Styled" else node))
    elif parent.kind != "Unseen":
        parent.children += nodes
    elif not parent.number:
        parent.children[:0] = nodes
        parent.number = len(nodes)


def break_nodes(kind: str) -> list[Node]:
    """Return the node of a break to the next page or column; [] for other breaks."""
    return [Node("Break", kind)] if kind in {PAGE, COLUMN} else []


def _close_nodes(stack: _OpenNodes, key: str) -> None:
    """Close nodes down to the innermost one with a key; of hidden content only the replacement text is kept."""
    if not any(open_key == key for open_key, _ in stack[1:]):
        return
    while (top := stack.pop())[0] != key:
        pass
    if top[1].kind == "Unseen":
        del top[1].children[top[1].number or 0 :]


def parse_attributes(source: str) -> dict[str, str]:
    """Return the attributes of a tag by name in lower case."""
    matches = _ATTRIBUTE.finditer(source)
    return {match[1].lower(): unescape_references(match[2] or match[3] or match[4] or "") for match in matches}


def _replacement_nodes(name: str, attributes: dict[str, str]) -> list[Node]:
    """Return the nodes that replace a tag: a picture, a check box, a bullet, or the name of unprintable media.

    `attributes` are those of the tag.
    """
    source = attributes.get("src") or attributes.get("data", "")
    if name in {"li", "td", "th"}:
        return [Node("Text", "• " if name == "li" else " ")]
    if name == "img":
        style = read_style(name, attributes)
        height = attributes.get("height", "").removesuffix("px")
        size = f"{style.width}x{height}" if height.isdecimal() and not style.width.endswith("%") else style.width
        size = f"0{size}" if size.startswith("x") else size
        parts = [attributes.get("alt", ""), style.side and f"float-{style.side}", size]
        return [Node("Image", source, [Node("Text", "|".join([parts[0], *filter(None, parts[1:])]))], 0)]
    if name == "input":
        ticked = "checked" in attributes
        return [Node("Text", "☑" if ticked else "☐")] if attributes.get("type") == "checkbox" else []
    if name == "iframe" and source:
        return [Node("Text", "[page "), Node("Link", source, [Node("Text", source)]), Node("Text", "]")]
    if name in _MEDIA_NAMES and source:
        return [Node("Text", f"[{_MEDIA_NAMES[name]}{f' {source}' if source else ''}]")]
    return [Node("Text", f"[file {source}]")] if name == "source" and source else []


def html_lines(text: str) -> Iterator[list[Node]]:
    """Yield the nodes of each line of an HTML text that is not empty.

    Tags that mean nothing on paper are dropped, and unknown ones stay as text.
    """
    for line in _split_lines(text):
        folded = fold_line(line)
        if any(node.kind == "Image" or node.words().strip() for part in folded for node in part.walk()):
            yield folded


def _split_lines(text: str) -> Iterator[list[Node]]:
    one_line, line_nodes, tag_end = " ".join(embed_drawings(text).split()), list[Node](), 0
    for tag in _ANY_TAG.finditer(one_line):
        line_nodes += _text_nodes(one_line[tag_end : tag.start()])
        tag_end = tag.end()
        name = (tag["name"] or "").lower()
        if tag["open"]:  # a comment that is never closed is text
            line_nodes += _text_nodes(tag[0])
            continue
        if not _BLOCK_TAG.fullmatch(name):
            line_nodes.append(Node("InlineHtml", tag[0]))
            continue
        yield line_nodes
        line_nodes = [] if tag["end"] else _replacement_nodes(name, {})
        if not tag["end"] and _HEADING_NAME.fullmatch(name):
            line_nodes = [*line_nodes, Node("InlineHtml", "<b>")]
    yield line_nodes + _text_nodes(one_line[tag_end:])


def _text_nodes(words: str) -> list[Node]:
    return [Node("Text", unescape_references(words))] if words else []
