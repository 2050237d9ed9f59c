"""Removal of pictures from a note's tree, because a card shows one picture apart from its text."""

import re
from collections.abc import Iterator, Sequence

from vaultkit.sheets.text.html_tags import fold_line, html_lines
from vaultkit.sheets.text.inline import embeds_note, link_name
from vaultkit.theme import image_transcoding
from vaultkit.vault.links import is_external
from vaultkit.vault.markdown import Node

_PICTURE_TAG = re.compile("<(?:img|svg)", re.IGNORECASE)
_BREAKS = {"SoftBreak", "HardBreak"}
HOLDERS = {
    "Paragraph", "Heading", "List", "Item", "BlockQuote", "Details", "Summary", "Styled", "Table", "TableRow",
    "TableHead", "Link", "Strong", "Emphasis", "Highlight", "Underline", "Strikethrough",
}  # fmt: skip
"""The kinds of nodes that are removed when nothing is left in them."""


def remove_pictures(tree: Node) -> list[Node]:
    """Remove all pictures from a tree, and nodes that held nothing else; return the pictures in order."""
    _unfold_html(tree)
    pictures = list(_remove_pictures(tree))
    _drop_empty_callouts(tree)
    return pictures


def _is_picture(node: Node) -> bool:
    if node.kind != "Image" or embeds_note(node):
        return False
    return is_external(node.text) or image_transcoding.is_named_as_picture(link_name(node.text))


def _unfold_html(tree: Node) -> None:
    """Replace HTML that contains pictures by nodes."""
    for node in tree.walk():
        if any(child.kind == "InlineHtml" and _PICTURE_TAG.search(child.text) for child in node.children):
            node.children = fold_line(node.children)
        for number, child in enumerate(node.children):
            source = "".join(part.text for part in child.children) if child.kind == "HtmlBlock" else ""
            if _PICTURE_TAG.search(source):
                parts = [part for line in html_lines(source) for part in (Node("HardBreak"), *line)]
                node.children[number] = Node("Paragraph", children=parts[1:])


def _remove_pictures(node: Node) -> Iterator[Node]:
    children, drops_break = list[Node](), False
    for child in node.children:
        if _is_picture(child):
            yield child
            drops_break = True
            continue
        inner_pictures = list(_remove_pictures(child))
        yield from inner_pictures
        if inner_pictures and child.kind in HOLDERS and _is_empty(child):
            drops_break = True
        elif not (drops_break and child.kind in _BREAKS and (not children or children[-1].kind in _BREAKS)):
            children, drops_break = [*children, child], drops_break and _is_blank(child)
    node.children = children


def _is_blank(node: Node) -> bool:
    return node.kind == "Text" and not node.text.strip()


def _is_empty(node: Node) -> bool:
    """Return whether a node has no text; check boxes and table cells without text do not count."""
    return all(part.kind in {*HOLDERS, "TableCell", "Task", *_BREAKS} or _is_blank(part) for part in node.walk())


def _drop_empty_callouts(tree: Node) -> None:
    for node in tree.walk():
        node.children = [child for child in node.children if child.kind != "Callout" or _has_text(child.children)]


def _has_text(parts: Sequence[Node]) -> bool:
    title, *body = parts
    return bool(title.words().strip() or body)
