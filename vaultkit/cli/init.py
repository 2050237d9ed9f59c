"""The command `vaultkit init`, which prepares a vault."""

from typing import Annotated

import typer

from vaultkit.cli.common import Desk, DryRunOption, now, with_options
from vaultkit.cli.output import document, say, talk


@with_options
def init(
    desk: Desk,
    with_game: Annotated[
        str, typer.Option("--with", help="Copy this game's rule note and deck in, which makes it playable here.")
    ] = "",
    dry_run: DryRunOption = False,
) -> None:
    """Prepare a vault of your own; --with GAME copies a game's rules and deck in.

    With them comes whatever they lead to: pictures, reward tables and their items. Overwrites nothing, and `undo`
    takes it back; --dry-run lists every file.

    For example: vaultkit init --with dragon-citadel
    """
    from vaultkit.campaign.init import prepare_vault as prepare

    prepared = prepare(desk.vault, game=with_game, now=now(), dry_run=dry_run)
    if desk.as_json:
        document({"config": prepared.config or None, "notes": prepared.notes})
    elif dry_run:
        for path in [prepared.config] * bool(prepared.config) + prepared.notes:
            say(path)
    made = "Would make" if dry_run else "Made"
    if prepared.config:
        talk(f"{made}: {prepared.config}")
    if prepared.summary:
        talk(f"{made}: {prepared.summary}")
    for remark in prepared.remarks:
        talk(f"Note: {remark}")
