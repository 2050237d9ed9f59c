"""Verification of repairs by a second reading of the repaired note.

The note must say what was intended, and otherwise what it said before.
"""

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
"""The maximum number of readings of one note; repairs not verified by then are dropped, so that a hostile note does not
take minutes."""


class Verifier:
    """A verifier that drops the invalid repairs of one note."""

    def __init__(self, note: Note, names: RepairContext) -> None:
        self._note = note
        self._names = names
        self._readings = 0
        self._heading_starts = [heading.start for heading in note.headings]

    def select_valid(self, repairs: tuple[Repair, ...]) -> tuple[Repair, ...]:
        """Return the repairs that are valid together; `repairs` and the result are in the order of the text."""
        return self._add_valid((), tuple(repair for repair in repairs if self._keeps_heading(repair.splice)))

    def _add_valid(self, accepted: tuple[Repair, ...], more: tuple[Repair, ...]) -> tuple[Repair, ...]:
        """Return the valid repairs `accepted`, followed by the later repairs in `more` that are valid with them."""
        if not more or self._are_valid(accepted + more):
            return accepted + more
        if len(more) == 1 or self._readings > MAX_READING_COUNT:
            return accepted
        middle = len(more) // 2
        return self._add_valid(self._add_valid(accepted, more[:middle]), more[middle:])

    def _keeps_heading(self, splice: Splice) -> bool:
        """Return whether links still find the heading that a splice changes; a quick test for most failures."""
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
        """Return whether at most `repaired` properties changed, and their problems stayed the same."""
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
        """Return whether each repair that should make a link made one with the right target."""
        leads: defaultdict[int, set[str]] = defaultdict(set)
        for link in after.links:
            for number in _overlapping_spans(link, spans):
                leads[number].add(self._names.leads_to(link.path, after.path) or "")
        return all(not repair.target or repair.target in leads[number] for number, repair in enumerate(repairs))


def _is_same(before: Link, after: Link, repairs: Sequence[Repair], spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a link is unchanged, except for what repairs that touch it change.

    A repair may change the path, and the text too; kind, embedding and subpath stay, apart from a repaired subpath.
    """
    touching = [repairs[number] for number in _overlapping_spans(after, spans)]
    subpath = next((repair.subpath for repair in touching if repair.subpath), before.subpath)
    alike = (before.kind, before.embed, subpath) == (after.kind, after.embed, after.subpath)
    if not alike or before.external != after.external:
        return False
    return bool(touching) or (before.path, before.text) == (after.path, after.text)


def _is_same_heading(heading: Heading, other_heading: Heading) -> bool:
    """Return whether links find two headings alike."""
    is_there = (heading.level, heading.line) == (other_heading.level, other_heading.line)
    return is_there and (
        heading.text == other_heading.text or comparable(heading.text) == comparable(other_heading.text)
    )


def _expected_extents(note: Note, repairs: tuple[Repair, ...]) -> list[tuple[int, int]]:
    """Return the expected start and end of each link in the body after the repairs."""
    map_offset = shift([repair.splice for repair in repairs])
    return [(map_offset(link.start), map_offset(link.end)) for link in note.links if link.kind != "property"]


def _spans_after(repairs: tuple[Repair, ...]) -> list[tuple[int, int]]:
    """Return the start and end of each repair's inserted text after the repairs."""
    splices = [repair.splice for repair in repairs]
    starts = map(add, (splice.offset for splice in splices), accumulate((each.growth for each in splices), initial=0))
    return [(start, start + len(splice.inserted)) for start, splice in zip(starts, splices, strict=True)]


def _overlapping_spans(link: Link, spans: Sequence[tuple[int, int]]) -> range:
    """Return the indices of the spans that a link overlaps; the spans are in order and do not overlap each other."""
    end = bisect_left(spans, (link.end, 0))
    start = end
    while start > 0 and spans[start - 1][1] > link.start and link.start < link.end:
        start -= 1
    return range(start, end)
