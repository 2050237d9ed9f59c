"""Where in a link's own text its path stands, so that a repair changes that and nothing beside it."""

import re
from dataclasses import dataclass
from html import unescape

from vaultkit.vault.links import Kind, Link, decode_uri, split_destination, split_wikilink

_IN_WIKILINK = re.compile(r"\\?\||#")
_IN_DESTINATION = re.compile("#")
_IN_DICE = re.compile(r"\\?\||[#^]")


@dataclass(frozen=True, slots=True)
class WrittenPath:
    """A link's path as written, by its offset in the note's text, and whether it is percent-encoded there."""

    start: int
    text: str
    kind: Kind
    encoded: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def reads(self, text: str) -> str:
        """The path that `text` would be in its place (L2, L3)."""
        if self.encoded:
            return split_destination(unescape(text) if self.kind == "html" else text)[0]
        path = split_wikilink(text)[1]
        return decode_uri(path) if self.kind == "dice" else path


def written_path(text: str, link: Link) -> WrittenPath | None:
    """The path of `link` in the note's text; None if it stands elsewhere, as with `[text][reference]`."""
    source = text[link.start : link.end]
    encoded = True
    if link.kind == "html":
        start, end = 0, len(source)
    elif source.endswith("]]"):
        start, end, encoded = source.find("[[") + 2, len(source) - 2, False
    elif "](" in source and source.endswith(")"):
        start, end = _destination(source, link.kind)
    else:
        return None
    ends = _IN_DICE if link.kind == "dice" else _IN_DESTINATION if encoded else _IN_WIKILINK
    path = ends.split(source[start:end], maxsplit=1)[0]
    start += len(path) - len(path.lstrip())
    return WrittenPath(link.start + start, path.strip(), link.kind, encoded) if path.strip() else None


def _destination(source: str, kind: Kind) -> tuple[int, int]:
    """From where to where the destination stands in a Markdown link, without the title behind it."""
    start, end = source.rindex("](") + 2, len(source) - 1
    start += len(source[start:end]) - len(source[start:end].lstrip())
    if source[start] == "<":
        return start + 1, source.find(">", start)
    words = source[start:end].split(maxsplit=1)  # the dice roller takes spaces, and no title
    return start, end if kind == "dice" or not words else start + len(words[0])
