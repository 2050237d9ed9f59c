"""Splices, which replace one part of a note's text: the only way in which vaultkit changes a note."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise

import msgspec

from vaultkit.errors import WriteError
from vaultkit.vault import subpath
from vaultkit.vault.dialect import elements, events
from vaultkit.vault.note import Note
from vaultkit.vault.structure import Heading
from vaultkit.vault.text_positions import LINE_END

REST_OF_LINE = re.compile(r"[^\r\n]*")
_HEADING_MARKS = re.compile(r"(?:\s+(?:#[^\s#]+|\^[A-Za-z0-9-]+))+\s*\Z")
"""Tags and a block id at the end of a heading."""


class Splice(msgspec.Struct, frozen=True):
    """A replacement of `removed` by `inserted` at `offset`, in code points of the note's text."""

    offset: int
    removed: str
    inserted: str

    @property
    def end(self) -> int:
        """The offset where the removed text ends."""
        return self.offset + len(self.removed)

    @property
    def growth(self) -> int:
        """The number of characters by which the text grows."""
        return len(self.inserted) - len(self.removed)

    def apply(self, text: str) -> str:
        assert text[self.offset : self.end] == self.removed, "a splice fits the text that it was made for"
        return text[: self.offset] + self.inserted + text[self.end :]

    def inverse(self) -> "Splice":
        return Splice(self.offset, self.inserted, self.removed)


def offset_mapper(splices: Sequence[Splice]) -> Callable[[int], int]:
    """Return a function that maps offsets in a text to offsets in the text after `splices`, ordered and disjoint."""
    ends = [splice.end for splice in splices]
    total_growths = list(accumulate((splice.growth for splice in splices), initial=0))
    return lambda offset: offset + total_growths[bisect_right(ends, offset)]


def insert_under(note: Note, heading: str, line: str) -> Splice:
    """Return the splice that adds `line` as the last line directly under `heading`.

    A missing heading is added at the end of the note. Raises WriteError if Obsidian would not show the line there, as
    below an unclosed code fence, or if the new heading would not be found again.
    """
    assert not LINE_END.search(line), "only one line can be inserted"
    section_heading = find_heading(note, heading)
    if section_heading is None:
        return _splice_with_heading(note, heading, line)
    for make_splice in (_splice_at_end, _splice_after_blank, _splice_below_heading):
        splice = make_splice(note, section_heading, line)
        if _is_shown(note, line, splice):
            return splice
    raise _hidden_text_error(note)


def find_heading(note: Note, heading_text: str) -> Heading | None:
    """Return the heading whose text is `heading_text`, else the one at that path, such as `A#B`, or None."""
    text = subpath.comparable_heading(heading_text)
    equal_headings = (heading for heading in note.headings if text and subpath.comparable_heading(heading.text) == text)
    heading = next(equal_headings, None) or subpath.find_heading(note.headings, heading_text)
    return heading or next((other for other in note.headings if text and _plain_heading(other.text) == text), None)


def _plain_heading(text: str) -> str:
    """Return the comparable text of a heading without tags and a block id at its end: `Log` of `Log #tag ^id`."""
    return subpath.comparable_heading(_HEADING_MARKS.sub("", text))


def append(note: Note, block: str) -> Splice:
    """Return the splice that adds `block` after the note's last text and a blank line; line ends after it stay."""
    newline = note.encoded.newline
    text = note.text
    content = text.rstrip("\r\n")
    gap = newline * 2 if content else ""
    return Splice(len(content), "", f"{gap}{block}")


def insert_section(note: Note, section: str, before: int | None) -> Splice:
    """Return the splice that inserts `section` and a blank line at the offset `before`, None for the note's end.

    Raises WriteError if Obsidian would not show the section there, as below an unclosed code fence.
    """
    newline = note.encoded.newline
    text = newline.join(section.split("\n"))
    splice = append(note, text) if before is None else Splice(before, "", f"{text}{newline * 2}")
    if not _is_shown(note, text, splice):
        raise _hidden_text_error(note)
    return splice


def smallest_splice(old: str, new: str) -> Splice:
    """Return the smallest splice that turns `old` into `new`."""
    prefix_length = _common_prefix_length(old, new)
    suffix_length = _common_prefix_length(old[prefix_length:][::-1], new[prefix_length:][::-1])
    old_end, new_end = len(old) - suffix_length, len(new) - suffix_length
    return Splice(prefix_length, old[prefix_length:old_end], new[prefix_length:new_end])


def rewrite(note: Note, text: str) -> Splice | None:
    """Return the splice that turns the note into `text`, with the note's line ends; None if nothing changes."""
    new_text = text.replace("\n", note.encoded.newline)
    return smallest_splice(note.text, new_text) if new_text != note.text else None


def _common_prefix_length(text: str, other_text: str) -> int:
    """Return the length of the common beginning of two texts."""
    pairs = enumerate(zip(text, other_text, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(text), len(other_text)))


