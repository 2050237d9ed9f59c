"""`vaultkit links NOTE`: where each link of a note leads, and which notes lead to it."""

from typing import Annotated, Any

import typer

from vaultkit.cli.common import JsonOption, NoCacheOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import columns, document, talk
from vaultkit.vault import Link, Vault


def links(
    note: Annotated[str, typer.Argument(help="A note by its name, path, title or alias.")],
    back: Annotated[bool, typer.Option("--back", help="The links of other notes to this one instead.")] = False,
    vault: VaultOption = None,
    no_cache: NoCacheOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show the links of a note and where each leads."""
    opened = Workspace.open(vault, no_cache=no_cache).vault
    target = opened.find(note)
    rows = _back(opened, target.path) if back else [_row(opened, target.path, link) for link in target.links]
    if as_json:
        document(rows)
        return
    shown = ["note"] * back + ["line", "column", "text", "target", "subpath", "status"]
    columns(shown, ([row[key] if row[key] is not None else "" for key in shown] for row in rows))
    talk(f"{len(rows)} links {'to' if back else 'in'} {target.path}.")


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
    """Links of all other notes that lead to `path`."""
    found = (
        {"note": facts.path, **_row(vault, facts.path, link)} for facts in vault.facts.values() for link in facts.links
    )
    return [row for row in found if row["target"] == path and row["note"] != path]


app = new_app(links)
