"""`vaultkit links NOTE`: where each link of a note leads, and which notes lead to it."""

from typing import Annotated, Any

import typer

from vaultkit.cli.common import JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import columns, document, talk
from vaultkit.vault import Link, Note, Vault


def links(
    note: Annotated[str, typer.Argument(help="A note by its name, path, title or alias.")],
    back: Annotated[bool, typer.Option("--back", help="The links of other notes to this one instead.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the links of a note and where each leads."""
    opened = Workspace.open(vault).vault
    target = opened.find(note)
    rows = _back(opened, target.path) if back else [_row(opened, target, link) for link in target.links]
    if as_json:
        document(rows)
        return
    shown = ["note"] * back + ["line", "column", "text", "target", "subpath", "status"]
    columns(shown, ([row[key] if row[key] is not None else "" for key in shown] for row in rows))
    talk(f"{len(rows)} links {'to' if back else 'in'} {target.path}.")


def _row(vault: Vault, note: Note, link: Link) -> dict[str, Any]:
    found = vault.resolve(link, note.path)
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
    """Links of all other notes that lead to `path`."""
    found = ({"note": note.path, **_row(vault, note, link)} for note in vault.notes() for link in note.links)
    return [row for row in found if row["target"] == path and row["note"] != path]


app = new_app(links)
