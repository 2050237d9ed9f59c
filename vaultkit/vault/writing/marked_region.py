"""Regions of notes, between comments such as `%% vaultkit stats begin %%` and `%% vaultkit stats end %%`.

Obsidian hides the comments. vaultkit writes the text between them; everything else belongs to the GM and stays.
"""

import re
from dataclasses import dataclass

from vaultkit.errors import WriteError
from vaultkit.vault.dialect import elements
from vaultkit.vault.note import Note
from vaultkit.vault.writing.splice import Splice, smallest_splice

_COMMENT_MARK = "%%"
_CODE_KINDS = frozenset({"Code", "Html", "InlineHtml", "InlineMath", "DisplayMath", "CodeBlock", "HtmlBlock"})


@dataclass(frozen=True, slots=True)
class MarkedRegion:
    """A region in a note's text: the offsets of the begin marker's end and the end marker's start."""

    start: int
    end: int


def begin_marker(name: str) -> str:
    """Return the comment that begins the region `name`, such as `stats`."""
    return f"{_COMMENT_MARK} vaultkit {name} begin {_COMMENT_MARK}"


def end_marker(name: str) -> str:
    """Return the comment that ends the region `name`."""
    return f"{_COMMENT_MARK} vaultkit {name} end {_COMMENT_MARK}"


def replace_region(note: Note, name: str, content: str) -> Splice | None:
    """Return the splice that makes `content` the text of the region `name`; None if nothing changes.

    The note's line ends are used. Raises the errors of `find_region`.
    """
    region = find_region(note, name)
    old_content = note.text[region.start : region.end]
    new_content = content.replace("\r\n", "\n").replace("\n", note.encoded.newline)
    if old_content == new_content:
        return None
    splice = smallest_splice(old_content, new_content)
    return Splice(region.start + splice.offset, splice.removed, splice.inserted)


def find_region(note: Note, name: str) -> MarkedRegion:
    """Return the region `name` in a note.

    Raises WriteError, with the line, unless both markers occur exactly once, in order, each on a line of its own, and
    outside of code, HTML and other comments.
    """
    pattern = rf"{_COMMENT_MARK}[ \t]*vaultkit[ \t]+{re.escape(name)}[ \t]+(begin|end)[ \t]*{_COMMENT_MARK}"
    matches = list(re.compile(pattern, re.IGNORECASE).finditer(note.text, note.body_start))
    if not matches:
        hint = f"Put these two lines where it belongs: {begin_marker(name)} and {end_marker(name)}"
        raise _marker_error(note, None, f"This note has no place for {name}.", hint)
    code_spans = tuple((first, last) for _, first, last in elements(note.body, note.body_start, _CODE_KINDS))
    for match in matches:
        _check_marker_place(note, match, code_spans)
    kinds = [match[1].lower() for match in matches]
    for kind in ("begin", "end"):
        if kinds.count(kind) > 1:
            repeated_marker = [match for match in matches if match[1].lower() == kind][1]
            words = f"The marker '{repeated_marker[0]}' appears here a second time."
            raise _marker_error(note, repeated_marker, words, "Delete one of them.")
    if len(matches) == 1:
        missing_marker = end_marker(name) if kinds == ["begin"] else begin_marker(name)
        words = f"Of the two markers only '{matches[0][0]}' is there."
        raise _marker_error(note, matches[0], words, f"Put back: {missing_marker}")
    if kinds != ["begin", "end"]:
        raise _marker_error(note, matches[0], "The end marker is above the begin marker.", "Swap the two lines.")
    _check_comments(note, matches[0], code_spans)
    return MarkedRegion(matches[0].end(), matches[1].start())


def _check_marker_place(note: Note, match: re.Match[str], code_spans: tuple[tuple[int, int], ...]) -> None:
    line_start = max(note.text.rfind(char, 0, match.start()) for char in "\r\n") + 1
    rest_of_line = re.compile(r"[^\r\n]*").match(note.text, match.end())
    if note.text[line_start : match.start()].strip(" \t") or (rest_of_line and rest_of_line[0].strip()):
        raise _marker_error(
            note, match, f"The marker '{match[0]}' must be on its own line.", "Move it to its own line."
        )
    if any(first < match.end() and match.start() < last for first, last in code_spans):
        hint = "Move it out of the code or HTML, or close what is open above it."
        words = f"The marker '{match[0]}' is in code or HTML, where it is not a comment."
        raise _marker_error(note, match, words, hint)


def _check_comments(note: Note, match: re.Match[str], code_spans: tuple[tuple[int, int], ...]) -> None:
    """Raise WriteError if a comment above the begin marker is not closed.

    With an odd number of `%%` above it, the marker would close that comment, and Obsidian would hide the region.
    """
    marks_above = re.compile(_COMMENT_MARK).finditer(note.text, note.body_start, match.start())
    starts = ((mark, mark.start()) for mark in marks_above)
    visible_marks = [mark for mark, at in starts if not any(first <= at < last for first, last in code_spans)]
    if len(visible_marks) % 2:
        hint = f"Close the comment with {_COMMENT_MARK} above the marker."
        words = f"A comment begins here that the marker '{match[0]}' would close."
        raise _marker_error(note, visible_marks[-1], words, hint)


def _marker_error(note: Note, match: re.Match[str] | None, message: str, hint: str) -> WriteError:
    line = note.places.line(match.start()) if match else note.places.line(note.body_start)
    return WriteError(message, where=f"{note.path}:{line}", hint=hint)
