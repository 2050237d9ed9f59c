"""`vaultkit print scores`: score sheets to fill in at the table."""

from typing import Annotated

import typer

from vaultkit.cli.common import JsonOption, VaultOption
from vaultkit.cli.printing.press import OpenOption, OutOption, PaperOption, Press


def scores(
    game: Annotated[str, typer.Argument(help="A game, by its id or title.")],
    paper: PaperOption = None,
    out: OutOption = None,
    opened: OpenOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """A score sheet to fill in by pen, with the scoring explained on it."""
    from vaultkit.games.registry import find
    from vaultkit.sheets.scores.sheet import score_sheet

    press = Press.of(vault, paper, out)
    info = find(game)
    printed = score_sheet(info.id, paper=press.paper, out=press.place(f"{info.id}-scores"), theme=press.theme)
    press.tell(printed, opened, as_json)
