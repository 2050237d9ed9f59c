"""Rebasing of splices: where a change to a text lies once other changes come before or after it, without guessing.

A splice replaces one passage of a text. A timeline knows in which order the files were changed.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import msgspec

from vaultkit.spelling import find_nearest
from vaultkit.vault.writing.history.entry import Entry, Write
from vaultkit.vault.writing.splice import REST_OF_LINE, Splice

Origin = tuple[tuple[str, int], bool]
"""The key of the write that a step makes, undoes or redoes, and whether that write is in effect after the step.

It is in effect after it was made or redone, and not after it was undone.
"""


@dataclass(frozen=True)
class WriteStep:
    """One write of an entry of the history, at an index in it; while an undo is planned, also one yet to be made."""

    entry: Entry
    index: int
    write: Write

    @property
    def key(self) -> tuple[str, int]:
        """The id of the entry and the index of the write in it."""
        return self.entry.id, self.index

    @property
    def undone_key(self) -> tuple[str, int] | None:
        """The key of the step that this step undoes, or None if it is no undo."""
        return None if self.write.of is None or not self.entry.undoes else (self.entry.undoes, self.write.of)


@dataclass(frozen=True)
class ChainLink:
    """A step of a chain, which is a sequence of writes to one file, each to what the previous one left.

    `splice` is relative to the text that the previous links of the chain leave.
    """

    step: WriteStep
    splice: Splice


def move_after(earlier: Splice, later: Splice) -> Splice | None:
    """Return the `earlier` splice as if it had been made after the `later` one; None if they overlap.

    Adjacent splices do not overlap, unless the earlier one leaves no text and the later one removes none at that point:
    then their order is unknown.
    """
    start, end = earlier.offset, earlier.offset + len(earlier.inserted)
    if (before := later.end <= start) == (later.offset >= end):
        return None
    return msgspec.structs.replace(earlier, offset=start + later.growth) if before else earlier


def move_before(later: Splice, earlier: Splice) -> Splice | None:
    """Return the `later` splice as if it had been made before the `earlier` one; None if they overlap."""
    start, end = earlier.offset, earlier.offset + len(earlier.inserted)
    if (before := later.end <= start) == (later.offset >= end):
        return None
    return later if before else msgspec.structs.replace(later, offset=later.offset - earlier.growth)


def drop_undone(
    chain: Sequence[WriteStep], origin: Callable[[WriteStep], Origin], exempt: WriteStep | None = None
) -> list[ChainLink]:
    """Return the chain without writes that are undone later in it, and without their undos.

    The other splices are changed as if the dropped steps had never been made. A redo and the undo before it are dropped
    in the same way. A pair that cannot be separated from the other steps stays, and so does the step `exempt`. The
    function `origin` is that of the timeline.
    """
    links: list[ChainLink] = []
    places: dict[Origin, int] = {}
    for step in chain:
        write_key, is_in_effect = origin(step)
        place = None if step is exempt else places.get((write_key, not is_in_effect))
        moved_links = None if place is None else _drop_link(links, place, step.write.splice)
        first = len(links) if place is None or moved_links is None else place
        links[first:] = [ChainLink(step, step.write.splice)] if moved_links is None else moved_links
        if moved_links is not None:
            places = {key: at for key, at in places.items() if at < first}
        for at in range(first, len(links)):
            if links[at].step is not exempt:
                places.setdefault(origin(links[at].step), at)
    return links


def _drop_link(links: list[ChainLink], place: int, undo: Splice) -> list[ChainLink] | None:
    """Return the links after the index `place` as if the one there had never been made; None if that is impossible.

    `undo` is the splice that follows the last link. It must undo exactly what that link changed.
    """
    dropped_splice: Splice = links[place].splice
    moved_links: list[ChainLink] = []
    for link in links[place + 1 :]:
        moved_splice = move_before(link.splice, dropped_splice)
        moved_dropped_splice = move_after(dropped_splice, link.splice)
        if moved_splice is None or moved_dropped_splice is None:
            return None
        moved_links.append(ChainLink(link.step, moved_splice))
        dropped_splice = moved_dropped_splice
    return moved_links if dropped_splice.inverse() == undo else None


class Timeline:
    """A timeline of all writes in the history, by file and oldest first."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        """Add the writes of `entries`, which come oldest first."""
        self._steps: dict[str, list[WriteStep]] = {}
        self._origins: dict[tuple[str, int], Origin] = {}
        self._places: dict[tuple[str, int], int] = {}
        self._made_folders: set[PurePosixPath] = set()
        for entry in entries:
            for index, write in enumerate(entry.writes):
                self.add(WriteStep(entry, index, write))

    def add(self, step: WriteStep) -> None:
        """Add a step as the newest write of its file."""
        steps = self._steps.setdefault(step.write.path, [])
        self._places.setdefault(step.key, len(steps))
        steps.append(step)
        if step.write.folders_made:
            self._made_folders.update([*PurePosixPath(step.write.path).parents][: step.write.folders_made])
        undone = step.undone_key
        write_key, is_in_effect = self._origins.get(undone, (undone, True)) if undone else (step.key, False)
        self._origins[step.key] = write_key, not is_in_effect

    def origin(self, step: WriteStep) -> Origin:
        """Return the key of the write that a step makes, undoes or redoes, and whether it is in effect after it."""
        return self._origins[step.key]

    def find_chains(self, step: WriteStep, current_hash: str | None) -> list[list[WriteStep]]:
        """Return two chains of later writes that lead from the file as `step` left it to the hash `current_hash`.

        The first is as long as possible and shows best who wrote what; the second is as short as possible and leaves
        out changes that ended where they began. Empty if there is no such chain. The hash None stands for a missing
        file.
        """
        later = self._later_steps(step)
        after = step.write.after
        chains = [_find_chain(after, later, current_hash, longest=longest) for longest in (True, False)]
        return [chain for chain in chains if chain is not None]

    def is_possible_without(self, step: WriteStep, current_hash: str | None) -> bool:
        """Return whether later writes can have led to the hash `current_hash` without a step and its entry.

        Then the step was undone by hand, or was never made.
        """
        own_steps = (other for other in self._steps.get(step.write.path, ()) if other.entry.id == step.entry.id)
        starts = {step.write.before, *(other.write.before for other in own_steps)}
        later = [other for other in self._later_steps(step) if other.entry.id != step.entry.id]
        return any(_find_chain(start, later, current_hash, longest=False) is not None for start in starts)

    def find_mtime_ns(self, path: str, content_hash: str) -> int | None:
        """Return the last recorded time of change, in ns, of a file that had the hash `content_hash`; None if unknown.

        Only times from before one of vaultkit's writes are recorded.
        """
        times = (s.write.mtime_ns for s in reversed(self._steps.get(path, ())) if s.write.before == content_hash)
        return next((time for time in times if time is not None), None)

    def find_undone_before(self, step: WriteStep, chain: Iterable[WriteStep]) -> list[WriteStep]:
        """Return the earlier writes that led to the file as `step` found it, as far back as `chain` needs them.

        The first is the earliest one whose change is undone or redone in `chain`; empty if there is none. Together with
        `step` they show which change came first if one of them removed text at the very place of `step`.
        """
        write_keys = {self.origin(later)[0] for later in chain}
        current_hash, earlier, length = step.write.before, list[WriteStep](), 0
        for other in reversed(self._earlier_steps(step)):
            if other.write.after == current_hash:
                current_hash = other.write.before
                earlier.append(other)
                length = len(earlier) if self.origin(other)[0] in write_keys else length
        return earlier[:length][::-1]

    def count_made_folders(self, path: str) -> int:
        """Return how many folders around a file, from the innermost on, vaultkit has made at some time."""
        parents = PurePosixPath(path).parents
        return next((count for count, folder in enumerate(parents) if folder not in self._made_folders), len(parents))

    def _earlier_steps(self, step: WriteStep) -> list[WriteStep]:
        """Return the steps before `step` in its file, oldest first; empty if it is not in the timeline."""
        steps = self._steps.get(step.write.path, [])
        return steps[: self._places.get(step.key, 0)]

    def _later_steps(self, step: WriteStep) -> list[WriteStep]:
        """Return the steps after `step` in its file, oldest first; empty if it is not in the timeline."""
        steps = self._steps.get(step.write.path, [])
        return steps[self._places.get(step.key, len(steps)) + 1 :]

    def hashes_after(self, step: WriteStep) -> set[str | None]:
        """Return the hashes of the file as `step` and later writes left it."""
        return {step.write.after, *(later.write.after for later in self._later_steps(step))}


def _find_chain(
    start_hash: str | None, steps: Iterable[WriteStep], current_hash: str | None, *, longest: bool
) -> list[WriteStep] | None:
    """Return the chain of `steps`, oldest first, that leads from `start_hash` to `current_hash`, or None.

    It has as many steps as possible if `longest` is True, else as few as possible.
    """
    ends: dict[str | None, tuple[int, Any]] = {start_hash: (0, None)}
    for step in steps:
        end_before, end_after = ends.get(step.write.before), ends.get(step.write.after)
        if end_before is not None and (end_after is None or (end_before[0] + 1 > end_after[0]) is longest):
            ends[step.write.after] = end_before[0] + 1, (step, end_before)
    if current_hash not in ends:
        return None
    chain, (_, link) = list[WriteStep](), ends[current_hash]
    while link:
        step, (_, link) = link
        chain.append(step)
    return chain[::-1]


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
