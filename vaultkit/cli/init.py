"""The command `vaultkit init`, which prepares a vault."""

import sys
from typing import Annotated

import typer

from vaultkit.cli.context import CommandContext, DryRunOption, current_time, with_options
from vaultkit.cli.output import print_document, print_note, print_result


@with_options
def init(
    desk: CommandContext,
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

    prepared = prepare(desk.vault, game=with_game, now=current_time(), dry_run=dry_run)
    if desk.as_json:
        print_document({"config": prepared.config or None, "notes": prepared.notes})
    elif dry_run or not sys.stdout.isatty():
        for path in [prepared.config] * bool(prepared.config) + prepared.notes:
            print_result(path)
    verb = "Would make" if dry_run else "Made"
    if prepared.config:
        print_note(f"{verb}: {prepared.config}")
    if prepared.summary:
        print_note(f"{verb}: {prepared.summary}")
    for remark in prepared.remarks:
        print_note(f"Note: {remark}")
