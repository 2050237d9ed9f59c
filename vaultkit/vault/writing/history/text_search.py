"""The search for vaultkit's own text in a note that was changed since."""

import re
from dataclasses import dataclass

from vaultkit.spelling import find_nearest
from vaultkit.vault.writing.splice import REST_OF_LINE, Splice

_LINE_HEAD = re.compile(r"[^\r\n]*\Z")

MAX_LINE_CHARS = 1_000
"""The maximum length of lines that are compared for similarity, since longer ones take too long."""


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """The result of a search for a splice's text; `offset` is where it begins, None if that is not certain.

    `near` is the offset of the same or the most similar text, None if there is none. `times` is the number of
    occurrences of the exact text: 0, 1, or 2 for more.
    """

    offset: int | None
    near: int | None
    times: int


def find_inserted(splice: Splice, text_after: str, current: str) -> FoundPlace:
    """Return the place in `current` of the text that `splice` inserted; `text_after` is the note's text right after.

    The place is certain only if the text occurs exactly once, and if the rest of its first and its last line is
    unchanged. If the splice inserted nothing, the whole line around its offset is searched.
    """
    start, end = splice.offset, splice.offset + len(splice.inserted)
    head, tail = _line_head(text_after, start), _line_tail(text_after, end)
    if start == end:
        offset, occurrence_count = _find_unique(f"{head}{tail}", text_after, current)
        is_unique_line = offset is not None and bool(f"{head}{tail}".strip())
        inserted_offset = offset + len(head) if is_unique_line and offset is not None else None
        end = (offset or 0) + len(head) + len(tail)
        is_whole_line = offset is not None and _line_head(current, offset) == "" == _line_tail(current, end)
        return FoundPlace(inserted_offset if is_whole_line else None, offset, occurrence_count)
    offset, occurrence_count = _find_unique(splice.inserted, text_after, current)
    if offset is None:
        return FoundPlace(None, _find_similar_line(splice.inserted, current), occurrence_count)
    visible_offset = offset + len(splice.inserted) - len(splice.inserted.lstrip("\r\n"))
    if _splits_line_end(current, offset) or _splits_line_end(current, offset + len(splice.inserted)):
        return FoundPlace(None, visible_offset, occurrence_count)
    has_same_start = splice.inserted[0] in "\r\n" or _line_head(current, offset) == head
    has_same_end = splice.inserted[-1] in "\r\n" or _line_tail(current, offset + len(splice.inserted)) == tail
    return FoundPlace(offset if has_same_start and has_same_end else None, visible_offset, occurrence_count)


def _splits_line_end(text: str, offset: int) -> bool:
    """Return whether an offset is between CR and LF; a sync tool may have turned LF into CR LF."""
    return text[max(0, offset - 1) : offset + 1] == "\r\n"


def _find_unique(text: str, text_after: str, current: str) -> tuple[int | None, int]:
    """Return the offset of `text` in `current`, and how often it occurs there: 0, 1, or 2 for more.

    The offset is None unless the text occurs exactly once in `current` and exactly once in `text_after`.
    """
    offsets = _find_first_two(text, current)
    return (offsets[0] if len(offsets) == 1 == len(_find_first_two(text, text_after)) else None), len(offsets)


def _find_first_two(text: str, searched_text: str) -> list[int]:
    """Return the offsets of the first two occurrences of `text` in `searched_text`; the two may overlap."""
    first_offset = searched_text.find(text) if text else -1
    second_offset = searched_text.find(text, first_offset + 1) if first_offset >= 0 else -1
    return [offset for offset in (first_offset, second_offset) if offset >= 0]


def _line_head(text: str, offset: int) -> str:
    match = _LINE_HEAD.search(text, max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset), -1) + 1, offset)
    return match[0] if match else ""


def _line_tail(text: str, offset: int) -> str:
    match = REST_OF_LINE.match(text, offset)
    return match[0] if match else ""


def _find_similar_line(inserted: str, current: str) -> int | None:
    """Return the offset of the line of `current` that is most similar to the longest line of `inserted`, or None."""
    longest_line = max(inserted.splitlines(), key=len).strip()
    lines: dict[str, int] = {}
    for match in re.finditer(r"[^\r\n]+", current):
        lines.setdefault(match[0].strip(), match.start())
    exact_offset = next((offset for line, offset in lines.items() if longest_line and longest_line in line), None)
    if exact_offset is not None:
        return exact_offset
    short_lines = [line for line in lines if max(len(line), len(longest_line)) <= MAX_LINE_CHARS]
    return lines.get(find_nearest(longest_line, short_lines[:5000], min_score=70))
