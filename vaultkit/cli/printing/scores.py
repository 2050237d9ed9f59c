"""`vaultkit print scores`: score sheets to fill in at the table."""

from typing import Annotated

import typer

from vaultkit.cli.printing.press import Press, sheet_command
from vaultkit.cli.printing.rules import QrOption


@sheet_command
def scores(
    press: Press,
    game: Annotated[str, typer.Argument(help="A game, by its id or title; `blank`; or a design of your own.")],
    layout: Annotated[
        str, typer.Option("--layout", help="one (player a page), four (a page, to cut) or party (on one page).")
    ] = "",
    players: Annotated[str, typer.Option("--players", help="Names, with commas between; `-` leaves them open.")] = "",
    title: Annotated[str, typer.Option("--title", help="Another title.")] = "",
    rows: Annotated[str, typer.Option("--rows", help="Rows of a blank sheet, with commas between.")] = "",
    columns: Annotated[str, typer.Option("--columns", help="Columns of a blank sheet, with commas between.")] = "",
    qr: QrOption = False,
) -> None:
    """A score sheet to fill in by pen or on a screen, with the scoring explained on it."""
    from vaultkit.campaign.players import shown
    from vaultkit.sheets.scores.reading import find_score_design
    from vaultkit.sheets.scores.score_sheet import adapted, score_sheet

    name, design = find_score_design(game, press.theme.vault)
    design = adapted(design, title=title, rows=_listed(rows), columns=_listed(columns))
    names, usual = _listed(players), tuple(map(shown, press.workspace.settings.players))
    printed = score_sheet(
        name,
        paper=press.paper,
        out=press.place(f"{name}-scores"),
        theme=press.theme,
        layout=layout,
        players=names,
        usual=usual if players != "-" else (),
        design=design,
        qr=qr,
    )
    press.tell(printed)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip(" -"))
