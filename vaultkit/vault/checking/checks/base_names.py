"""The checks for bases that cannot be read, and for names in bases without such a property or formula."""

from collections.abc import Iterator

from vaultkit import files
from vaultkit.errors import Problem
from vaultkit.spelling import did_you_mean, find_nearest, suggest_names
from vaultkit.vault.bases import BASE_FENCE, Base, bases_in_note, is_base, read_base_file
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.fixes import MIN_SIMILARITY_PERCENT
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.note import Note
from vaultkit.vault.property_types import read_declared_types
from vaultkit.vault.resolve import key
from vaultkit.vault.vault import Vault

_KINDS = ("note", "file", "formula")
_FILE_NAMES = (
    "name", "basename", "path", "folder", "ext", "size", "ctime", "mtime", "tags", "links", "embeds", "backlinks",
    "properties", "file", "fullname",
)  # fmt: skip
"""The properties of files in a base."""
MAX_LISTED_NAMES = 5


def _may_have_problem(note: Note) -> bool:
    return "`" in note.text and BASE_FENCE in note.text.lower()


def _find_problems(scope: CheckScope) -> Iterator[Problem]:
    property_names: frozenset[str] | None = None
    for base in (
        *_read_bases_in_files(scope),
        *(base for note in scope.suspect_notes(NAME.code) for base in bases_in_note(note)),
    ):
        if base.problem is not None:
            message = base.problem.message.replace("The properties at the top of this note", "The lines of this base")
            line = base.line + max(base.problem.line - 2, 0)
            yield Problem(base.path, line, 1, BASE.code, message, base.problem.hint)
            continue
        property_names = _collect_known_properties(scope.vault) if property_names is None else property_names
        yield from _find_problem(base, property_names)


def _read_bases_in_files(scope: CheckScope) -> Iterator[Base]:
    for path in filter(is_base, scope.vault.files.paths):
        file = scope.vault.file_or_none(path) if scope.includes(path) else None
        if file is not None:
            try:
                yield read_base_file(path, files.read(file, files.NOTE_BYTES))
            except OSError:
                continue


def _collect_known_properties(vault: Vault) -> frozenset[str]:
    """Return the keys of all properties that notes of the vault have or that have a type in Obsidian."""
    note_properties = (key(name) for facts in vault.note_facts for name in facts.properties)
    return frozenset({*note_properties, *read_declared_types(vault.root), "tags", "aliases", "cssclasses"})


def _find_wrong_names(base: Base, property_names: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    """Yield each name that means nothing, with the reason and a hint.

    A name that no property has is wrong only if it resembles a known one: others may be new.
    """
    configured_names = dict.fromkeys(base.configured_names)
    for full_name in configured_names:
        if full_name.partition(".")[0] not in _KINDS or "." not in full_name:
            bare_name = full_name.removeprefix("property.")
            yield full_name, "needs 'note.' before it under 'properties'", f"Write 'note.{bare_name}'."
    for full_name in dict.fromkeys((*configured_names, *base.names())):
        kind, dot, name = full_name.partition(".")
        if dot and kind == "formula":
            if name not in base.formula_names:
                suffix = "Write it under 'formulas', or take the name out."
                yield full_name, "is not a formula of this base", did_you_mean(name, base.formula_names, suffix=suffix)
        elif dot and kind == "file":
            if name not in _FILE_NAMES:
                yield full_name, "is not a property of files", did_you_mean(name, _FILE_NAMES)
        elif similar_name := _find_similar_property(name if dot and kind == "note" else full_name, property_names):
            yield full_name, "is a property of no note", suggest_names(similar_name)


def _find_similar_property(name: str, property_names: frozenset[str]) -> str:
    """Return the known property that is most similar to an unknown one, "" if there is none or the name is known."""
    if key(name) in property_names:
        return ""
    return find_nearest(key(name), property_names, min_score=MIN_SIMILARITY_PERCENT, numbers_distinguish=True)


def _find_problem(base: Base, property_names: frozenset[str]) -> Iterator[Problem]:
    """Yield one problem for a base with wrong names, at the first of them."""
    wrong_names = list(_find_wrong_names(base, property_names))
    reasons = [f"'{name}' {reason}" for name, reason, _ in wrong_names]
    if reasons:
        more = f"; and {len(reasons) - MAX_LISTED_NAMES} more" if len(reasons) > MAX_LISTED_NAMES else ""
        message = f"{'; '.join(reasons[:MAX_LISTED_NAMES])}{more}."
        hint = " ".join(dict.fromkeys(hint for _, _, hint in wrong_names[:MAX_LISTED_NAMES] if hint))
        line = base.line_of(wrong_names[0][0])
        yield Problem(base.path, line, 1, NAME.code, message, hint, NAME.severity, NAME.cause)


BASE = Check("base", in_vault=_find_problems)
NAME = Check("base-name", "warning", in_vault=_find_problems, quick=_may_have_problem, cause="base-name")

CHECKS = (BASE, NAME)
