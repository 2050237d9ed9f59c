"""`vaultkit resume`: go on where a game stopped."""

from typing import Annotated

import typer

from vaultkit.cli.common import DryRunOption, JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.destiny import play_staked
from vaultkit.cli.play import PlainOption, ScriptOption, finish
from vaultkit.cli.table import GameTable, Screen


def resume(
    session: Annotated[
        str, typer.Argument(help="A game's id or its last letters; without it the last one begun.")
    ] = "",
    script: ScriptOption = None,
    plain: PlainOption = False,
    dry_run: DryRunOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on with a game that was left or cut off.

    It is logged as was said when it began.
    """
    workspace = Workspace.open(vault)
    table, saved, contents = GameTable.of_saved(workspace, session)
    with table.resume(saved.path) as game:
        seats = () if contents.end else contents.header.seats
        screen = Screen.open(seats, script, plain=plain, to_stderr=as_json)
        finish(table, game, play_staked(table, screen, game, resumed=True), dry_run=dry_run, as_json=as_json)


app = new_app(resume)
