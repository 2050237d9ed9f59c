"""`vaultkit print cards`: a deck as cards to cut out."""

from typing import Annotated

import typer

from vaultkit.cli.common import JsonOption, VaultOption
from vaultkit.cli.printing.press import OpenOption, OutOption, PaperOption, Press


def cards(
    deck: Annotated[str, typer.Argument(help="A deck by its title, kind, note name or alias.")],
    paper: PaperOption = None,
    out: OutOption = None,
    opened: OpenOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """A deck as cards to cut out, nine to a page."""
    from vaultkit.sheets.notes import print_cards

    press = Press.of(vault, paper, out)
    found = press.workspace.compendium.deck(deck)
    place = press.place(f"{found.deck.kind}-cards")
    press.tell(
        print_cards(found, press.workspace.vault, paper=press.paper, out=place, theme=press.theme), opened, as_json
    )
