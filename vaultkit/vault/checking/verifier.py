"""Verification of repairs: the repaired note is parsed, and must differ from the old one only as intended."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from operator import add

from vaultkit.vault.checking.repair import Repair, RepairContext, differences
from vaultkit.vault.links import Link
from vaultkit.vault.note import Note
from vaultkit.vault.structure import Heading
from vaultkit.vault.subpath import comparable
from vaultkit.vault.writing.splice import Splice, join_splices, shift

MAX_READING_COUNT = 100
"""The maximum number of times that one note is parsed; repairs that are not verified by then are dropped."""


class Verifier:
    """A verifier of the repairs of one note."""

    def __init__(self, note: Note, names: RepairContext) -> None:
        self._note = note
        self._names = names
        self._readings = 0
        self._heading_starts = [heading.start for heading in note.headings]

    def select_valid(self, repairs: tuple[Repair, ...]) -> tuple[Repair, ...]:
        """Return those of the `repairs`, ordered by offset, that are valid when made together."""
        return self._add_valid((), tuple(repair for repair in repairs if self._keeps_heading(repair.splice)))

    def _add_valid(self, accepted: tuple[Repair, ...], more: tuple[Repair, ...]) -> tuple[Repair, ...]:
        """Return the valid repairs `accepted`, followed by those of the later `candidates` that are valid with them."""
        if not more or self._are_valid(accepted + more):
            return accepted + more
        if len(more) == 1 or self._readings > MAX_READING_COUNT:
            return accepted
        middle = len(more) // 2
        return self._add_valid(self._add_valid(accepted, more[:middle]), more[middle:])

    def _keeps_heading(self, splice: Splice) -> bool:
        """Return whether links still find the heading that a splice changes; True if it changes none.

        This is a quick test, before the note is parsed.
        """
        number = bisect_right(self._heading_starts, splice.offset) - 1
        heading = self._note.headings[number] if number >= 0 else None
        if heading is None or splice.offset >= heading.end:
            return True
        before = self._note.text[heading.start : heading.end]
        after = Splice(splice.offset - heading.start, splice.removed, splice.inserted).apply(before)
        return comparable(after) == comparable(before)

    def _are_valid(self, repairs: tuple[Repair, ...]) -> bool:
        self._readings += 1
        note = self._note
        splice = join_splices(note.text, [repair.splice for repair in repairs])
        after = note.with_text(splice.apply(note.text))
        in_properties = sum(repair.splice.offset < note.body_start for repair in repairs)
        return (
            len(after.headings) == len(note.headings)
            and all(map(_is_same_heading, after.headings, note.headings))
            and after.blocks == note.blocks
            and (after.head == note.head or self._keeps_properties(after, in_properties))
            and self._keep_links(repairs, after)
        )

    def _keeps_properties(self, after: Note, repaired: int) -> bool:
        """Return whether at most `max_changes` values of properties changed, and the note's problems did not."""
        note = self._note
        return len(list(differences(note.properties, after.properties))) <= repaired and (
            [problem.message for problem in after.problems] == [problem.message for problem in note.problems]
        )

    def _keep_links(self, repairs: tuple[Repair, ...], after: Note) -> bool:
        spans = _spans_after(repairs)
        new_spans = [span for span, repair in zip(spans, repairs, strict=True) if repair.makes_link]
        new_links = [link for link in after.links if _overlapping_spans(link, new_spans)]
        old_links = [link for link in after.links if not _overlapping_spans(link, new_spans)]
        return (
            len(new_links) == len(new_spans)
            and len(old_links) == len(self._note.links)
            and all(_is_same(*pair, repairs, spans) for pair in zip(self._note.links, old_links, strict=True))
            and _expected_extents(self._note, repairs)
            == [(link.start, link.end) for link in old_links if link.kind != "property"]
            and self._reach_targets(repairs, spans, after)
        )

    def _reach_targets(self, repairs: tuple[Repair, ...], spans: Sequence[tuple[int, int]], after: Note) -> bool:
        """Return whether each repair that has a target results in a link to it."""
        leads: defaultdict[int, set[str]] = defaultdict(set)
        for link in after.links:
            for number in _overlapping_spans(link, spans):
                leads[number].add(self._names.leads_to(link.path, after.path) or "")
        return all(not repair.target or repair.target in leads[number] for number, repair in enumerate(repairs))


def _is_same(before: Link, after: Link, repairs: Sequence[Repair], spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a link is unchanged, except for what the repairs that overlap it may change.

    They may change its path and text, and its subpath if that is repaired, but not its kind or embedding.
    """
    touching = [repairs[number] for number in _overlapping_spans(after, spans)]
    subpath = next((repair.subpath for repair in touching if repair.subpath), before.subpath)
    alike = (before.kind, before.embed, subpath) == (after.kind, after.embed, after.subpath)
    if not alike or before.external != after.external:
        return False
    return bool(touching) or (before.path, before.text) == (after.path, after.text)


def _is_same_heading(heading: Heading, other_heading: Heading) -> bool:
    """Return whether two headings have the same level, the same line and, for links, the same text."""
    is_there = (heading.level, heading.line) == (other_heading.level, other_heading.line)
    return is_there and (
        heading.text == other_heading.text or comparable(heading.text) == comparable(other_heading.text)
    )


def _expected_extents(note: Note, repairs: tuple[Repair, ...]) -> list[tuple[int, int]]:
    """Return the start and end that each link in the body should have after the repairs."""
    map_offset = shift([repair.splice for repair in repairs])
    return [(map_offset(link.start), map_offset(link.end)) for link in note.links if link.kind != "property"]


def _spans_after(repairs: tuple[Repair, ...]) -> list[tuple[int, int]]:
    """Return the start and end of each repair's inserted text in the repaired note."""
    splices = [repair.splice for repair in repairs]
    starts = map(add, (splice.offset for splice in splices), accumulate((each.growth for each in splices), initial=0))
    return [(start, start + len(splice.inserted)) for start, splice in zip(starts, splices, strict=True)]


def _overlapping_spans(link: Link, spans: Sequence[tuple[int, int]]) -> range:
    """Return the indices of the `spans`, ordered and disjoint, that a link overlaps."""
    end = bisect_left(spans, (link.end, 0))
    start = end
    while start > 0 and spans[start - 1][1] > link.start and link.start < link.end:
        start -= 1
    return range(start, end)
