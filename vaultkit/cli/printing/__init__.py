"""The command `vaultkit print`, which makes PDFs."""

from vaultkit.cli.context import CommandContext, new_app, with_options
from vaultkit.cli.printing.cards import cards
from vaultkit.cli.printing.sheets import calibrate, packet, prep, reading, reference, rules, scores, screen, session

app = new_app()


@app.callback()
@with_options
def printing(_desk: CommandContext) -> None:
    """Print rules, booklets, score sheets and cards as PDF.

    For example: vaultkit print cards tarokka --paper letter
    """


for command in (scores, rules, prep, screen, cards, calibrate, reference, packet, session, reading):
    app.command()(command)
