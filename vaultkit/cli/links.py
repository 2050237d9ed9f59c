"""`vaultkit links NOTE`: where each link of a note leads, and which notes lead to it."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from vaultkit.cli.common import JsonOption, NoCacheOption, VaultOption, open_workspace
from vaultkit.cli.output import columns, document, talk
from vaultkit.errors import InvalidError, UsageError
from vaultkit.vault import Link, Vault
from vaultkit.vault.reading import is_canvas, is_note
from vaultkit.wording import counted


def links(
    note: Annotated[
        str, typer.Argument(help="A note by its name, path, title or alias; a canvas or file by its name.")
    ],
    back: Annotated[bool, typer.Option("--back", help="The links of other notes and canvases to it instead.")] = False,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show the links of a note and where each leads."""
    workspace = open_workspace(vault, no_cache=no_cache)
    opened = workspace.vault
    path = opened.find_file(workspace.vault_path(note))
    rows = _back(opened, path) if back else [_row(opened, path, link) for link in _links(opened, path)]
    if as_json:
        document(rows)
        return
    if back:
        columns(
            ["note", "place", "text", "subpath", "status"],
            ([row["note"], _place(row), row["text"], row["subpath"], row["status"]] for row in rows),
        )
    else:
        columns(
            ["place", "text", "target", "status"],
            ([_place(row), row["text"], _target(row), row["status"]] for row in rows),
        )
    talk(f"{counted(len(rows), 'link')} {'to' if back else 'in'} {path}.")


def _links(vault: Vault, path: str) -> Sequence[Link]:
    """The links of a note or canvas. Raises UsageError for any other file, which has none."""
    if is_note(path):
        return vault.read(path).links
    if not is_canvas(path):
        hint = f"Who leads to it: vaultkit links '{path}' --back"
        raise UsageError("This is no note and no canvas, so there are no links in it.", where=path, hint=hint)
    facts = vault.read_facts(path)
    problem = facts.unreadable or next(iter(facts.problems), None)
    if problem and not facts.links:
        raise InvalidError(problem.message, where=path, hint=problem.hint)
    return facts.links


def _place(row: dict[str, Any]) -> str:
    return f"{row['line']}:{row['column']}"


def _target(row: dict[str, Any]) -> str:
    """Where a link leads, "" if that is nowhere."""
    return f"{row['target']}#{row['subpath']}" if row["target"] and row["subpath"] else row["target"] or ""


def _row(vault: Vault, source: str, link: Link) -> dict[str, Any]:
    found = vault.resolve(link, source)
    target = link.path if link.external else found.path
    return {
        "line": link.line,
        "column": link.column,
        "kind": "embed" if link.embed else link.kind,
        "text": link.text,
        "target": target,
        "subpath": link.subpath,
        "status": found.status,
    }


def _back(vault: Vault, path: str) -> list[dict[str, Any]]:
    """Links of all other notes and canvases that lead to `path`."""
    found = (
        {"note": facts.path, **_row(vault, facts.path, link)} for facts in vault.facts.values() for link in facts.links
    )
    return [row for row in found if row["target"] == path and row["note"] != path]
