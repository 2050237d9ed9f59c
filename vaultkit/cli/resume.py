"""`vaultkit resume`: go on where a game stopped."""

from typing import Annotated

import typer

from vaultkit.cli.common import DryRunOption, JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.play import CampaignOption, NoLogOption, PlainOption, ScriptOption, finish
from vaultkit.cli.table import GameTable, play_out, saved_game


def resume(
    session: Annotated[
        str, typer.Argument(help="A game's id or its last letters; without it the last one begun.")
    ] = "",
    campaign: CampaignOption = None,
    no_log: NoLogOption = False,
    script: ScriptOption = None,
    plain: PlainOption = False,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on with a game that was left or cut off."""
    workspace = Workspace.open(vault)
    saved, contents = saved_game(workspace, session)
    table = GameTable.of(workspace, contents.header.game)
    with table.resume(saved.path) as game:
        outcome = play_out(table, game, script, plain, as_json)
        logged = table.log(game, campaign, dry_run) if outcome and not no_log else None
        finish(game, outcome, logged, dry_run, as_json)


app = new_app(resume)
