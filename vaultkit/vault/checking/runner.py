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
from vaultkit.vault.checking.check import Checks, FindInVault, inspect
from vaultkit.vault.checking.checks import broken_links
from vaultkit.vault.checking.diagnosis import RepairInfo
from vaultkit.vault.checking.fixes import Remedy
from vaultkit.vault.checking.repairer import Repairer
from vaultkit.vault.checking.report import Report
from vaultkit.vault.checking.selection import CheckScope, Place
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.index.fact_reader import SaveIndex
from vaultkit.vault.index.worker_pool import run_in_background
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
    problems = {*_find_early_problems(scope)}
    problems.update(_with_cause(problem, causes) for problem in _find_vault_problems(scope, checks, save))
    repair_infos = _collect_repair_infos(scope, checks, problems)
    problems_with_hint = {problem: _with_fix_hint(problem, repair_infos[problem]) for problem in repair_infos}
    hinted = (problems_with_hint.get(problem, problem) for problem in problems)
    sorted_problems = sorted(hinted, key=lambda problem: (name_sort_key(problem.note), problem))
    infos_by_problem = {problems_with_hint[problem]: info for problem, info in repair_infos.items()}
    lost_paths = {
        problem: scope.lost[place] for problem in sorted_problems if (place := _problem_place(problem)) in scope.lost
    }
    return Report(scope.count, scope.links, tuple(sorted_problems), scope.excluded_count, infos_by_problem, lost_paths)


def _find_early_problems(scope: CheckScope) -> Iterator[Problem]:
    """Yield the problems that were found while the files were listed and the notes were read."""
    listing_problems = scope.vault.listing.problems
    yield from (
        problem for problem in listing_problems if scope.includes(problem.note) or scope.includes(f"{problem.note}/")
    )
    for facts in scope.facts:
        yield from (facts.unreadable,) if facts.unreadable else facts.problems


def _find_vault_problems(scope: CheckScope, checks: Checks, save: SaveIndex) -> Iterator[Problem]:
    """Yield the problems that the checks of the whole vault find.

    Other processes run the other checks and update the index while this process checks the links.
    """

    def saved(_: CheckScope) -> tuple[()]:
        save()
        return ()

    check_functions = dict.fromkeys(
        check.in_vault for check in reversed(checks) if check.in_vault
    )  # quick functions last
    deck_functions = {check.in_vault for check in checks if check.of_decks}
    joint_functions = tuple(function for function in check_functions if function in deck_functions)
    function_groups = [
        (saved,),
        joint_functions,
        *(
            (function,)
            for function in check_functions
            if function is not broken_links.find_problems and function not in deck_functions
        ),
    ]
    with run_in_background(
        partial(_run_checks, scope), function_groups, is_worthwhile=len(scope.notes) >= MIN_PARALLEL_CHECK_NOTES
    ) as results:
        if broken_links.find_problems in check_functions:
            yield from broken_links.find_problems(scope)
        for result in results():
            yield from result.problems
            if result.kept_out:
                trust.record_ignored(scope.vault.root)


class _ScanResult(NamedTuple):
    """The problems that some checks found; `kept_out` says that an untrusted part of the vault was ignored."""

    problems: list[Problem]
    kept_out: bool


def _run_checks(scope: CheckScope, check_functions: Iterable[FindInVault]) -> _ScanResult:
    return _ScanResult(
        [problem for function in check_functions for problem in function(scope)],
        trust.consume_ignored_flag(scope.vault.root),
    )


def _with_cause(problem: Problem, causes: Mapping[str, str]) -> Problem:
    """Return the problem with its check's cause if its own cause is "other"."""
    cause = causes.get(problem.code, "other") if problem.cause == "other" else problem.cause
    return problem if cause == problem.cause else replace(problem, cause=cause)


def _problem_place(problem: Problem) -> Place:
    return problem.note, problem.line, problem.column, problem.code


def _collect_repair_infos(scope: CheckScope, checks: Checks, problems: Iterable[Problem]) -> dict[Problem, RepairInfo]:
    """Return, for each problem that can be repaired, how it is repaired.

    Repairs are planned from the note's text; if too many notes would have to be read, the remedy of the link is used.
    """
    codes = {check.code for check in checks if check.repair} | {"link-heading"}
    by_note = group((each.note, each) for each in problems if each.line and each.code in codes and is_note(each.note))
    certain_places = {
        place for place, remedy in scope.remedies.items() if remedy.certain and len(by_note) <= MAX_REREAD_NOTES
    }
    paths_to_read = [
        path
        for path, problems_of_note in by_note.items()
        if any(_needs_reading(each, certain_places) for each in problems_of_note)
    ]
    planned_hints = _plan_repairs(scope.vault, checks, sorted(paths_to_read)[:MAX_REREAD_NOTES])
    repair_infos: dict[Problem, RepairInfo] = {}
    for path, note_problems in by_note.items():
        in_generated_note = is_generated(scope.vault.facts[path])
        for problem in note_problems:
            info = _make_repair_info(problem, scope.remedies.get(_problem_place(problem)), planned_hints.get(path))
            if info is not None:
                repair_infos[problem] = msgspec.structs.replace(info, generated=in_generated_note)
    return repair_infos


def _needs_reading(problem: Problem, certain_places: Collection[Place]) -> bool:
    """Return whether the note must be read to plan a problem's repair: not for a link without a certain remedy."""
    return problem.code not in _LINK_CODES or _problem_place(problem) in certain_places


_LINK_CODES = ("link-unresolved", "link-heading")


def _plan_repairs(vault: Vault, checks: Checks, paths: Sequence[str]) -> dict[str, dict[Place, str]]:
    """Return, for each note that can be read, the hints of its repairs by their places."""
    plan = partial(_find_repair_hints, vault, Repairer(vault, checks))
    chunks = [paths[start : start + _CHUNK_NOTES] for start in range(0, len(paths), _CHUNK_NOTES)]
    with run_in_background(plan, chunks, is_worthwhile=len(paths) >= MIN_PARALLEL_REPAIR_NOTES) as results:
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
    planned_hint = planned_hints.get(_problem_place(problem)) if planned_hints else None
    return None if planned_hint is None else RepairInfo(certain=True, hint=planned_hint)


def _with_fix_hint(problem: Problem, info: RepairInfo) -> Problem:
    """Return the problem, with a hint at `check --fix` if its repair is certain."""
    if not info.certain:
        return problem
    hint = info.hint or problem.hint.removesuffix(".")
    command = "vaultkit check --fix --generated" if info.generated else "vaultkit check --fix"
    return replace(problem, hint=f"{hint}; {command} --write does that.")
