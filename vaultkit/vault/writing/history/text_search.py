"""The search for vaultkit's own text in a note that was changed since."""

import re
from dataclasses import dataclass

from vaultkit.spelling import find_nearest
from vaultkit.vault.writing.splice import REST_OF_LINE, Splice

_HEAD = re.compile(r"[^\r\n]*\Z")

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
        offset, times = _find_unique(f"{head}{tail}", text_after, current)
        whole = offset is not None and bool(f"{head}{tail}".strip())
        place = offset + len(head) if whole and offset is not None else None
        alike = offset is not None and _line_head(current, offset) == "" == _line_tail(
            current, offset + len(head) + len(tail)
        )
        return FoundPlace(place if alike else None, offset, times)
    offset, times = _find_unique(splice.inserted, text_after, current)
    if offset is None:
        return FoundPlace(None, _find_similar_line(splice.inserted, current), times)
    words = offset + len(splice.inserted) - len(splice.inserted.lstrip("\r\n"))
    if _splits_line_end(current, offset) or _splits_line_end(current, offset + len(splice.inserted)):
        return FoundPlace(None, words, times)
    begins = splice.inserted[0] in "\r\n" or _line_head(current, offset) == head
    ends = splice.inserted[-1] in "\r\n" or _line_tail(current, offset + len(splice.inserted)) == tail
    return FoundPlace(offset if begins and ends else None, words, times)


def _splits_line_end(text: str, offset: int) -> bool:
    """Return whether an offset is between CR and LF; a sync tool may have turned LF into CR LF."""
    return text[max(0, offset - 1) : offset + 1] == "\r\n"


def _find_unique(text: str, text_after: str, current: str) -> tuple[int | None, int]:
    """Return the offset of `text` in `current`, and how often it occurs there: 0, 1, or 2 for more.

    The offset is None unless the text occurs exactly once in `current` and exactly once in `text_after`.
    """
    places = _places(text, current)
    return (places[0] if len(places) == 1 == len(_places(text, text_after)) else None), len(places)


def _places(text: str, whole: str) -> list[int]:
    """Return the offsets of the first two occurrences of `text` in `searched_text`; the two may overlap."""
    first = whole.find(text) if text else -1
    second = whole.find(text, first + 1) if first >= 0 else -1
    return [place for place in (first, second) if place >= 0]


def _line_head(text: str, offset: int) -> str:
    match = _HEAD.search(text, max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset), -1) + 1, offset)
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
    whole = next((place for line, place in lines.items() if longest_line and longest_line in line), None)
    if whole is not None:
        return whole
    short = [line for line in lines if max(len(line), len(longest_line)) <= MAX_LINE_CHARS]
    return lines.get(find_nearest(longest_line, short[:5000], min_score=70))
