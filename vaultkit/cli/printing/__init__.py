"""`vaultkit print`: PDFs for the table."""

from vaultkit.cli.common import new_app
from vaultkit.cli.printing.cards import cards
from vaultkit.cli.printing.rules import rules
from vaultkit.cli.printing.scores import scores

app = new_app()


@app.callback()
def printing() -> None:
    """Print rules, score sheets and cards as PDF."""


for command in (scores, rules, cards):
    app.command()(command)
