"""A run of all checks over one vault."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple, cast

import msgspec

from vaultkit import trust
from vaultkit.errors import Problem, Severity, VaultkitError
from vaultkit.text import group, name_sort_key
from vaultkit.vault.checking.check import Checks, FindInVault, inspect, limit_problems
from vaultkit.vault.checking.checks import broken_links
from vaultkit.vault.checking.repair import RepairContext
from vaultkit.vault.checking.repairer import Repairer
from vaultkit.vault.checking.report import RepairInfo, Report
from vaultkit.vault.checking.selection import CheckScope, Place
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.index.fact_reader import SaveIndex, pause_garbage_collector
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
def run(
    vault: Vault,
    checks: Checks,
    paths: Sequence[str] | None = None,
    progress: Progress | None = None,
    levels: Mapping[str, str] = MappingProxyType({}),
) -> Report:
    """Check the notes at or below `paths`, or all notes that Obsidian does not exclude, and return the report.

    `vault` must have no facts yet, or facts that were read for the same checks. `levels` are the settings in the
    section `check`: `error`, `warning` or `off` by code.
    """
    vault = vault.with_inspection(partial(inspect, checks=checks))
    save, scope = vault.read_all(), CheckScope(vault, paths, progress)
    causes = {check.code: check.cause for check in checks if check.cause != "other"}
    vault_problems = (_with_cause(problem, causes) for problem in _find_vault_problems(scope, checks, save))
    all_problems = dict.fromkeys(chain(_find_early_problems(scope), vault_problems))
    problems = set(limit_problems(problem for problem in all_problems if levels.get(problem.code) != "off"))
    repair_infos = _collect_repair_infos(scope, checks, problems)
    final = {problem: _finish(problem, repair_infos.get(problem), levels.get(problem.code)) for problem in problems}
    sorted_problems = sorted(final.values(), key=lambda problem: (name_sort_key(problem.note), problem))
    infos_by_problem = {final[problem]: info for problem, info in repair_infos.items()}
    names = {problem: scope.lost[problem.place] for problem in sorted_problems if problem.place in scope.lost}
    return Report(scope.count, scope.links, tuple(sorted_problems), scope.excluded_count, infos_by_problem, names)


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

    Another process runs the other checks, and also checks the targets of half the links and updates the index, while
    this process checks the links.
    """
    check_functions = dict.fromkeys(
        check.in_vault for check in reversed(checks) if check.in_vault
    )  # quick functions last
    deck_functions = {check.in_vault for check in checks if check.of_decks}
    joint_functions = tuple(function for function in check_functions if function in deck_functions)
    other_functions = [function for function in check_functions if function not in deck_functions]
    checks_links = broken_links.find_problems in other_functions
    function_groups = [
        joint_functions,
        *((function,) for function in other_functions if function is not broken_links.find_problems),
    ]
    tasks = [
        *([partial(_find_late_targets, scope)] if checks_links else ()),
        partial(_save, save),
        *(partial(_run_checks, scope, group) for group in function_groups),
    ]
    _ = scope.vault.files  # before the fork, since both processes need it
    with run_in_background(_call, tasks, is_worthwhile=len(scope.notes) >= MIN_PARALLEL_CHECK_NOTES) as results:
        remaining_results = results()
        if checks_links:
            yield from broken_links.find_problems(scope, lambda: next(remaining_results).late_targets or {})
        for result in remaining_results:
            yield from result.problems
            if result.kept_out:
                trust.record_ignored(scope.vault.root)


class _TaskResult(NamedTuple):
    """The problems that some checks found; `kept_out` says that an untrusted part of the vault was ignored.

    `late_targets` are the wrong targets of links in half the notes.
    """

    problems: Sequence[Problem] = ()
    kept_out: bool = False
    late_targets: broken_links.WrongTargets | None = None


def _call(task: Callable[[], _TaskResult]) -> _TaskResult:
    return task()


def _find_late_targets(scope: CheckScope) -> _TaskResult:
    return _TaskResult(late_targets=broken_links.find_late_targets(scope))


