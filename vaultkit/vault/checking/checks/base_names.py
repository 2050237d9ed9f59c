"""The checks for bases that cannot be read, and for names in bases without such a property or formula."""

from collections.abc import Iterator

from vaultkit import files
from vaultkit.errors import Problem
from vaultkit.spelling import did_you_mean, find_nearest
from vaultkit.vault.bases import BASE_FENCE, Base, bases_in_note, is_base, read_base_file
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.fixes import MIN_SIMILARITY_PERCENT
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.note import Note
from vaultkit.vault.property_types import read_declared_types
from vaultkit.vault.resolve import key
from vaultkit.vault.vault import Vault


def _may_have_problem(note: Note) -> bool:
    return "`" in note.text and BASE_FENCE in note.text.lower()


def _find_problems(scope: CheckScope) -> Iterator[Problem]:
    property_names: frozenset[str] | None = None
    for base in (
        *_read_bases_in_files(scope),
        *(base for note in scope.suspect_notes(NAME.code) for base in bases_in_note(note)),
    ):
        if base.problem is not None:
            message = base.problem.message.replace("The properties at the top of this note", "This base")
            line = base.line + max(base.problem.line - 2, 0)
            yield Problem(base.path, line, 1, BASE.code, message, base.problem.hint)
            continue
        property_names = _collect_known_properties(scope.vault) if property_names is None else property_names
        yield from _find_unknown_names(base, property_names)


def _read_bases_in_files(scope: CheckScope) -> Iterator[Base]:
    for path in filter(is_base, scope.vault.files.paths):
        file = scope.vault.file_or_none(path) if scope.includes(path) else None
        if file is not None:
            try:
                yield read_base_file(path, files.read(file, files.MAX_NOTE_BYTES))
            except OSError:
                continue


def _collect_known_properties(vault: Vault) -> frozenset[str]:
    """Return the keys of all properties that notes of the vault have or that have a type in Obsidian."""
    note_properties = (key(name) for facts in vault.note_facts for name in facts.properties)
    return frozenset({*note_properties, *read_declared_types(vault.root), "tags", "aliases", "cssclasses"})


def _find_unknown_names(base: Base, property_names: frozenset[str]) -> Iterator[Problem]:
    """Yield a problem for each missing formula, and for each unknown property whose name resembles a known one."""
    for full_name in dict.fromkeys(base.names()):
        kind, dot, name = full_name.partition(".")
        if kind == "formula" and dot and name not in base.formula_names:
            hint = did_you_mean(name, base.formula_names, suffix="Write it under 'formulas', or take the name out.")
            yield _problem_at(base, full_name, f"This base has no formula '{name}'.", hint)
        name = key(name if kind == "note" and dot else full_name)
        is_unknown_property = not (dot and kind in ("formula", "file")) and name not in property_names
        similar_name = (
            find_nearest(name, property_names, min_score=MIN_SIMILARITY_PERCENT, numbers_distinguish=True)
            if is_unknown_property
            else ""
        )
        if similar_name:
            yield _problem_at(
                base, full_name, f"No note of this vault has the property '{name}'.", f"Did you mean '{similar_name}'?"
            )


def _problem_at(base: Base, full_name: str, message: str, hint: str) -> Problem:
    return Problem(base.path, base.line_of(full_name), 1, NAME.code, message, hint, NAME.severity)


BASE = Check("base", in_vault=_find_problems)
NAME = Check("base-name", "warning", in_vault=_find_problems, quick=_may_have_problem)

CHECKS = (BASE, NAME)
