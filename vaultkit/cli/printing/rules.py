"""`vaultkit print rules`: any note as a rule sheet, or several in one."""

from typing import Annotated, Literal

import typer

from vaultkit.cli.printing.press import Press, sheet_command

QrOption = Annotated[bool, typer.Option("--qr", help="A QR code that leads back to the note.")]


@sheet_command
def rules(
    press: Press,
    notes: Annotated[
        list[str], typer.Argument(metavar="NOTE...", help="Any notes, by their names, paths, titles or aliases.")
    ],
    columns: Annotated[
        int | None, typer.Option("--columns", min=1, max=2, help="Columns of text; 2 unless in large print.")
    ] = None,
    booklet: Annotated[
        str, typer.Option("--booklet", help="A booklet to fold: a5 or a6 on A4, half-letter or quarter-letter.")
    ] = "",
    flip: Annotated[
        Literal["long", "short"] | None,
        typer.Option("--flip", help="The edge over which your printer turns the sheets of a booklet."),
    ] = None,
    qr: QrOption = False,
) -> None:
    """A rule sheet from any note; several notes make one file with contents.

    A booklet comes with its pages in reading order beside it.
    """
    from vaultkit.sheets.rules.booklet import print_booklet
    from vaultkit.sheets.rules.rule_sheet import print_rules

    vault = press.workspace.vault
    found = [vault.find(note) for note in notes]
    job = press.job(f"{found[0].name}-{'booklet' if booklet else 'rules'}", qr=qr)
    if booklet:
        press.tell(*print_booklet(found, vault, booklet, job, flip=flip))
    else:
        press.tell(print_rules(found, vault, job, columns=columns))
