"""`vaultkit print`: PDFs for the table."""

from vaultkit.cli.common import new_app
from vaultkit.cli.printing import sheets
from vaultkit.cli.printing.cards import cards

app = new_app()


@app.callback()
def printing() -> None:
    """Print rules, score sheets and cards as PDF."""


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
