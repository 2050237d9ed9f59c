"""`vaultkit undo`: vaultkit's last write, taken back."""

from typing import Annotated

import typer

from vaultkit.campaign import undo as taking_back
from vaultkit.cli.common import JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import columns, document, talk
from vaultkit.vault import Vault

MOST = 8
"""Files named one by one; a game copied in with `init` has many."""


def undo(
    entry: Annotated[
        str, typer.Argument(help="What to take back: its id in --list, or the number alone; without it the newest.")
    ] = "",
    listing: Annotated[
        bool, typer.Option("--list", help="List what vaultkit wrote, newest first; undo nothing.")
    ] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take vaultkit's last write back.

    Refuses, and changes nothing, if a note has been changed since.
    """
    opened = Workspace.open(vault).vault
    if listing:
        _list(opened, as_json)
        return
    undone = taking_back.undo(opened, entry)
    talk(f"Took back: {undone.title}")
    for path in undone.restored[:MOST]:
        talk(f"  {path}")
    if len(undone.restored) > MOST:
        talk(f"  and {len(undone.restored) - MOST} files more")
    if as_json:
        document({"restored": list(undone.restored)})


def _list(vault: Vault, as_json: bool) -> None:
    entries = taking_back.entries(vault)
    rows = [
        {
            "id": entry.id,
            "when": entry.when,
            "command": entry.command,
            "undone": entry.undone,
            "files": [write.path for write in entry.writes],
        }
        for entry in entries
    ]
    if as_json:
        document(rows)
        return
    columns(["id", "what", "files", "undone"], ([e.id, e.title, len(e.writes), "yes" * e.undone] for e in entries))


app = new_app(undo)
