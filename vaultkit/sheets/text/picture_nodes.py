"""Caption, size and position of pictures in a note, and text that replaces unusable pictures."""

import re

from vaultkit.sheets.text.inline import link_name
from vaultkit.vault.markdown import Node

_WRAPPER_KINDS = {"Link", "Strong", "Emphasis", "Highlight", "Underline"}
WEB_ADDRESS = re.compile(r"https?:", re.IGNORECASE)
_SIDE_SHARES = {"left": 0.0, "center": 0.5, "right": 1.0, "float-left": 0.0, "float-right": 1.0}
"""Horizontal positions of pictures, from 0 at the left to 1, by the words for them in Obsidian style sheets."""
_VIDEO_ADDRESS = r"https?://(?:[\w-]+\.)?(?:youtube\.com|youtu\.be|vimeo\.com)/|\.(?:mp4|webm|mov|mkv)(?:[?#]|\Z)"
_VIDEO = re.compile(_VIDEO_ADDRESS, re.IGNORECASE)
"""A pattern for addresses of videos, which Obsidian plays in place of a picture."""
_SIZE_TEXT = re.compile(r"(\d{1,5})(?:x(\d{1,5})|(%))?")
_FULL_WIDTH_PT = 525.0
"""The width of a note's text in Obsidian, 700 pixels, in points."""
POINTS_PER_PIXEL = 0.75
"""The size of a pixel in points, as in browsers."""
MAX_WIDTHS_PT_BY_STYLE_HINT = {"token": 84.0, "symbol": 48.0, "card": 132.0, "portrait": 150.0}
"""The maximum widths of pictures in points, by the words that converters write after `#` in their paths."""


def style_hint(node: Node) -> str:
    """Return the word after `#` in a picture's path, such as `token`, a hint for style sheets; "" if there is none."""
    return node.text.rpartition("#")[2].lower()


def unwrap_picture(node: Node) -> Node:
    """Return the picture in a node, such as a link, that holds nothing else; any other node is returned itself."""
    inner_node = node
    while inner_node.kind in _WRAPPER_KINDS and len(inner_node.children) == 1:
        inner_node = inner_node.children[0]
    return inner_node if inner_node.kind == "Image" else node


def side_of(node: Node) -> float:
    """Return the horizontal position of a picture, from 0 at the left to 1 at the right."""
    sides = (_SIDE_SHARES[word] for part in node.words().split("|") if (word := part.strip().lower()) in _SIDE_SHARES)
    return next(sides, 0.5)


def is_from_html(node: Node) -> bool:
    """Return whether a picture floats in HTML, where its words are only read aloud."""
    return any(part.startswith("float-") for part in node.words().split("|"))


def floats(node: Node) -> bool:
    """Return whether text stands beside a picture: one that is set to the left or right side."""
    return side_of(node) != _SIDE_SHARES["center"]


def size_of(node: Node, full_width: float = _FULL_WIDTH_PT) -> tuple[str, tuple[float, float] | None]:
    """Return the words of a picture, and the size that follows them, such as `|60`, `|100x50` or `|50%`.

    The size is the width and height in points, with 0 for one that is not given, or None. A percentage is that of
    `full_width`, in points.
    """
    parts = node.words().split("|")
    *words, last = [part for part in parts if part.strip().lower() not in _SIDE_SHARES or parts == [part]] or [""]
    match = _SIZE_TEXT.fullmatch(last.strip())
    if match is None or not int(match[1]) + int(match[2] or 0):
        return "" if node.number and node.words() == node.text else "|".join([*words, last]), None
    width = full_width * int(match[1]) / 100 if match[3] else int(match[1]) * POINTS_PER_PIXEL
    return "|".join(words), (width, int(match[2] or 0) * POINTS_PER_PIXEL)


def complete_size(size: tuple[float, float], width: float, height: float) -> tuple[float, float]:
    """Return the size that a note gives a picture; a side that is 0 is computed from its own width and height."""
    return size[0] or size[1] * width / height, size[1] or size[0] * height / width


def is_data(node: Node) -> bool:
    """Return whether the note itself holds a picture, as a data URI or as an `svg` element."""
    return node.text[:5].lower() == "data:"


def replace_picture(node: Node, reason: object, *, nameless: bool = False) -> list[Node]:
    """Return the text that replaces a picture and states the problem; a picture on the web is linked.

    With `nameless` the name, the link and the words of a drawing are left out.
    """
    words = size_of(node)[0].strip()
    if nameless or is_data(node):
        reason = getattr(reason, "reason", reason) if nameless else reason
        return [Node("Text", f"[picture{f' {words}' if words else ''}: {reason}]")]
    name = link_name(node.text) or "without a name"
    name = f"{words} ({name})" if words and words != name else name
    name_node = Node("Link", node.text, [Node("Text", name)]) if WEB_ADDRESS.match(node.text) else Node("Text", name)
    kind = "video" if _VIDEO.search(node.text) else "picture"
    return [Node("Text", f"[{kind} "), name_node, Node("Text", f": {reason}]")]
