"""`vaultkit log`: a finished game into the campaign notes, once and only once."""

from typing import Annotated

import typer

from vaultkit.cli.common import DryRunOption, JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.output import document
from vaultkit.cli.play import CampaignOption, tell_logged
from vaultkit.cli.table import GameTable


def log(
    session: Annotated[str, typer.Option("--session", help="A finished game, by its id or its last letters.")],
    campaign: CampaignOption = None,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a finished game into the campaign notes.

    For a game that was played with --no-log, or cut off before its log. What is there already is not written again.
    """
    workspace = Workspace.open(vault)
    table, saved, _ = GameTable.of_saved(workspace, session)
    with table.resume(saved.path) as game:
        wished = game.header.notes.get("campaign") if campaign is None else campaign
        logged = table.log(game, wished, dry_run)
    tell_logged(logged, saved.id, dry_run=dry_run, as_json=as_json)
    if as_json:
        document({"session": saved.id, "note": logged.note} | ({"diff": logged.diff} if dry_run else {}))


app = new_app(log)
