"""The check for wikilinks without quotes in properties, `[[X]]`, which YAML reads as a list in a list (L6)."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

import msgspec

from vaultkit.errors import Problem
from vaultkit.vault import frontmatter
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.checks import broken_links
from vaultkit.vault.checking.repair import Repair, RepairContext, differences, max_examined_places
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.links import split_wikilink
from vaultkit.vault.note import Note
from vaultkit.vault.resolve import Files
from vaultkit.vault.writing.splice import Splice

_DOUBLE_BRACKETS = re.compile(r"\[\[[^\[\]\r\n]+\]\]")
_LIST_PROPERTIES = frozenset({"tags", "aliases", "cssclasses", "tag", "alias", "cssclass"})
_TEXT_BEFORE_LINK = "---\nlink: "
"""The beginning of a frontmatter of one property, in which a link is repaired as one in the properties of a note."""


def _may_have_problem(note: Note) -> bool:
    return "[[" in note.head and _holds_nested_list(note.properties)


def _holds_nested_list(value: object, depth: int = 0) -> bool:
    if isinstance(value, Mapping):
        return any(_holds_nested_list(item) for item in value.values())
    return isinstance(value, list) and (depth > 0 or any(_holds_nested_list(item, depth + 1) for item in value))


def _find_problems(scope: CheckScope) -> Iterator[Problem]:
    for note in scope.suspect_notes(CHECK.code):
        for splice in _quote_links(note, scope.vault.files):
            message = f"'{splice.removed}' without quotes is a list in a list, not a link."
            yield CHECK.problem_at(note, splice.offset, message, f"Write {splice.inserted}, with the quotes.")


def _repairs(note: Note, context: RepairContext) -> Iterator[Repair]:
    """Yield a repair that puts quotes around each unquoted link, and also repairs the link's own faults."""
    for splice in _quote_links(note, context.files) if _may_have_problem(note) else ():
        link_text, target = broken_links.repair_link(_TEXT_BEFORE_LINK, splice.inserted, note.path, context, "\n---\n")
        message = f"'{splice.removed}' without quotes is no link."
        new_splice = msgspec.structs.replace(splice, inserted=link_text)
        yield Repair.at_splice(CHECK.code, note, new_splice, message, target=target, makes_link=True)


def _quote_links(note: Note, files: Files) -> Iterator[Splice]:
    """Yield the splice that quotes each `[[X]]` that becomes a link, unless a list may be intended."""
    for match in islice(_DOUBLE_BRACKETS.finditer(note.text, 0, note.body_start), max_examined_places(note)):
        text, quote = match[0], "'" if '"' in match[0] or "\\" in match[0] else '"'
        splice = Splice(match.start(), text, f"{quote}{text}{quote}")
        changed_list = None if quote in text else _find_changed_list(note, splice)
        if changed_list is not None and (_is_one_text(changed_list) or _leads_to_file(text, note, files)):
            yield splice


def _find_changed_list(note: Note, splice: Splice) -> object:
    """Return the list that `splice` turns into a link, or None if it turns none into a link or has another effect."""
    new_frontmatter = frontmatter.read(splice.apply(note.text[: note.body_start]), note.path)
    changes = list(differences(note.properties, new_frontmatter.properties))
    if new_frontmatter.problems or len(changes) != 1 or changes[0][0].lower() in _LIST_PROPERTIES:
        return None
    _, old_value, new_value = changes[0]
    return old_value if isinstance(old_value, list) and new_value == splice.removed else None


def _is_one_text(value: object) -> bool:
    """Return whether a nested list holds a single text and nothing else; other lists may be intended."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return isinstance(value, str)


def _leads_to_file(text: str, note: Note, files: Files) -> bool:
    _, path, _ = split_wikilink(text[2:-2])
    return bool(path) and files.resolve(path, note.path).path is not None


CHECK = Check("property-link", "warning", in_vault=_find_problems, quick=_may_have_problem, repair=_repairs)
