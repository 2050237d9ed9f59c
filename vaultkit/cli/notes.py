"""The command `vaultkit notes`, which lists the notes of a vault, or those with a tag."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from vaultkit.cli.context import IndexedContext, with_options
from vaultkit.cli.output import print_document, print_note, print_table
from vaultkit.text import format_count

if TYPE_CHECKING:
    from vaultkit.vault import property_types
    from vaultkit.vault.note_facts import Facts


@with_options
def notes(
    desk: IndexedContext,
    tag: Annotated[
        list[str] | None,
        Option("--tag", help="Only notes with this tag (repeatable: all of them); npc also finds npc/dead."),
    ] = None,
) -> None:
    """List the notes of this vault, or only notes with a tag.

    For example: vaultkit notes --tag npc
    """
    from vaultkit.vault import property_types
    from vaultkit.vault.queries import find_notes_with_tags

    matching_notes = find_notes_with_tags(desk.vault, tag or ())
    if desk.as_json:
        declared_types = property_types.read_declared_types(desk.vault.root)
        print_document([_note_document(facts, declared_types) for facts in matching_notes])
        return
    rows = ([note.path, note.name, " ".join(f"#{tag}" for tag in note.tags)] for note in matching_notes)
    print_table(["note", "title", "tags"], rows)
    unreadable_count = len(desk.vault.note_paths) - sum(1 for _ in desk.vault.note_facts)
    unreadable_note = f" {unreadable_count} more cannot be read: vaultkit check says why." if unreadable_count else ""
    print_note(f"{format_count(len(matching_notes), 'note')}.{unreadable_note}")


def _note_document(facts: "Facts", declared_types: "Mapping[str, property_types.PropertyType]") -> dict[str, Any]:
    from vaultkit.vault import property_types

    return {
        "note": facts.path,
        "title": facts.name,
        "heading": facts.title if facts.title != facts.name else None,
        "aliases": list(facts.aliases),
        "tags": list(facts.tags),
        "properties": {
            name: {"type": property_types.type_of(name, value, declared_types), "value": _to_json_value(value)}
            for name, value in facts.properties.items()
        },
    }


def _to_json_value(value: object) -> object:
    """Return a property value for JSON, in which infinity and NaN are written as text, as in YAML."""
    if isinstance(value, Mapping):
        return {name: _to_json_value(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_to_json_value(item) for item in value]
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return {"nan": ".nan", "inf": ".inf", "-inf": "-.inf"}[str(value)]
