"""`vaultkit print`: PDFs for the table."""

from vaultkit.cli.common import new_app
from vaultkit.cli.printing.calibrate import calibrate
from vaultkit.cli.printing.cards import cards
from vaultkit.cli.printing.packet import packet
from vaultkit.cli.printing.reading import reading
from vaultkit.cli.printing.reference import reference
from vaultkit.cli.printing.rules import rules
from vaultkit.cli.printing.scores import scores
from vaultkit.cli.printing.session import session

app = new_app()


@app.callback()
def printing() -> None:
    """Print rules, score sheets and cards as PDF."""


for command in (scores, rules, cards, calibrate, reference, packet, session, reading):
    app.command()(command)
