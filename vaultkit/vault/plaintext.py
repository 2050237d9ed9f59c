"""The plain text of a note, with everything else replaced by blanks, so that offsets stay valid."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from vaultkit.vault.dialect import elements
from vaultkit.vault.note import Note

BLANK = "\0"
"""The character that replaces each character of a note that is not plain text."""

_EXCLUDED_KINDS = frozenset({"Heading", "CodeBlock", "Link", "Image", "HtmlBlock", "MetadataBlock"})
_KINDS = frozenset({*_EXCLUDED_KINDS, "Table", "InlineHtml", "Text"})
_COMMENT_MARK = re.compile("%%")
_EXCLUDED_HTML_TAG = re.compile(r"<(?P<end>/?)(?:a|code|kbd|pre|script|style)\b", re.IGNORECASE)
_EXCLUDED_TEXT = re.compile(
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
    """The text of a note with BLANK for each character that is not plain text, and the start and end of its tables."""

    text: str
    tables: tuple[tuple[int, int], ...] = ()

    def in_table(self, offset: int) -> bool:
        table_index = bisect_right(self.tables, (offset, len(self.text))) - 1
        return table_index >= 0 and offset < self.tables[table_index][1]


def plain_text(note: Note) -> PlainText:
    """Return the plain text of a note, without frontmatter, headings, code, math, comments, tags, addresses, links."""
    chars = [BLANK] * len(note.text)
    tables: list[tuple[int, int]] = []
    comment_marks: list[int] = []
    excluded_end = code_end = html_depth = 0
    for kind, start, end in elements(note.body, note.body_start, _KINDS):
        if kind in _EXCLUDED_KINDS:
            excluded_end, code_end = max(excluded_end, end), end if kind == "CodeBlock" else code_end
        elif kind == "Table":
            tables.append((start, end))
        elif kind == "InlineHtml":
            match = _EXCLUDED_HTML_TAG.match(note.text, start, end)
            html_depth = max(0, html_depth + (-1 if match["end"] else 1)) if match else html_depth
        elif start >= code_end:
            comment_marks += (mark.start() for mark in _COMMENT_MARK.finditer(note.text, start, end))
            if start >= excluded_end and not html_depth:
                chars[start:end] = note.text[start:end]
    excluded_spans = (match.span() for match in _EXCLUDED_TEXT.finditer(note.text))
    for start, end in (*_comment_extents(comment_marks, len(note.text)), *excluded_spans):
        chars[start:end] = BLANK * (end - start)
    return PlainText("".join(chars), tuple(tables))


def _comment_extents(marks: list[int], end: int) -> Iterator[tuple[int, int]]:
    """Return the start and end of each comment, given the offsets of all `%%`; an unclosed one reaches to `end`."""
    ends = [*(mark + 2 for mark in marks[1::2]), *([end] * (len(marks) % 2))]
    return zip(marks[::2], ends, strict=True)
