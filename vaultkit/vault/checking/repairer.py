"""The repairer of notes, which joins the repairs of all checks into one splice."""

from vaultkit.vault.checking.check import Checks
from vaultkit.vault.checking.checks import misplaced_properties
from vaultkit.vault.checking.repair import Repair, RepairContext
from vaultkit.vault.checking.verifier import Verifier
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import Facts
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing.splice import Splice, join_splices


class Repairer:
    """A repairer of the notes of one vault.

    It makes all certain repairs, or with a `cause`, all repairs of that cause, guesses included. If `cause` is None, it
    makes all guesses and nothing else.
    """

    def __init__(self, vault: Vault, checks: Checks, cause: str | None = "") -> None:
        self._context = RepairContext(vault)
        self._cause = cause
        rules = (check.repair for check in checks if check.repair not in (None, misplaced_properties.repairs))
        self._rules = tuple(dict.fromkeys(filter(None, rules)))
        self._codes = frozenset(check.code for check in checks if check.repair)
        self._cached_repairs: dict[tuple[str, str], tuple[Repair, ...]] = {}

    def may_need_repair(self, facts: Facts) -> bool:
        """Return whether a note may need a repair, by its facts alone."""
        note_codes = {*facts.suspects, *(problem.code for problem in facts.problems)}
        return not self._codes.isdisjoint(note_codes) or any(
            self._context.is_broken(link, facts.path) for link in facts.links
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
        move_repair = next(misplaced_properties.repairs(note, self._context), None)
        if move_repair is None or not move_repair.is_wanted(self._cause):
            return self._find_repairs(note)
        opening = move_repair.splice.removed
        other_repairs = self._find_repairs(misplaced_properties.move_up(note, opening))
        return (move_repair, *(misplaced_properties.move_back(repair, opening) for repair in other_repairs))

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
        return Verifier(note, self._context).select_valid(tuple(disjoint_repairs))
