"""The repairer of notes, which joins the repairs of all checks into one splice."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from operator import add

from vaultkit.vault.checking.check import Checks
from vaultkit.vault.checking.checks import invalid_properties
from vaultkit.vault.checking.repair import Repair, RepairContext, differences
from vaultkit.vault.links import Link
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.structure import Heading
from vaultkit.vault.subpath import comparable_heading
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing.splice import Splice, join_splices, offset_mapper

MAX_READING_COUNT = 100
"""The maximum number of times that one note is parsed; repairs that are not verified by then are dropped."""


class Verifier:
    """A verifier of the repairs of one note."""

    def __init__(self, note: Note, context: RepairContext) -> None:
        self._note = note
        self._context = context
        self._reading_count = 0
        self._heading_starts = [heading.start for heading in note.headings]

    def select_valid(self, repairs: tuple[Repair, ...]) -> tuple[Repair, ...]:
        """Return the ones of the `repairs`, ordered by offset, that are valid when made together."""
        return self._add_valid((), tuple(repair for repair in repairs if self._keeps_heading(repair.splice)))

    def _add_valid(self, accepted: tuple[Repair, ...], candidates: tuple[Repair, ...]) -> tuple[Repair, ...]:
        """Return the valid repairs `accepted`, followed by the later `candidates` that are valid with them."""
        if not candidates or self._are_valid(accepted + candidates):
            return accepted + candidates
        if len(candidates) == 1 or self._reading_count > MAX_READING_COUNT:
            return accepted
        middle = len(candidates) // 2
        return self._add_valid(self._add_valid(accepted, candidates[:middle]), candidates[middle:])

    def _keeps_heading(self, splice: Splice) -> bool:
        """Return whether links still find the heading that a splice changes; True if it changes none.

        This is a quick test, before the note is parsed.
        """
        heading_index = bisect_right(self._heading_starts, splice.offset) - 1
        heading = self._note.headings[heading_index] if heading_index >= 0 else None
        if heading is None or splice.offset >= heading.end:
            return True
        old_text = self._note.text[heading.start : heading.end]
        new_text = Splice(splice.offset - heading.start, splice.removed, splice.inserted).apply(old_text)
        return comparable_heading(new_text) == comparable_heading(old_text)

    def _are_valid(self, repairs: tuple[Repair, ...]) -> bool:
        self._reading_count += 1
        note = self._note
        splice = join_splices(note.text, [repair.splice for repair in repairs])
        new_note = note.with_text(splice.apply(note.text))
        property_repair_count = sum(repair.splice.offset < note.body_start for repair in repairs)
        return (
            len(new_note.headings) == len(note.headings)
            and all(map(_is_same_heading, new_note.headings, note.headings))
            and new_note.blocks == note.blocks
            and (new_note.head == note.head or self._keeps_properties(new_note, property_repair_count))
            and self._keep_links(repairs, new_note)
        )

    def _keeps_properties(self, new_note: Note, max_changes: int) -> bool:
        """Return whether at most `max_changes` values of properties changed, and the note's problems did not."""
        note = self._note
        return len(list(differences(note.properties, new_note.properties))) <= max_changes and (
            [problem.message for problem in new_note.problems] == [problem.message for problem in note.problems]
        )

    def _keep_links(self, repairs: tuple[Repair, ...], new_note: Note) -> bool:
        spans = _inserted_spans(repairs)
        new_spans = [span for span, repair in zip(spans, repairs, strict=True) if repair.makes_link]
        new_links = [link for link in new_note.links if _overlapping_spans(link, new_spans)]
        extents = _expected_extents(self._note, repairs)
        expected = set(extents)
        lines = {new_note.places.line(start) for start, _ in new_spans}
        old_links = [
            link
            for link in new_note.links
            if not _overlapping_spans(link, new_spans)
            # A link behind a cut one was beyond the table's columns, where the parser sees none.
            and ((link.start, link.end) in expected or link.line not in lines or link.kind == "property")
        ]
        return (
            len(new_links) == len(new_spans)
            and len(old_links) == len(self._note.links)
            and all(_is_same_link(*pair, repairs, spans) for pair in zip(self._note.links, old_links, strict=True))
            and extents == [(link.start, link.end) for link in old_links if link.kind != "property"]
            and self._reach_targets(repairs, spans, new_note)
        )

    def _reach_targets(self, repairs: tuple[Repair, ...], spans: Sequence[tuple[int, int]], new_note: Note) -> bool:
        """Return whether each repair that has a target results in a link to it."""
        reached_targets: defaultdict[int, set[str]] = defaultdict(set)
        for link in new_note.links:
            for index in _overlapping_spans(link, spans):
                reached_targets[index].add(self._context.leads_to(link.path, new_note.path) or "")
        return all(not repair.target or repair.target in reached_targets[index] for index, repair in enumerate(repairs))


