"""A session played at a screen of the test's own."""

from rich.console import Console

from vaultkit.games.words import Outcome
from vaultkit.play.line import GameView
from vaultkit.play.look import TerminalStyle, terminal_style
from vaultkit.play.pace import BotDelay
from vaultkit.play.sources import AnswerSource
from vaultkit.play.stage import GameConsole
from vaultkit.scene.reference import Reference
from vaultkit.session import Session


def play(
    session: Session,
    console: Console,
    source: AnswerSource,
    reference: Reference | None = None,
    look: TerminalStyle | None = None,
    *,
    pace: BotDelay | None = None,
    dry_run: bool = False,
) -> Outcome | None:
    """Play until the game ends, and return how; None when the people leave."""
    stage = GameConsole(console, source, look or terminal_style(console, session.deck))
    return GameView(session, stage, reference or Reference(), pace or BotDelay(), dry_run=dry_run).run()
