"""The command `vaultkit notes`, which lists the notes of a vault, or those with a tag."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultkit.cli.common import IndexedDesk, with_options
from vaultkit.cli.output import columns, document, talk
from vaultkit.errors import UsageError
from vaultkit.wording import counted

if TYPE_CHECKING:
    from vaultkit.vault import property_types
    from vaultkit.vault.facts import Facts


@with_options
def notes(
    desk: IndexedDesk,
    words: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", help="Only notes with this tag or one below it: npc also finds npc/dead. Several: all."),
    ] = None,
) -> None:
    """List the notes of this vault, or those with a tag.

    For example: vaultkit notes --tag npc
    """
    from vaultkit.vault import property_types
    from vaultkit.vault.queries import tagged

    if words:
        raise UsageError(
            f"'{words[0]}' is not understood here.", hint=f"Notes with a tag: vaultkit notes --tag {words[0]}"
        )
    found = tagged(desk.vault, tag or ())
    if desk.as_json:
        declared = property_types.declared(desk.vault.root)
        document([_row(facts, declared) for facts in found])
        return
    columns(
        ["note", "title", "tags"], ([one.path, one.title, " ".join(f"#{tag}" for tag in one.tags)] for one in found)
    )
    unreadable = len(desk.vault.note_paths) - sum(1 for _ in desk.vault.note_facts)
    more = f" {unreadable} more cannot be read: vaultkit check says why." if unreadable else ""
    talk(f"{counted(len(found), 'note')}.{more}")


def _row(facts: "Facts", declared: "Mapping[str, property_types.PropertyType]") -> dict[str, Any]:
    from vaultkit.vault import property_types

    return {
        "note": facts.path,
        "title": facts.title,
        "aliases": list(facts.aliases),
        "tags": list(facts.tags),
        "properties": {
            name: {"type": property_types.type_of(name, value, declared), "value": _for_json(value)}
            for name, value in facts.properties.items()
        },
    }


def _for_json(value: object) -> object:
    """Return a property value for JSON, in which infinity and NaN are written as text, as in YAML."""
    if isinstance(value, Mapping):
        return {name: _for_json(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_for_json(item) for item in value]
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return {"nan": ".nan", "inf": ".inf", "-inf": "-.inf"}[str(value)]
