"""`vaultkit print session`: the recap of a game."""

from functools import partial
from typing import Annotated

import typer

from vaultkit.cli.printing.press import Press, sheet_command
from vaultkit.cli.printing.rules import QrOption


@sheet_command
def session(
    press: Press,
    session: Annotated[str, typer.Argument(help="A game's id, its last letters, or its note.")],
    qr: QrOption = False,
) -> None:
    """The recap of one game: outcome, scores, the story, and the cards that mattered."""
    from vaultkit.sheets.recaps.session import print_session

    space = press.workspace
    press.tell(print_session(session, space.vault, space.compendium, partial(press.job, qr=qr)))
