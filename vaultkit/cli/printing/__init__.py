"""The command `vaultkit print`, which makes PDFs."""

from vaultkit.cli.context import CommandContext, new_app, with_options
from vaultkit.cli.printing import sheets
from vaultkit.cli.printing.cards import cards

app = new_app()


@app.callback()
@with_options
def printing(_desk: CommandContext) -> None:
    """Print rules, booklets, score sheets and cards as PDF.

    For example: vaultkit print cards tarokka --paper letter
    """


for command in (
    sheets.scores,
    sheets.rules,
    cards,
    sheets.calibrate,
    sheets.reference,
    sheets.packet,
    sheets.session,
    sheets.reading,
):
    app.command()(command)
