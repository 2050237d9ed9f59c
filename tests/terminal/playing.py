"""A session played on a screen that a test provides."""

import time
from collections.abc import Callable
from typing import Any

from rich.console import Console

from vaultkit.games.messages import Outcome
from vaultkit.host.advice import Advice
from vaultkit.host.game_host import GameHost
from vaultkit.scene.rule_reference import Reference
from vaultkit.session import Session
from vaultkit.terminal.answer_sources import AnswerSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.game_view import GameView
from vaultkit.terminal.styles import TerminalStyle, terminal_style


def play(
    session: Session,
    console: Console,
    source: AnswerSource,
    reference: Reference | None = None,
    look: TerminalStyle | None = None,
    *,
    delay_seconds: float = 0.0,
    clock: Callable[[], float] = time.monotonic,
    **more: Any,
) -> Outcome | None:
    """Play until the game ends and return its outcome, or None if the people leave."""
    stage = GameConsole(console, source, look or terminal_style(console, session.deck))
    host = GameHost(session, Advice(session, reference or Reference()), delay_seconds, clock=clock)
    return GameView(host, stage, **more).run()
