"""`vaultkit games`: what can be played here."""

from vaultkit.campaign.readiness import Readiness, readiness
from vaultkit.cli.common import Desk, with_options
from vaultkit.cli.output import columns, document


@with_options
def games(desk: Desk) -> None:
    """List the games and whether this vault has what they need."""
    rows = list(readiness(desk.workspace))
    if desk.as_json:
        document(rows)
        return
    header = ["game", "title", "seats", "ready"]
    columns(header, ([row.id, row.title, _range(*row.seats), _ready(row)] for row in rows), whole=1)


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _ready(row: Readiness) -> str:
    if not row.ready:
        return f"no: {' '.join(row.problems)}"
    return "yes" if row.rule_note else f"yes, without its rule note; to have it: vaultkit init --with {row.id}"
