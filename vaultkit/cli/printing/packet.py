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
    from vaultkit.cli.house_rules import layers
    from vaultkit.games.registry import find
    from vaultkit.session.options import in_force
    from vaultkit.sheets.packet import Packet, print_packet
    from vaultkit.sheets.reference.reference_sheet import ReferenceCards

    info, workspace = find(game), press.workspace
    deck = workspace.compendium.deck_of_kind(info.deck, info.id)
    options = {rule.option.key: rule.value for rule in in_force(info.rules(), layers(workspace, info))}
    reference = ReferenceCards(info.id, deck, workspace.rule_note(info), workspace.vault, options)
    contents = Packet(reference, info.title, workspace.settings.players)
    press.tell(print_packet(contents, press.job(f"{info.id}-packet", qr=qr)))
