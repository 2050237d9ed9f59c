"""HTML in a note -> nodes as Markdown's own: what Obsidian shows of it, with no tag left over and no word lost."""

import re
from collections.abc import Iterator
from html import unescape

from vaultkit.vault.markdown import MAX_DEPTH, Node

_LINES = (
    "div|p|center|section|article|header|footer|aside|main|nav|figure|figcaption|address|blockquote|pre|details|summary"
    "|ul|ol|li|dl|dt|dd|table|thead|tbody|tfoot|tr|caption|h[1-6]|hr|br"
)
"""Tags that stand on lines of their own."""
_MEANT = {
    "b": "Strong", "strong": "Strong", "i": "Emphasis", "em": "Emphasis", "cite": "Emphasis", "s": "Strikethrough",
    "del": "Strikethrough", "mark": "Highlight", "u": "Underline", "ins": "Underline", "sup": "Superscript",
    "sub": "Subscript", "kbd": "Key", "code": "Key", "a": "Link",
}  # fmt: skip
"""The nodes that tags within a line become."""
_SILENT = "small|big|span|font|abbr|q|th|td|colgroup|col"
_TAG = re.compile(
    rf"<!--(?:.*?-->|(?P<open>.*\Z))|<(?P<end>/?)(?P<name>{_LINES}|{'|'.join(_MEANT)}|{_SILENT})(?P<more>\s[^<>]*)?/?>",
    re.IGNORECASE | re.DOTALL,
)
_ADDRESS = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_LINE = re.compile(_LINES, re.IGNORECASE)
_HOLDS = {"details": "Details", "summary": "Summary", "center": "Center"}
_HOLDER = re.compile(r"<(/?)(details|summary|center)(?:\s[^<>]*)?>", re.IGNORECASE)
_FORM = {"HtmlBlock", "Html", "InlineHtml"}


def fold_line(nodes: list[Node]) -> list[Node]:
    """The nodes of a line, with a node for what stands between two tags; one that is not closed ends with the line."""
    if not any(node.kind in _FORM for node in nodes):
        return nodes
    stack = [Node("Line")]
    for node in nodes:
        tag = _TAG.fullmatch(node.text.strip()) if node.kind in _FORM else None
        if tag is None or tag["open"]:
            stack[-1].children.append(Node("Text", node.text) if node.kind in _FORM else node)
        elif tag["name"]:
            _put(stack, tag)
    return stack[0].children


def _put(stack: list[Node], tag: re.Match[str]) -> None:
    """A tag's work: it breaks the line, or begins or ends a node."""
    name, siblings = tag["name"].lower(), stack[-1].children
    kind = _MEANT.get(name)
    if _LINE.fullmatch(name) and (name == "br" or not siblings or siblings[-1].kind != "HardBreak"):
        siblings.append(Node("HardBreak"))
    if name == "li" and not tag["end"]:
        siblings.append(Node("Text", "• "))
    if kind is None:
        return
    if not tag["end"]:
        if len(stack) > MAX_DEPTH:
            return
        node = Node(kind, _address(tag) if kind == "Link" else "")
        siblings.append(node)
        stack.append(node)
    elif any(node.kind == kind for node in stack[1:]):
        while stack.pop().kind != kind:
            pass


def _address(tag: re.Match[str]) -> str:
    found = _ADDRESS.search(tag["more"] or "")
    return unescape(found[1] or found[2] or found[3] or "") if found else ""


def html_lines(text: str) -> Iterator[list[Node]]:
    """A block of HTML, line by line; tags of no use to a reader on paper are gone, unknown ones stay as text."""
    flat, line, end = " ".join(text.split()), list[Node](), 0
    for tag in _TAG.finditer(flat):
        line += _text(flat[end : tag.start()])
        end = tag.end()
        name = (tag["name"] or "").lower()
        if tag["open"]:  # a comment that is never closed is text
            line += _text(tag[0])
            continue
        if not _LINE.fullmatch(name):
            line.append(Node("Text", " ") if name in {"td", "th"} and tag["end"] else Node("InlineHtml", tag[0]))
            continue
        yield line
        line = [Node("Text", "• ")] if name == "li" and not tag["end"] else []
    yield line + _text(flat[end:])


def _text(words: str) -> list[Node]:
    return [Node("Text", unescape(words))] if words else []


def fold_blocks(nodes: list[Node]) -> list[Node]:
    """Blocks: those between the two tags of `details` and `center` are held by a node of that kind."""
    if not any(node.kind == "HtmlBlock" for node in nodes):
        return nodes
    stack = [Node("Document")]
    for node in nodes:
        if node.kind == "HtmlBlock":
            _hold(stack, "".join(child.text for child in node.children))
        else:
            stack[-1].children.append(node)
    return stack[0].children


def _hold(stack: list[Node], text: str) -> None:
    """The words of a block of HTML, and its tags that hold other blocks, put on the stack."""
    end = 0
    for tag in _HOLDER.finditer(text):
        _keep(stack[-1], text[end : tag.start()])
        end, kind = tag.end(), _HOLDS[tag[2].lower()]
        if not tag[1]:
            if len(stack) > MAX_DEPTH:
                continue
            stack[-1].children.append(Node(kind))
            stack.append(stack[-1].children[-1])
        elif any(node.kind == kind for node in stack[1:]):
            while stack.pop().kind != kind:
                pass
    _keep(stack[-1], text[end:])


def _keep(holder: Node, text: str) -> None:
    if text.strip():
        holder.children.append(Node("HtmlBlock", children=[Node("Html", text)]))
