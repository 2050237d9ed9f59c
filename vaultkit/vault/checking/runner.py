"""All checks over one vault, and what they find."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from vaultkit.errors import Problem, VaultkitError
from vaultkit.sorting import name_order
from vaultkit.vault.checking.check import Checks, inspect
from vaultkit.vault.checking.chosen import Chosen, Progress
from vaultkit.vault.checking.repair import Repair
from vaultkit.vault.checking.repairer import Repairer
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.vault import Vault
from vaultkit.vault.writing.write import refuse_generated

MOST = 500
"""With more problems than this, nobody looks which can be repaired, since that reads their notes again."""


@dataclass(frozen=True, slots=True)
class Report:
    """How many notes and links were looked at, what was found, top to bottom, and how many notes were left out.

    `mendable` is how many of the problems `check --fix` repairs, whose hints say so; None if there are too many
    problems to find that out. `lost` are the paths that lead to no file, by the problem of their link.
    """

    notes: int
    links: int
    problems: tuple[Problem, ...]
    excluded: int = 0
    mendable: int | None = None
    lost: Mapping[Problem, str] = field(default_factory=dict)


def run(vault: Vault, checks: Checks, paths: Sequence[str] | None = None, progress: Progress | None = None) -> Report:
    """Checks the notes at or below the vault paths `paths`, else all, as `selected` says.

    The `vault` is one whose notes are asked for the same checks when they are read, or that has not been read.
    """
    chosen = Chosen(vault.inspected(partial(inspect, checks=checks)), paths, progress)
    problems = {*_kept(chosen)}
    for look in dict.fromkeys(check.in_vault for check in checks if check.in_vault):
        problems.update(look(chosen))
    mended = _mended(chosen, checks, problems) if len(problems) <= MOST else {}
    promised = (_promised(problem, mended[problem]) if problem in mended else problem for problem in problems)
    found = sorted(promised, key=lambda problem: (name_order(problem.note), problem))
    mendable = len(mended) if len(problems) <= MOST else None
    places = ((problem, (problem.note, problem.line, problem.column, problem.code)) for problem in found)
    lost = {problem: chosen.lost[place] for problem, place in places if place in chosen.lost}
    return Report(chosen.count, chosen.links, tuple(found), chosen.excluded, mendable, lost)


def _kept(chosen: Chosen) -> Iterator[Problem]:
    """The problems that were found when files were listed and notes were read."""
    listed = chosen.vault.listing.problems
    yield from (problem for problem in listed if chosen.has(problem.note) or chosen.has(f"{problem.note}/"))
    for facts in chosen.facts:
        yield from (facts.unreadable,) if facts.unreadable else facts.problems


def _mended(chosen: Chosen, checks: Checks, problems: Iterable[Problem]) -> dict[Problem, Repair]:
    """The repair of each problem that has one: not of those of a generated compendium, which `--fix` leaves alone."""
    repairer = Repairer(chosen.vault, checks)
    mended: dict[Problem, Repair] = {}
    by_note: dict[str, list[Problem]] = {}
    for problem in problems:
        if problem.line and is_note(problem.note) and repairer.concerns(chosen.vault.facts[problem.note]):
            by_note.setdefault(problem.note, []).append(problem)
    for path, of_note in by_note.items():
        with suppress(VaultkitError):  # generated, unreadable, or gone since its facts were read
            note = chosen.vault.read(path)
            refuse_generated(note)
            repairs = {(repair.line, repair.column, repair.code): repair for repair in repairer.repairs(note)}
            places = ((problem, (problem.line, problem.column, problem.code)) for problem in of_note)
            mended.update((problem, repairs[place]) for problem, place in places if place in repairs)
    return mended


def _promised(problem: Problem, repair: Repair) -> Problem:
    """The problem with a hint that says that `check --fix` does what the hint asks for."""
    hint = repair.promise or problem.hint.removesuffix(".")
    return replace(problem, hint=f"{hint}; vaultkit check --fix writes that.")
