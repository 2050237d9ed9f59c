"""A run of all checks over one vault."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import msgspec

from vaultkit import trust
from vaultkit.errors import Problem, VaultkitError
from vaultkit.garbage_collection import pause_garbage_collector
from vaultkit.text import group, name_sort_key
from vaultkit.vault.checking.check import Checks, InVault, inspect
from vaultkit.vault.checking.checks import broken_links
from vaultkit.vault.checking.diagnosis import RepairInfo
from vaultkit.vault.checking.fixes import Remedy
from vaultkit.vault.checking.repairer import Repairer
from vaultkit.vault.checking.report import Report
from vaultkit.vault.checking.selection import CheckScope, Place
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.index.fact_reader import Save
from vaultkit.vault.index.worker_pool import run_beside
from vaultkit.vault.note import is_generated
from vaultkit.vault.vault import Vault
from vaultkit.vault.walk import Progress

MAX_REREAD_NOTES = 250
"""The maximum number of notes with problems that are read again to plan repairs; for the others, remedies of links
are used without a reading."""
MIN_PARALLEL_CHECK_NOTES = 300
"""The minimum number of notes for which a second process that runs the vault checks saves time."""
MIN_PARALLEL_REPAIR_NOTES = 40
"""The minimum number of notes with problems for which a second process that plans repairs saves time."""
_CHUNK_NOTES = 5
"""The number of notes whose repairs one call in a worker process plans."""


@pause_garbage_collector()
def run(vault: Vault, checks: Checks, paths: Sequence[str] | None = None, progress: Progress | None = None) -> Report:
    """Check the notes at or below `paths`, or all notes that Obsidian does not exclude, and return the report.

    `vault` must have no facts yet, or facts that were read for the same checks.
    """
    vault = vault.with_inspection(partial(inspect, checks=checks))
    save, scope = vault.read_all(), CheckScope(vault, paths, progress)
    causes = {check.code: check.cause for check in checks if check.cause != "other"}
    problems = {*_early_problems(scope)}
    problems.update(_with_cause(problem, causes) for problem in _find_vault_problems(scope, checks, save))
    mendings = _collect_repair_infos(scope, checks, problems)
    problems_with_hint = {problem: _with_fix_hint(problem, mendings[problem]) for problem in mendings}
    hinted = (problems_with_hint.get(problem, problem) for problem in problems)
    sorted_problems = sorted(hinted, key=lambda problem: (name_sort_key(problem.note), problem))
    infos_by_problem = {problems_with_hint[problem]: mending for problem, mending in mendings.items()}
    lost_paths = {problem: scope.lost[place] for problem in sorted_problems if (place := _place(problem)) in scope.lost}
    return Report(scope.count, scope.links, tuple(sorted_problems), scope.excluded, infos_by_problem, lost_paths)


def _early_problems(scope: CheckScope) -> Iterator[Problem]:
    """Yield the problems that were found while the files were listed and the notes were read."""
    listed = scope.vault.listing.problems
    yield from (problem for problem in listed if scope.includes(problem.note) or scope.includes(f"{problem.note}/"))
    for facts in scope.facts:
        yield from (facts.unreadable,) if facts.unreadable else facts.problems


def _find_vault_problems(scope: CheckScope, checks: Checks, save: Save) -> Iterator[Problem]:
    """Yield the problems that the checks of the whole vault find.

    Other processes run the other checks and update the index while this process checks the links.
    """

    def saved(_: CheckScope) -> tuple[()]:
        save()
        return ()

    looks = dict.fromkeys(check.in_vault for check in reversed(checks) if check.in_vault)  # quick functions last
    of_decks = {check.in_vault for check in checks if check.of_decks}
    together = tuple(look for look in looks if look in of_decks)
    others = [
        (saved,),
        together,
        *((look,) for look in looks if look is not broken_links.find_problems and look not in of_decks),
    ]
    with run_beside(
        partial(_run_checks, scope), others, is_worthwhile=len(scope.notes) >= MIN_PARALLEL_CHECK_NOTES
    ) as results:
        if broken_links.find_problems in looks:
            yield from broken_links.find_problems(scope)
        for result in results():
            yield from result.problems
            if result.kept_out:
                trust.keep_out(scope.vault.root)


class _ScanResult(NamedTuple):
    """The problems that some checks found; `kept_out` says that an untrusted part of the vault was ignored."""

    problems: list[Problem]
    kept_out: bool


def _run_checks(scope: CheckScope, looks: Iterable[InVault]) -> _ScanResult:
    return _ScanResult([problem for look in looks for problem in look(scope)], trust.was_kept_out(scope.vault.root))


def _with_cause(problem: Problem, causes: Mapping[str, str]) -> Problem:
    """Return the problem with its check's cause if its own cause is "other"."""
    cause = causes.get(problem.code, "other") if problem.cause == "other" else problem.cause
    return problem if cause == problem.cause else replace(problem, cause=cause)


