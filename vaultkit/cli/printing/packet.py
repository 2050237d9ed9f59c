"""`vaultkit print packet`: everything for one game in one file."""

from typing import Annotated

import typer

from vaultkit.cli.printing.press import Press, sheet_command
from vaultkit.cli.printing.rules import QrOption


@sheet_command
def packet(
    press: Press,
    game: Annotated[str, typer.Argument(help="A game, by its id or title.")],
    qr: QrOption = False,
) -> None:
    """Rules, player aids, score sheets and cards of one game in one file, with contents."""
    from vaultkit.campaign import house_rules
    from vaultkit.games.registry import find
    from vaultkit.sheets.packet import Packet, print_packet

    info, workspace = find(game), press.workspace
    contents = Packet(
        info.id,
        info.title,
        workspace.compendium.deck_of_kind(info.deck, info.id),
        workspace.rule_note(info),
        workspace.vault,
        workspace.settings.players,
        press.vault_name,
        qr,
        house_rules.values(workspace, info),
    )
    press.tell(print_packet(contents, paper=press.paper, out=press.place(f"{info.id}-packet"), theme=press.theme))
