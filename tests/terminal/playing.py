"""A session played on a screen that a test provides."""

from rich.console import Console

from vaultkit.games.messages import Outcome
from vaultkit.scene.rule_reference import Reference
from vaultkit.session import Session
from vaultkit.terminal.answer_sources import AnswerSource
from vaultkit.terminal.console import BotDelay, GameConsole
from vaultkit.terminal.game_view import GameView
from vaultkit.terminal.styles import TerminalStyle, terminal_style


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
    """Play until the game ends and return its outcome, or None if the people leave."""
    stage = GameConsole(console, source, look or terminal_style(console, session.deck))
    return GameView(session, stage, reference or Reference(), pace or BotDelay(), dry_run=dry_run).run()
