"""`vaultkit notes`: the notes of a vault, or those with a tag."""

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from vaultkit.cli.common import JsonOption, NoCacheOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import columns, document, talk
from vaultkit.errors import NothingFound, UsageError
from vaultkit.vault import Vault, property_types, tags
from vaultkit.vault.checking.suggest import nearest
from vaultkit.vault.facts import Facts
from vaultkit.vault.resolve import key


def notes(
    tag: Annotated[
        str | None, typer.Option("--tag", help="Only notes with this tag or one below it: npc also finds npc/dead.")
    ] = None,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """List the notes of this vault, or those with a tag."""
    opened = Workspace.open(vault, no_cache=no_cache).vault
    found = list(opened.note_facts) if tag is None else _tagged(opened, tag)
    if as_json:
        declared = property_types.declared(opened.root)
        document([_row(facts, declared) for facts in found])
        return
    columns(["note", "title", "tags"], ([facts.path, facts.title, _hashed(facts.tags)] for facts in found))
    unreadable = len(opened.note_paths) - sum(1 for _ in opened.note_facts)
    talk(f"{len(found)} notes.{f' {unreadable} more cannot be read: vaultkit check says why.' if unreadable else ''}")


def _tagged(vault: Vault, tag: str) -> list[Facts]:
    """The notes with `tag`, or one below it. Raises NothingFound, with the nearest tag, if there are none."""
    wanted = tags.plain(tag)
    if not wanted:
        raise UsageError("--tag names no tag.", hint="Name one, such as: vaultkit notes --tag npc")
    found = [facts for facts in vault.note_facts if any(tags.is_within(other, wanted) for other in facts.tags)]
    if found:
        return found
    known = {key(other): other for facts in vault.note_facts for other in tags.with_parents(facts.tags)}
    near = nearest(key(wanted), known)
    hint = f"Did you mean '#{known[near]}'?" if near else "All notes with their tags: vaultkit notes"
    raise NothingFound(f"No note has the tag '#{wanted}'.", where=str(vault.root), hint=hint)


def _hashed(found: Sequence[str]) -> str:
    return " ".join(f"#{tag}" for tag in found)


def _row(facts: Facts, declared: Mapping[str, property_types.PropertyType]) -> dict[str, Any]:
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
    """JSON has no word for infinity, nor for what is no number: they become text, as YAML writes them."""
    if isinstance(value, Mapping):
        return {name: _for_json(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_for_json(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    return value


app = new_app(notes)