def _is_same_link(old_link: Link, new_link: Link, repairs: Sequence[Repair], spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a link is unchanged, except for what the repairs that overlap it may change.

    They may change its path and text, and its subpath if that is repaired, but not its kind or embedding.
    """
    touching_repairs = [repairs[index] for index in _overlapping_spans(new_link, spans)]
    subpath = next((repair.subpath for repair in touching_repairs if repair.subpath), old_link.subpath)
    is_same_kind = (old_link.kind, old_link.embed, subpath) == (new_link.kind, new_link.embed, new_link.subpath)
    if not is_same_kind or old_link.external != new_link.external:
        return False
    return bool(touching_repairs) or (old_link.path, old_link.text) == (new_link.path, new_link.text)


def _is_same_heading(heading: Heading, other_heading: Heading) -> bool:
    """Return whether two headings have the same level, the same line and, for links, the same text."""
    is_same_position = (heading.level, heading.line) == (other_heading.level, other_heading.line)
    return is_same_position and comparable_heading(heading.text) == comparable_heading(other_heading.text)


def _expected_extents(note: Note, repairs: tuple[Repair, ...]) -> list[tuple[int, int]]:
    """Return the start and end that each link in the body should have after the repairs."""
    map_offset = offset_mapper([repair.splice for repair in repairs])
    return [(map_offset(link.start), map_offset(link.end)) for link in note.links if link.kind != "property"]


def _inserted_spans(repairs: tuple[Repair, ...]) -> list[tuple[int, int]]:
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


class Repairer:
    """A repairer of the notes of one vault.

    It makes all certain repairs, or with a `cause`, all repairs of that cause, guesses included. If `cause` is None, it
    makes all guesses and nothing else.
    """

    def __init__(
        self, vault: Vault, checks: Checks, cause: str | None = "", context: RepairContext | None = None
    ) -> None:
        self._context = context or RepairContext(vault)
        self._cause = cause
        rules = (check.repair for check in checks if check.repair not in (None, invalid_properties.repair_place))
        self._rules = tuple(dict.fromkeys(filter(None, rules)))
        self._codes = frozenset(check.code for check in checks if check.repair)
        self._concerns = tuple(check.concerns for check in checks if check.concerns)
        self._cached_repairs: dict[tuple[str, str], tuple[Repair, ...]] = {}

    def may_need_repair(self, facts: Facts) -> bool:
        """Return whether a note may need a repair, by its facts alone."""
        note_codes = {*facts.suspects, *(problem.code for problem in facts.problems)}
        return (
            not self._codes.isdisjoint(note_codes)
            or any(concerns(facts) for concerns in self._concerns)
            or any(self._context.is_broken(link, facts.path) for link in facts.links)
        )

    def repairs(self, note: Note) -> tuple[Repair, ...]:
        """Return the wanted repairs of a note, in the order of the text, that are valid together.

        Raises InvalidError if the note cannot be read.
        """
        cache_key = (note.path, note.sha256)
        if cache_key not in self._cached_repairs:
            self._cached_repairs[cache_key] = self._find_all_repairs(note)
        return self._cached_repairs[cache_key]

    def plan(self, note: Note) -> Splice | None:
        """Return all repairs of a note as one splice, or None if it needs none; for use with `Writer.change`."""
        repairs = self.repairs(note)
        return join_splices(note.text, [repair.splice for repair in repairs]) if repairs else None

    def _find_all_repairs(self, note: Note) -> tuple[Repair, ...]:
        """Return the repairs of a note.

        If the frontmatter must move to the note's start, the other repairs are planned for the note after that.
        """
        move_repair = next(invalid_properties.repair_place(note, self._context), None)
        if move_repair is None or not move_repair.is_wanted(self._cause):
            return self._find_repairs(note)
        opening = move_repair.splice.removed
        other_repairs = self._find_repairs(invalid_properties.move_up(note, opening))
        return (move_repair, *(invalid_properties.move_back(repair, opening) for repair in other_repairs))

    def _is_wanted(self, repair: Repair) -> bool:
        return repair.code in self._codes and repair.is_wanted(self._cause)

    def _find_repairs(self, note: Note) -> tuple[Repair, ...]:
        repairs_by_offset: dict[int, Repair] = {}
        for rule in self._rules:
            for repair in filter(self._is_wanted, rule(note, self._context)):
                repairs_by_offset.setdefault(repair.splice.offset, repair)
        disjoint_repairs: list[Repair] = []
        for offset in sorted(repairs_by_offset):
            if not disjoint_repairs or disjoint_repairs[-1].splice.end <= offset:
                disjoint_repairs.append(repairs_by_offset[offset])
        links = tuple(repair for repair in disjoint_repairs if not repair.derives)
        derived = [repair for repair in disjoint_repairs if repair.derives]
        valid_links = Verifier(note, self._context).select_valid(links)
        return tuple(sorted((*valid_links, *derived), key=lambda repair: repair.splice.offset))
