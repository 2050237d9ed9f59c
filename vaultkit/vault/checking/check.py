"""The definition of a check: a kind of problem, and the functions that find and repair it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain

import msgspec

from vaultkit.budget import Limit
from vaultkit.errors import Problem, Severity
from vaultkit.vault.checking.repair import Repair, RepairContext
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.file_facts import Inspection
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import Facts

TOO_MANY_CODE = "too-many"
"""The code of the problem that a note has so many of one kind that some are left out."""
QuickTest = Callable[[Note], bool]
FindInNote = Callable[[Note], Iterable[Problem]]
FindInVault = Callable[[CheckScope], Iterable[Problem]]
FindRepairs = Callable[[Note, RepairContext], Iterator[Repair]]


class Check(msgspec.Struct, frozen=True, eq=False):  # compared by identity: equality would be slow for each note
    """A check for one kind of problem: its code, which `docs/codes.md` explains, its usual severity and its functions.

    `in_note` finds problems in a note alone. It runs when the note is read, and the index stores its results.
    `in_vault` finds problems that need the whole vault; a function that several checks share runs once. A check without
    either is for problems found while files are listed and read.

    `quick` is a fast test that excludes most notes: `in_note` runs only if it returns True. For `in_vault` it selects
    the notes that `suspect_notes` yields, so that only those must be read. `repair` yields the repairs of a note.
    `cause` is the cause of the check's problems. `of_decks` says that `in_vault` reads decks: all such functions run in
    one process, so that decks are read only once. `concerns` selects by their facts the notes that `repair` may repair,
    if no problem of the note alone says so.
    """

    code: str
    severity: Severity = "error"
    in_note: FindInNote | None = None
    in_vault: FindInVault | None = None
    quick: QuickTest | None = None
    repair: FindRepairs | None = None
    cause: str = "other"
    of_decks: bool = False
    concerns: Callable[[Facts], bool] | None = None

    def problem_at(self, note: Note, offset: int, message: str, hint: str = "") -> Problem:
        """Return a problem at `offset` in the note's text."""
        return Problem(
            note.path, *note.places.line_and_column(offset), self.code, message, hint, self.severity, self.cause
        )

    def file_problem(self, path: str, message: str, hint: str = "") -> Problem:
        """Return a problem of a whole file or folder."""
        return Problem(path, 0, 0, self.code, message, hint, self.severity, self.cause)


Checks = tuple[Check, ...]
MAX_PROBLEMS = Limit(
    "This note has", 5_000, "problems of one kind, and the others are left out", "Correct these, then check again."
)


def limit_problems(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield problems, at most `MAX_PROBLEMS` of a kind in a note, and one problem for each kind with more of them."""
    counts = Counter[tuple[str, str]]()
    for problem in problems:
        kind = problem.note, problem.code
        counts[kind] += 1
        if counts[kind] <= MAX_PROBLEMS.maximum:
            yield problem
        elif counts[kind] == MAX_PROBLEMS.maximum + 1:
            yield MAX_PROBLEMS.problem(problem.note, TOO_MANY_CODE)


def inspect(note: Note, checks: Checks) -> Inspection:
    """Return the problems of a note alone, and the codes of checks that must read the note again, for the index."""
    groups = [group for group in _group_by_quick_test(checks) if group[0] is None or group[0](note)]
    problems = chain(note.problems, *(function(note) for _, functions, _ in groups for function in functions))
    return Inspection(tuple(limit_problems(problems)), tuple(code for _, _, codes in groups for code in codes))


@lru_cache(maxsize=8)
def _group_by_quick_test(
    checks: Checks,
) -> tuple[tuple[QuickTest | None, tuple[FindInNote, ...], tuple[str, ...]], ...]:
    """Return each quick test with the `in_note` functions and the codes of vault checks that depend on it.

    The test None is that of functions that always run.
    """
    quick_tests = dict.fromkeys(check.quick for check in checks if check.quick or check.in_note)
    return tuple(
        (
            quick,
            tuple(dict.fromkeys(check.in_note for check in checks if check.quick is quick and check.in_note)),
            tuple(check.code for check in checks if quick and check.quick is quick and check.in_vault),
        )
        for quick in quick_tests
    )