def _save(save: SaveIndex) -> _TaskResult:
    save()
    return _TaskResult()


def _run_checks(scope: CheckScope, check_functions: Iterable[FindInVault]) -> _TaskResult:
    problems = [problem for function in check_functions for problem in function(scope)]
    return _TaskResult(problems, trust.consume_ignored_flag(scope.vault.root))


def _with_cause(problem: Problem, causes: Mapping[str, str]) -> Problem:
    """Return the problem with its check's cause if its own cause is "other"."""
    cause = causes.get(problem.code, "other") if problem.cause == "other" else problem.cause
    return problem if cause == problem.cause else replace(problem, cause=cause)


def _collect_repair_infos(scope: CheckScope, checks: Checks, problems: Iterable[Problem]) -> dict[Problem, RepairInfo]:
    """Return, for each problem that can be repaired, how it is repaired.

    Repairs are planned from the note's text; if too many notes would have to be read, the remedy of the link is used.
    """
    codes = {check.code for check in checks if check.repair}
    by_note = group((each.note, each) for each in problems if each.line and each.code in codes and is_note(each.note))
    reads_links = len(by_note) <= MAX_REREAD_NOTES
    paths_to_read = [
        path
        for path, note_problems in by_note.items()
        if any(each.code not in _LINK_CODES or (reads_links and each.place in scope.remedies) for each in note_problems)
    ]
    plans = _plan_repairs(scope.vault, checks, sorted(paths_to_read)[:MAX_REREAD_NOTES])
    repair_infos: dict[Problem, RepairInfo] = {}
    for path, note_problems in by_note.items():
        in_generated_note, plan = is_generated(scope.vault.facts[path]), plans.get(path)
        for problem in note_problems:
            remedy = scope.remedies.get(problem.place)
            info = RepairInfo(remedy.certain) if remedy and plan is None else (plan or {}).get(problem.place)
            if info is not None:
                repair_infos[problem] = msgspec.structs.replace(info, generated=in_generated_note)
    return repair_infos


_LINK_CODES = frozenset({"link-unresolved", "link-heading", "link-block", "link-ambiguous"})
"""The codes of problems whose remedies are known before their notes are read."""


def _plan_repairs(vault: Vault, checks: Checks, paths: Sequence[str]) -> dict[str, dict[Place, RepairInfo]]:
    """Return, for each note that can be read, its certain and its guessed repairs by their places."""
    context = RepairContext(vault)
    repairers = Repairer(vault, checks, context=context), Repairer(vault, checks, cause=None, context=context)
    plan = partial(_plan_notes, vault, repairers)
    chunks = [paths[start : start + _CHUNK_NOTES] for start in range(0, len(paths), _CHUNK_NOTES)]
    with run_in_background(plan, chunks, is_worthwhile=len(paths) >= MIN_PARALLEL_REPAIR_NOTES) as results:
        return {path: plan for plans in results() for path, plan in plans.items()}


def _plan_notes(
    vault: Vault, repairers: Sequence[Repairer], paths: Iterable[str]
) -> dict[str, dict[Place, RepairInfo]]:
    plans: dict[str, dict[Place, RepairInfo]] = {}
    for path in paths:
        with suppress(VaultkitError):  # unreadable, or deleted after its facts were read
            note = vault.read(path)
            plans[path] = {
                (path, repair.line, repair.column, repair.code): RepairInfo(repair.certain, hint=repair.hint)
                for repairer in reversed(repairers)
                for repair in repairer.repairs(note)
            }
    return plans


def _finish(problem: Problem, info: RepairInfo | None, level: str | None) -> Problem:
    """Return the problem with its final severity, and with the hint of its planned repair.

    What can be repaired is an error unless the settings give its code another level. Problems in comments are no
    errors (S7).
    """
    severity = cast("Severity", level) if level else "error" if info else problem.severity
    if problem.cause == "comment" and severity == "error":
        severity = "warning"
    hint = f"{info.hint}." if info and info.certain and info.hint else problem.hint
    return replace(problem, hint=hint, severity=severity)
