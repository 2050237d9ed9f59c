"""Lines of vaultkit in notes of the GM, found by their block ids, and the changes of such lines."""

import re
from collections import Counter
from collections.abc import Sequence

from vaultkit.vault import Note
from vaultkit.vault.writing.splice import Splice, smallest_splice
from vaultkit.vault.writing.text_merge import EditedLine, edited_line_error, merge_line


def line_span(note: Note, block: str) -> tuple[int, int]:
    """Return the start and end of the line with a block id, without its line end.

    If no line has the block id, both are the end of the text.

    Block ids are compared without regard to case, as in Obsidian.
    """
    match = re.search(rf"[^\r\n]*\^{re.escape(block)}[ \t]*(?=[\r\n]|\Z)", note.text, re.IGNORECASE)
    return match.span() if match else (len(note.text), len(note.text))


def merge_block_line(note: Note, block: str, old: str, new: str) -> str:
    """Return the line with a block id after the change from `old` to `new`.

    Raises WriteError if words of people would be lost.
    """
    start, end = line_span(note, block)
    try:
        return merge_line(old, note.text[start:end], new)
    except EditedLine as conflict:
        raise edited_line_error(note, conflict) from conflict


def plan_line_change(note: Note, block: str, old: str, new: str) -> Splice | None:
    """Return the splice that changes the line with a block id from `old` to `new`; None if nothing changes.

    Raises WriteError if words of people would be lost.
    """
    start, end = line_span(note, block)
    line = note.text[start:end]
    if start == end or closest_index(line, [new, old]) == 0:
        return None
    splice = smallest_splice(line, merge_block_line(note, block, old, new))
    is_change = splice.removed or splice.inserted
    return Splice(start + splice.offset, splice.removed, splice.inserted) if is_change else None


def plan_line_removal(note: Note, block: str) -> Splice | None:
    """Return the splice that removes the line with a block id and its line end; None if no line has it."""
    start, end = line_span(note, block)
    if start == end:
        return None
    rest = re.compile(r"\r\n|\r|\n").match(note.text, end)
    before = re.search(r"(?:\r\n|\r|\n)\Z", note.text[:start])
    start, end = (start, rest.end()) if rest else (before.start() if before else start, end)
    return Splice(start, note.text[start:end], "")


def closest_index(text: str, candidates: Sequence[str]) -> int:
    """Return the index of the candidate that shares most lines with a text, then most words; the last one if equal.

    A line that the text lacks counts against its candidate.
    """
    own_lines, own_words = _count_lines(text), _count_words(text)

    def rank(index: int) -> tuple[int, int, int]:
        lines, words = _count_lines(candidates[index]), _count_words(candidates[index])
        return (lines & own_lines).total() - (lines - own_lines).total(), (words & own_words).total(), index

    return max(range(len(candidates)), key=rank)


def _count_lines(text: str) -> Counter[str]:
    return Counter(filter(None, map(str.strip, re.split(r"[\r\n]+", text))))


def _count_words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text))
