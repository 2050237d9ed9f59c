"""`vaultkit notes`: the notes of a vault, or those with a tag."""

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from vaultkit.cli.common import JsonOption, NoCacheOption, VaultOption, open_workspace
from vaultkit.cli.output import columns, document, talk
from vaultkit.errors import NothingFound, UsageError
from vaultkit.spelling import hint_at, nearest, one_slip_away
from vaultkit.vault import Vault, property_types, tags
from vaultkit.vault.facts import Facts
from vaultkit.vault.resolve import key
from vaultkit.wording import counted

_ALL = "All notes with their tags: vaultkit notes"


def notes(
    words: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", help="Only notes with this tag or one below it: npc also finds npc/dead. Several: all."),
    ] = None,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """List the notes of this vault, or those with a tag."""
    if words:
        raise UsageError(
            f"'{words[0]}' is not understood here.", hint=f"Notes with a tag: vaultkit notes --tag {words[0]}"
        )
    opened = open_workspace(vault, no_cache=no_cache).vault
    found = _tagged(opened, tag or ())
    if as_json:
        declared = property_types.declared(opened.root)
        document([_row(facts, declared) for facts in found])
        return
    columns(["note", "title", "tags"], ([facts.path, facts.title, _hashed(facts.tags)] for facts in found))
    unreadable = len(opened.note_paths) - sum(1 for _ in opened.note_facts)
    more = f" {unreadable} more cannot be read: vaultkit check says why." if unreadable else ""
    talk(f"{counted(len(found), 'note')}.{more}")


def _tagged(vault: Vault, named: Sequence[str]) -> list[Facts]:
    """The notes with all tags that are `named`, or one below each. Raises NothingFound if there are none."""
    found = list(vault.note_facts)
    wanted = [tags.plain(tag) for tag in named]
    for tag in wanted:
        if not tag:
            raise UsageError("--tag names no tag.", hint="Name one, such as: vaultkit notes --tag npc")
        having = [facts for facts in vault.note_facts if _has(facts, tag)]
        if not having:
            raise NothingFound(f"No note has the tag '#{tag}'.", where=str(vault.root), hint=_near(vault, tag))
        found = [facts for facts in found if _has(facts, tag)]
    if wanted and not found:
        all_of_them = " and ".join(f"'#{tag}'" for tag in wanted)
        raise NothingFound(f"No note has the tags {all_of_them} together.", where=str(vault.root), hint=_ALL)
    return found


def _has(facts: Facts, tag: str) -> bool:
    return any(tags.is_within(other, tag) for other in facts.tags)


def _near(vault: Vault, tag: str) -> str:
    """The tag that may be meant: of short ones one that differs by a letter, left out, added or exchanged."""
    known = {key(other): other for facts in vault.note_facts for other in tags.with_parents(facts.tags)}
    slip = one_slip_away(key(tag), known) if len(tag) > 1 else ""
    near = slip or nearest(key(tag), known, like=70, numbered=True)
    return hint_at(f"#{known[near]}") if near else _ALL


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