def _place(problem: Problem) -> Place:
    return problem.note, problem.line, problem.column, problem.code


def _collect_repair_infos(scope: CheckScope, checks: Checks, problems: Iterable[Problem]) -> dict[Problem, RepairInfo]:
    """Return, for each problem that can be repaired, how it is repaired.

    Repairs are planned from the note's text; if too many notes would have to be read, the remedy of the link is used.
    """
    codes = {check.code for check in checks if check.repair} | {"link-heading"}
    by_note = group((each.note, each) for each in problems if each.line and each.code in codes and is_note(each.note))
    certain = {place for place, remedy in scope.remedies.items() if remedy.certain and len(by_note) <= MAX_REREAD_NOTES}
    exact = [path for path, those in by_note.items() if any(_needs_reading(each, certain) for each in those)]
    planned_hints = _plan_repairs(scope.vault, checks, sorted(exact)[:MAX_REREAD_NOTES])
    mendings: dict[Problem, RepairInfo] = {}
    for path, of_note in by_note.items():
        generated = is_generated(scope.vault.facts[path])
        for problem in of_note:
            mending = _make_repair_info(problem, scope.remedies.get(_place(problem)), planned_hints.get(path))
            if mending is not None:
                mendings[problem] = msgspec.structs.replace(mending, generated=generated)
    return mendings


def _needs_reading(problem: Problem, certain: Collection[Place]) -> bool:
    """Return whether the note must be read to plan a problem's repair: not for a link without a certain remedy."""
    return problem.code not in _BY_LINK or _place(problem) in certain


_BY_LINK = ("link-unresolved", "link-heading")


def _plan_repairs(vault: Vault, checks: Checks, paths: Sequence[str]) -> dict[str, dict[Place, str]]:
    """Return, for each note that can be read, the hints of its repairs by their places."""
    plan = partial(_find_repair_hints, vault, Repairer(vault, checks))
    chunks = [paths[start : start + _CHUNK_NOTES] for start in range(0, len(paths), _CHUNK_NOTES)]
    with run_beside(plan, chunks, is_worthwhile=len(paths) >= MIN_PARALLEL_REPAIR_NOTES) as results:
        return {hints.note: dict(hints.by_place) for chunk_results in results() for hints in chunk_results}


class _RepairHints(NamedTuple):
    """The hints of the repairs of a note, by their places."""

    note: str
    by_place: list[tuple[Place, str]]


def _find_repair_hints(vault: Vault, repairer: Repairer, paths: Iterable[str]) -> list[_RepairHints]:
    all_hints: list[_RepairHints] = []
    for path in paths:
        with suppress(VaultkitError):  # unreadable, or deleted after its facts were read
            repairs = repairer.repairs(vault.read_again(path))
            all_hints.append(
                _RepairHints(
                    path, [((path, repair.line, repair.column, repair.code), repair.hint) for repair in repairs]
                )
            )
    return all_hints


def _make_repair_info(
    problem: Problem, remedy: Remedy | None, planned_hints: Mapping[Place, str] | None
) -> RepairInfo | None:
    """Return how a problem is repaired: by its link's remedy or the planned repair at its place; None if not at all."""
    if remedy is not None and (planned_hints is None or not remedy.certain):
        return RepairInfo(remedy.certain)
    promise = planned_hints.get(_place(problem)) if planned_hints else None
    return None if promise is None else RepairInfo(certain=True, hint=promise)


def _with_fix_hint(problem: Problem, mending: RepairInfo) -> Problem:
    """Return the problem, with a hint at `check --fix` if its repair is certain."""
    if not mending.certain:
        return problem
    hint = mending.hint or problem.hint.removesuffix(".")
    command = "vaultkit check --fix --generated" if mending.generated else "vaultkit check --fix"
    return replace(problem, hint=f"{hint}; {command} --write does that.")
