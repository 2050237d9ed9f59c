"""The plain text of a note: all that is no plain text is blanked out, and every place stays the same."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vaultkit.vault.note import Note
from vaultkit.vault.places import TextOffsets
from vaultkit.vault.structure import events

BLANK = "\0"
"""Stands, in a note's plain text, for each character that is none."""

_CLOSED = frozenset({"Heading", "CodeBlock", "Link", "Image", "HtmlBlock", "MetadataBlock"})
_CLOSED_HTML = re.compile(r"<(?P<end>/?)(?:a|code|kbd|pre|script|style)\b", re.IGNORECASE)
_APART = re.compile(
    r"""
    \[\[[^\[\]]{0,500}\]\]                        # what the parser takes for no link, but its writer does
    | \[[^\[\]\r\n]*\]\([^()\r\n]*\)              # the same, as with a space in the address
    | \[[!^][^\[\]\r\n]*\]                        # a callout's type, a footnote's label
    | [#^][\w/-]+                                 # a tag, a block id
    | \b(?i:[a-z][a-z0-9+.-]{0,20}://|www\.|mailto:)\S+
    | [\w.+-]{1,64}@\S+
    | <%[^\r\n]{0,500}?%> | \{\{[^\r\n]{0,500}?\}\}   # what a template fills in
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class PlainText:
    """A note's text of the same length, in which all is BLANK but plain text; and where its tables lie."""

    text: str
    tables: tuple[tuple[int, int], ...] = ()

    def in_table(self, offset: int) -> bool:
        number = bisect_right(self.tables, (offset, len(self.text))) - 1
        return number >= 0 and offset < self.tables[number][1]


def plain_text(note: Note) -> PlainText:
    """The plain text of a note: no frontmatter, heading, code, math, comment, tag, address, or link."""
    reader = _Reader(note)
    for event, span in events(note.body):
        if isinstance(event, dict):
            reader.take(event, span)
    return reader.plain()


class _Reader:
    """Gathers plain text, and the `%%` between which comments stand."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._offset = TextOffsets(note.body, note.body_start)
        self._chars = [BLANK] * len(note.text)
        self._tables: list[tuple[int, int]] = []
        self._comment_marks: list[int] = []
        self._depth = 0
        self._html = 0
        self._in_code = False

    def take(self, event: Mapping[str, Any], span: Mapping[str, int]) -> None:
        ((what, tag),) = event.items()
        kind = tag if isinstance(tag, str) else next(iter(tag), "") if isinstance(tag, dict) else ""
        if what in ("Start", "End"):
            step = 1 if what == "Start" else -1
            self._depth += step * (kind in _CLOSED)
            self._in_code = what == "Start" and kind == "CodeBlock"
            if kind == "Table" and what == "Start":
                self._tables.append((self._offset(span["start"]), self._offset(span["end"])))
        elif what == "InlineHtml":
            match = _CLOSED_HTML.match(str(tag))
            self._html = max(0, self._html + (-1 if match["end"] else 1)) if match else self._html
        elif what == "Text" and not self._in_code:
            self._take_text(self._offset(span["start"]), self._offset(span["end"]))

    def _take_text(self, start: int, end: int) -> None:
        text = self._note.text[start:end]
        self._comment_marks += (start + match.start() for match in re.finditer("%%", text))
        if not self._depth and not self._html:
            self._chars[start:end] = text

    def plain(self) -> PlainText:
        for start, end in [*self._comments(), *(match.span() for match in _APART.finditer(self._note.text))]:
            self._chars[start:end] = BLANK * (end - start)
        return PlainText("".join(self._chars), tuple(self._tables))

    def _comments(self) -> Iterator[tuple[int, int]]:
        """From one `%%` to the next; one that is never closed hides the rest of the note."""
        marks = self._comment_marks
        ends = [mark + 2 for mark in marks[1::2]]
        ends += [len(self._note.text)] * (len(marks) % 2)
        return zip(marks[::2], ends, strict=True)
