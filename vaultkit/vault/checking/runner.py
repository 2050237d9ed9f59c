"""A run of all checks over one vault."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import msgspec

from vaultkit import trust
from vaultkit.collector import resting_collector
from vaultkit.errors import Problem, VaultkitError
from vaultkit.grouping import group
from vaultkit.sorting import name_order
from vaultkit.vault.checking.causes import Mending
from vaultkit.vault.checking.check import Checks, InVault, inspect
from vaultkit.vault.checking.checks import lost_links
from vaultkit.vault.checking.chosen import Chosen, Place
from vaultkit.vault.checking.remedies import Remedy
from vaultkit.vault.checking.repairer import Repairer
from vaultkit.vault.checking.report import Report
from vaultkit.vault.file_facts import is_note
from vaultkit.vault.index.processes import run_beside
from vaultkit.vault.index.survey import Save
from vaultkit.vault.note import is_generated
from vaultkit.vault.vault import Vault
from vaultkit.vault.walk import Progress

MOST = 250
"""The maximum number of notes with problems that are read again to plan repairs; beyond it the links alone decide."""
MANY = 300
"""The minimum number of notes for which a second process that runs the vault checks saves time."""
SOME = 40
"""The minimum number of notes with problems for which a second process that plans repairs saves time."""
_CHUNK = 5
"""The number of notes whose repairs are planned in one go."""


@resting_collector()
def run(vault: Vault, checks: Checks, paths: Sequence[str] | None = None, progress: Progress | None = None) -> Report:
    """Check the notes at or below the vault paths `paths`, or all notes that Obsidian does not exclude, and report.

    The notes of `vault` must not have been read yet, or must have been read for the same checks.
    """
    vault = vault.inspected(partial(inspect, checks=checks))
    save, chosen = vault.read_all(), Chosen(vault, paths, progress)
    causes = {check.code: check.cause for check in checks if check.cause != "other"}
    problems = {*_kept(chosen)}
    problems.update(_with_cause(problem, causes) for problem in _seen(chosen, checks, save))
    mendings = _mendings(chosen, checks, problems)
    promised = {problem: _promised(problem, mendings[problem]) for problem in mendings}
    hinted = (promised.get(problem, problem) for problem in problems)
    found = sorted(hinted, key=lambda problem: (name_order(problem.note), problem))
    kept = {promised[problem]: mending for problem, mending in mendings.items()}
    lost = {problem: chosen.lost[place] for problem in found if (place := _place(problem)) in chosen.lost}
    return Report(chosen.count, chosen.links, tuple(found), chosen.excluded, kept, lost)


def _kept(chosen: Chosen) -> Iterator[Problem]:
    """Yield the problems that were found when files were listed and notes were read."""
    listed = chosen.vault.listing.problems
    yield from (problem for problem in listed if chosen.has(problem.note) or chosen.has(f"{problem.note}/"))
    for facts in chosen.facts:
        yield from (facts.unreadable,) if facts.unreadable else facts.problems


def _seen(chosen: Chosen, checks: Checks, save: Save) -> Iterator[Problem]:
    """Yield the problems that the vault checks find.

    While this process follows the links, other processes run the other checks and update the index.
    """

    def saved(_: Chosen) -> tuple[()]:
        save()
        return ()

    looks = dict.fromkeys(check.in_vault for check in reversed(checks) if check.in_vault)  # quick functions last
    of_decks = {check.in_vault for check in checks if check.of_decks}
    together = tuple(look for look in looks if look in of_decks)
    others = [(saved,), together, *((look,) for look in looks if look is not lost_links.look and look not in of_decks)]
    with run_beside(partial(_look, chosen), others, is_worthwhile=len(chosen.notes) >= MANY) as results:
        if lost_links.look in looks:
            yield from lost_links.look(chosen)
        for found in results():
            yield from found.problems
            if found.kept_out:
                trust.keep_out(chosen.vault.root)


class _Look(NamedTuple):
    """The problems that some checks found, and whether an untrusted part of the vault was ignored."""

    problems: list[Problem]
    kept_out: bool


def _look(chosen: Chosen, looks: Iterable[InVault]) -> _Look:
    return _Look([problem for look in looks for problem in look(chosen)], trust.was_kept_out(chosen.vault.root))


def _with_cause(problem: Problem, causes: Mapping[str, str]) -> Problem:
    """Return the problem with the cause of its check, if it has none of its own."""
    cause = causes.get(problem.code, "other") if problem.cause == "other" else problem.cause
    return problem if cause == problem.cause else replace(problem, cause=cause)


def _place(problem: Problem) -> Place:
    return problem.note, problem.line, problem.column, problem.code


def _mendings(chosen: Chosen, checks: Checks, problems: Iterable[Problem]) -> dict[Problem, Mending]:
    """Return how each repairable problem is repaired: as planned in its note, or as its link alone shows.

    The link alone decides if too many notes would have to be read.
    """
    codes = {check.code for check in checks if check.repair} | {"link-heading"}
    by_note = group((one.note, one) for one in problems if one.line and one.code in codes and is_note(one.note))
    certain = {place for place, remedy in chosen.remedies.items() if remedy.certain and len(by_note) <= MOST}
    exact = [path for path, those in by_note.items() if any(_needs_look(one, certain) for one in those)]
    planned = _planned(chosen.vault, checks, sorted(exact)[:MOST])
    mendings: dict[Problem, Mending] = {}
    for path, of_note in by_note.items():
        generated = is_generated(chosen.vault.facts[path])
        for problem in of_note:
            mending = _mending(problem, chosen.remedies.get(_place(problem)), planned.get(path))
            if mending is not None:
                mendings[problem] = msgspec.structs.replace(mending, generated=generated)
    return mendings


def _needs_look(problem: Problem, certain: Collection[Place]) -> bool:
    """Return whether a note must be read to plan a repair; for a link without a certain remedy it need not."""
    return problem.code not in _BY_LINK or _place(problem) in certain


_BY_LINK = ("link-unresolved", "link-heading")


def _planned(vault: Vault, checks: Checks, paths: Sequence[str]) -> dict[str, dict[Place, str]]:
    """Return the hint of each repair by its place, for each note that can be read."""
    plan = partial(_promises, vault, Repairer(vault, checks))
    chunks = [paths[start : start + _CHUNK] for start in range(0, len(paths), _CHUNK)]
    with run_beside(plan, chunks, is_worthwhile=len(paths) >= SOME) as results:
        return {one.note: dict(one.by_place) for found in results() for one in found}


class _Promises(NamedTuple):
    """The hints of the repairs of a note, by their places."""

    note: str
    by_place: list[tuple[Place, str]]


def _promises(vault: Vault, repairer: Repairer, paths: Iterable[str]) -> list[_Promises]:
    found: list[_Promises] = []
    for path in paths:
        with suppress(VaultkitError):  # unreadable, or deleted after its facts were read
            repairs = repairer.repairs(vault.read_again(path))
            found.append(_Promises(path, [((path, one.line, one.column, one.code), one.promise) for one in repairs]))
    return found


def _mending(problem: Problem, remedy: Remedy | None, planned: Mapping[Place, str] | None) -> Mending | None:
    """Return how a problem is repaired: by the planned repair at its place, or by its link's remedy, or None."""
    if remedy is not None and (planned is None or not remedy.certain):
        return Mending(remedy.certain)
    promise = planned.get(_place(problem)) if planned else None
    return None if promise is None else Mending(certain=True, promise=promise)


def _promised(problem: Problem, mending: Mending) -> Problem:
    """Return the problem with a hint that `check --fix` makes the correction, if it is certain."""
    if not mending.certain:
        return problem
    hint = mending.promise or problem.hint.removesuffix(".")
    command = "vaultkit check --fix --generated" if mending.generated else "vaultkit check --fix"
    return replace(problem, hint=f"{hint}; {command} --write does that.")
