"""The check for properties whose value does not fit the type that the vault declares for their name (Y3)."""

import re
from collections.abc import Iterator, Mapping
from textwrap import shorten

from vaultkit.errors import Problem
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.repair import MAX_PLACES
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.note import Note
from vaultkit.vault.note_facts import texts
from vaultkit.vault.property_types import PropertyType, find_misfits, read_declared_types

_TYPE_PHRASES: Mapping[PropertyType, tuple[str, str]] = {
    "text": ("a text", "Write one text, with quotes where it begins with a bracket."),
    "number": ("a number", "Write a number without quotes, such as 7 or 1.5."),
    "checkbox": ("a checkbox", "Write true or false, without quotes."),
    "date": ("a date", "Write year, month and day, such as 2026-11-03."),
    "datetime": ("a date and time", "Write date and time, such as 2026-11-03T19:30:00."),
}
_LIST_PHRASES = ("a list", "Write the items as a list: [one, two].")


def _find_problems(scope: CheckScope) -> Iterator[Problem]:
    declared_types = read_declared_types(scope.vault.root)
    for note in scope.read_notes(facts for facts in scope.facts if any(find_misfits(facts.properties, declared_types))):
        for index, misfit in enumerate(find_misfits(note.properties, declared_types)):
            type_name, hint = _TYPE_PHRASES.get(misfit.type, _LIST_PHRASES)
            message = f"'{misfit.name}' is declared as {type_name}, but is {_describe_value(misfit.value)}."
            yield CHECK.problem_at(note, _find_offset(note, misfit.name) if index < MAX_PLACES else 0, message, hint)


def _describe_value(value: object) -> str:
    if isinstance(value, list | Mapping):
        return "a list" if isinstance(value, list) else "a map"
    return f"'{shorten(next(iter(texts(value)), ''), 40, placeholder='...')}'"


def _find_offset(note: Note, name: str) -> int:
    """Return the offset of a property's name, or of the quote before it; 0 if it is not found, as with escapes."""
    pattern = rf"""(?P<quote>["']?){re.escape(name)}(?P=quote)[ \t]*:"""
    for prefix_pattern in ("^", r"(?<=[\s{,])"):  # most names begin a line, but in JSON they need not
        match = re.compile(prefix_pattern + pattern, re.MULTILINE).search(note.text, 0, note.body_start)
        if match:
            return match.start()
    return 0


CHECK = Check("property-type", "warning", in_vault=_find_problems)
