"""Bases that cannot be read, and names in them for which there is no property or formula."""

from collections.abc import Iterator

from vaultkit import files
from vaultkit.errors import Problem
from vaultkit.spelling import did_you_mean, nearest
from vaultkit.vault.bases import FENCE, Base, base_file, in_note, is_base
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.chosen import Chosen
from vaultkit.vault.checking.remedies import LIKE
from vaultkit.vault.note import Note
from vaultkit.vault.property_types import declared
from vaultkit.vault.resolve import key
from vaultkit.vault.vault import Vault


def _may_be(note: Note) -> bool:
    return "`" in note.text and FENCE in note.text.lower()


def _look(chosen: Chosen) -> Iterator[Problem]:
    known: frozenset[str] | None = None
    for base in (*_in_files(chosen), *(base for note in chosen.suspects(NAME.code) for base in in_note(note))):
        if base.problem is not None:
            message = base.problem.message.replace("The properties at the top of this note", "This base")
            line = base.line + max(base.problem.line - 2, 0)
            yield Problem(base.path, line, 1, BASE.code, message, base.problem.hint)
            continue
        known = _known(chosen.vault) if known is None else known
        yield from _misnamed(base, known)


def _in_files(chosen: Chosen) -> Iterator[Base]:
    for path in filter(is_base, chosen.vault.files.paths):
        file = chosen.vault.inside(path) if chosen.has(path) else None
        if file is not None:
            try:
                yield base_file(path, files.read(file, files.NOTE))
            except OSError:
                continue


def _known(vault: Vault) -> frozenset[str]:
    """Return the names of all properties that the vault's notes have or that Obsidian has a type for."""
    written = (key(name) for facts in vault.note_facts for name in facts.properties)
    return frozenset({*written, *declared(vault.root), "tags", "aliases", "cssclasses"})


def _misnamed(base: Base, known: frozenset[str]) -> Iterator[Problem]:
    """Yield a problem for each missing formula, and for each unknown property with a name similar to a known one."""
    for written in dict.fromkeys(base.names()):
        kind, dot, name = written.partition(".")
        if kind == "formula" and dot and name not in base.formulas:
            hint = did_you_mean(name, base.formulas, then="Write it under 'formulas', or take the name out.")
            yield _at(base, written, f"This base has no formula '{name}'.", hint)
        name = key(name if kind == "note" and dot else written)
        is_ours = not (dot and kind in ("formula", "file")) and name not in known
        near = nearest(name, known, like=LIKE, numbered=True) if is_ours else ""
        if near:
            yield _at(base, written, f"No note of this vault has the property '{name}'.", f"Did you mean '{near}'?")


def _at(base: Base, written: str, message: str, hint: str) -> Problem:
    return Problem(base.path, base.line_of(written), 1, NAME.code, message, hint, NAME.severity)


BASE = Check("base", in_vault=_look)
NAME = Check("base-name", "warning", in_vault=_look, quick=_may_be)

CHECKS = (BASE, NAME)
