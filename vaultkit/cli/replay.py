"""`vaultkit replay ID`: a game once more, move by move."""

from typing import Annotated

import typer

from vaultkit.cli.common import JsonOption, VaultOption, Workspace, new_app
from vaultkit.cli.play import PlainOption
from vaultkit.cli.table import GameTable, show_again


def replay(
    session: Annotated[str, typer.Argument(help="A game's id or its last letters.")],
    plain: PlainOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a game again, move by move.

    What was hidden during the game is shown only once the game is over.
    """
    workspace = Workspace.open(vault)
    table, saved, _ = GameTable.of_saved(workspace, session)
    show_again(table, saved, plain=plain, as_json=as_json)


app = new_app(replay)
