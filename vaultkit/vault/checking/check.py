"""A check: one thing that can be wrong, how it is found, and how it is mended where that needs no guess."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

import msgspec

from vaultkit.errors import Problem, Severity
from vaultkit.vault.checking.chosen import Chosen
from vaultkit.vault.checking.repair import Names, Repair
from vaultkit.vault.file_facts import Inspected
from vaultkit.vault.note import Note

Quick = Callable[[Note], bool]
InNote = Callable[[Note], Iterable[Problem]]
InVault = Callable[[Chosen], Iterable[Problem]]
Rule = Callable[[Note, Names], Iterator[Repair]]


class Check(msgspec.Struct, frozen=True, eq=False):  # which would be worked out for each note
    """One code of `vaultkit check`, and how serious it is as a rule. `docs/codes.md` explains it under its code.

    `in_note` finds what a note's bytes alone tell. It looks while the note is read, and the index keeps what it finds.
    `in_vault` looks over a vault, each time anew. Several checks may share a look, which then is had once. A check
    without any is found while files are listed and read.

    `quick` spares most notes: without its yes, `in_note` does not look. For `in_vault` it says which notes are
    `Chosen.suspects`, so that only those need be read. `cause` is that of its problems. `of_decks` says that
    its look reads decks: one process has all such looks, so that decks are read once.
    """

    code: str
    severity: Severity = "error"
    in_note: InNote | None = None
    in_vault: InVault | None = None
    quick: Quick | None = None
    repair: Rule | None = None
    cause: str = "other"
    of_decks: bool = False

    def at(self, note: Note, offset: int, message: str, hint: str = "") -> Problem:
        """The problem where `offset` is in the note's text."""
        return Problem(note.path, *note.places.at(offset), self.code, message, hint, self.severity, self.cause)

    def of(self, path: str, message: str, hint: str = "") -> Problem:
        """The problem of a whole file or folder."""
        return Problem(path, 0, 0, self.code, message, hint, self.severity, self.cause)


Checks = tuple[Check, ...]


def inspect(note: Note, checks: Checks) -> Inspected:
    """The results that are kept of a note: its problems, and the codes of the checks that have to look at it again."""
    problems, suspects = [*note.problems], list[str]()
    for quick, looks, codes in _by_quick(checks):
        if quick is None or quick(note):
            problems += (problem for look in looks for problem in look(note))
            suspects += codes
    return Inspected(tuple(problems), tuple(suspects))


@lru_cache(maxsize=8)
def _by_quick(checks: Checks) -> tuple[tuple[Quick | None, tuple[InNote, ...], tuple[str, ...]], ...]:
    """Each quick test with the looks that it opens, and the codes of the checks that need no more than its yes."""
    asked = dict.fromkeys(check.quick for check in checks if check.quick or check.in_note)
    return tuple((quick, *_opened([check for check in checks if check.quick is quick])) for quick in asked)


def _opened(checks: Iterable[Check]) -> tuple[tuple[InNote, ...], tuple[str, ...]]:
    looks = dict.fromkeys(check.in_note for check in checks if check.in_note)
    return tuple(looks), tuple(check.code for check in checks if check.quick and check.in_vault)
