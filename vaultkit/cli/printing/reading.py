"""`vaultkit print reading`: a reading with its cards."""

from functools import partial
from typing import Annotated

import typer

from vaultkit.cli.printing.press import Press, sheet_command
from vaultkit.cli.printing.rules import QrOption


@sheet_command
def reading(
    press: Press,
    reading: Annotated[str, typer.Argument(help="A reading's id, its last letters, or its note.")],
    qr: QrOption = False,
) -> None:
    """A reading or a draw that was logged, its cards laid out in the shape of the spread."""
    from vaultkit.sheets.recaps.spread import print_reading

    space = press.workspace
    press.tell(print_reading(reading, space.vault, space.compendium, partial(press.job, qr=qr)))