def join_splices(text: str, splices: Sequence[Splice]) -> Splice:
    """Return one splice of `text` with the effect of several, from the first offset to the last end.

    Insertions at the same offset keep their order. Raises WriteError if two splices overlap.
    """
    ordered = sorted(splices, key=lambda splice: (splice.offset, splice.end))
    for previous, following in pairwise(ordered):
        if following.offset < previous.end:
            raise WriteError("Two changes overlap.", hint="Make one of them, then the other.")
    start, end = ordered[0].offset, ordered[-1].end
    changed_text = text[:end]
    for splice in reversed(ordered):
        changed_text = splice.apply(changed_text)
    return Splice(start, text[start:end], changed_text[start:])


def _splice_with_heading(note: Note, heading: str, line: str) -> Splice:
    """Return the splice that adds a level 2 heading and the line at the end of the note.

    All of `heading` becomes the heading's text, so that `find_heading` finds it for the next line.
    """
    title = " ".join(heading.split()).lstrip("# ")
    splice = append(note, f"## {title}{note.encoded.newline * 2}{line}")
    if not _is_shown(note, line, splice) or find_heading(_apply_splice(note, splice), heading) is None:
        raise _hidden_text_error(note)
    return splice


def _splice_at_end(note: Note, heading: Heading, line: str) -> Splice:
    """Return the splice that adds a line below the section's last line, with a blank line between after a table."""
    section_end = _section_end(note, heading)
    if section_end is None or _is_in_table(note, section_end):
        return _splice_after_blank(note, heading, line)
    return Splice(section_end, "", f"{note.encoded.newline}{line}")


def _splice_after_blank(note: Note, heading: Heading, line: str) -> Splice:
    """Return the splice that adds a line after a blank line at the section's end, so that an HTML block ends first."""
    section_end = _section_end(note, heading)
    if section_end is None:
        return _splice_below_heading(note, heading, line)
    return Splice(section_end, "", f"{note.encoded.newline * 2}{line}")


def _is_in_table(note: Note, offset: int) -> bool:
    return any(start <= offset <= end for _, start, end in elements(note.body, note.body_start, {"Table"}))


def _section_end(note: Note, heading: Heading) -> int | None:
    """Return the end of the last line between `heading` and the next heading; None if there is no text."""
    starts = (later_heading.start for later_heading in note.headings)
    next_start = next((start for start in starts if start > heading.start), len(note.text))
    text_end = len(note.text[:next_start].rstrip())
    rest = REST_OF_LINE.match(note.text, text_end)
    return None if text_end <= heading.end or rest is None else rest.end()


def _splice_below_heading(note: Note, heading: Heading, line: str) -> Splice:
    """Return the splice that adds a line directly under the heading, between blank lines or as a list's first item."""
    newline = note.encoded.newline
    end = len(note.text[: heading.end].rstrip("\r\n"))
    rest = note.text[end:]
    list_break = re.match(r"(?:\r\n|\n|\r)(?=[ \t]*(?:\r\n|\n|\r)[-*+] )", rest)
    if list_break:
        return Splice(end + list_break.end(), "", f"{newline}{line}")
    next_line = re.match(r"(?:\r\n|\n|\r)[^\r\n]*\S", rest)
    return Splice(end, "", f"{newline * 2}{line}{newline if next_line else ''}")


def _apply_splice(note: Note, splice: Splice) -> Note:
    """Return the note with the splice applied. Raises WriteError for lone surrogates, which no file can hold."""
    try:
        return Note(note.path, note.encoded.to_bytes(splice.apply(note.text)))
    except UnicodeEncodeError as error:
        raise WriteError("This text holds half a character.", where=note.path, hint="Type it again.") from error


def _is_shown(note: Note, text: str, splice: Splice) -> bool:
    """Return whether the note after the splice shows the new `text` and still has all its headings and block ids.

    If `text` ends with a block id, the note must have that one as well.
    """
    new_note = _apply_splice(note, splice)
    old_headings = [heading.text for heading in note.headings]
    headings = [heading.text for heading in new_note.headings if heading.text in old_headings]
    keeps_headings = headings[: len(old_headings)] == old_headings
    ids = {match.lower() for match in re.findall(r"\^([A-Za-z0-9-]+)$", text)}
    if not keeps_headings or not (ids | note.blocks) <= new_note.blocks:
        return False
    start = new_note.text.index(text, splice.offset) - new_note.body_start
    return _is_plain_markdown(new_note.body, len(new_note.body[:start].encode()), is_item=text.startswith("- "))


def _is_plain_markdown(body: str, byte_offset: int, is_item: bool) -> bool:
    """Return whether the line at `byte_offset` is outside of `%%` comments.

    With `is_item`, it must also begin a list item for the parser, so that it is not in code or HTML.
    """
    comment_marks, in_code, begins_item = 0, False, False
    for event, span in events(body):
        if not isinstance(event, dict):
            continue
        tag = event.get("Start")
        begins_item = begins_item or (tag == "Item" and span["start"] == byte_offset)
        in_code = "CodeBlock" in tag if isinstance(tag, dict) else in_code
        if "Text" in event and not in_code and span["start"] < byte_offset:
            comment_marks += event["Text"].count("%%")
        in_code = in_code and "End" not in event
    return comment_marks % 2 == 0 and (begins_item or not is_item)


def _hidden_text_error(note: Note) -> WriteError:
    message = "It would not show up there: a code block, comment or table above it is not closed."
    return WriteError(message, where=note.path, hint="Close it in the note, then try again.")
