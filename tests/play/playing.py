"""A session played at a screen of the test's own."""

from rich.console import Console

from vaultkit.games.words import Outcome
from vaultkit.play.line import LinePlay
from vaultkit.play.look import Look, look_for
from vaultkit.play.pace import Pace
from vaultkit.play.sources import Source
from vaultkit.play.stage import Stage
from vaultkit.scene.reference import Reference
from vaultkit.session import Session


def play(
    session: Session,
    console: Console,
    source: Source,
    reference: Reference | None = None,
    look: Look | None = None,
    *,
    pace: Pace | None = None,
    dry_run: bool = False,
) -> Outcome | None:
    """Play until the game ends, and return how; None when the people leave."""
    stage = Stage(console, source, look or look_for(console, session.deck))
    return LinePlay(session, stage, reference or Reference(), pace or Pace(), dry_run=dry_run).run()
