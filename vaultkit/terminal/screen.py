"""A game at this screen: who answers, what `?` shows, and what a character faces."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from rich.console import Console

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.logbook import Logbook
from vaultkit.campaign.matches import MatchNotes
from vaultkit.campaign.result import PRICE_LABEL
from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.messages import Outcome
from vaultkit.host.game_host import GameHost
from vaultkit.host.logbook_host import LogbookHost
from vaultkit.host.match_host import MatchHost
from vaultkit.scene.bot_speed import seconds_of
from vaultkit.session import Session
from vaultkit.session.seats import SeatSpec
from vaultkit.terminal.answer_sources import AnswerSource, ScriptSource, TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.game_view import GameView
from vaultkit.terminal.logbook_view import LogbookView
from vaultkit.terminal.match_view import MatchView
from vaultkit.terminal.note_text import plain_lines
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.styles import terminal_style
from vaultkit.vault.note_facts import name_of


@dataclass(frozen=True)
class Screen:
    """Where a game is shown, and who answers."""

    console: Console
    source: AnswerSource
    plain: bool = False
    ascii_only: bool = False
    seconds: float = 0

    @classmethod
    def open(
        cls,
        console: Console,
        seats: Sequence[SeatSpec],
        script: str | None,
        *,
        plain: bool,
        ascii_only: bool = False,
        speed: str = "off",
    ) -> "Screen":
        """Return the screen for `seats` before the deal; `script` is a file of answers, "-" stdin.

        `speed` is that of bots, for a person at a terminal alone.

        Raises UsageError where there are people and neither a terminal nor a script to ask, InvalidError for a
        script that cannot be read.
        """
        seconds = seconds_of(speed)
        if script is not None:
            return cls(console, ScriptSource.from_file(console, Path(script)), plain, ascii_only)
        if any(seat.is_person for seat in seats) and not sys.stdin.isatty():
            raise UsageError(
                "This is not a terminal, so nothing can be asked.", hint="Give the moves with --script FILE."
            )
        return cls(console, TerminalSource(console), plain, ascii_only, seconds if console.is_terminal else 0)

    def stage(self, deck: Deck) -> GameConsole:
        """Return the stage for a game with this deck."""
        look = terminal_style(self.console, deck, plain=self.plain, ascii_only=self.ascii_only)
        return GameConsole(self.console, self.source, look)

    def play(
        self, session: Session, notes: GameNotes, log: Callable[[], LogResult] | None, *, dry_run: bool
    ) -> LogResult | None:
        """Let the people play with the game's notes; return the log result, None if they left before the end."""
        host = GameHost.from_notes(session, notes, plain_lines, self.seconds, log)
        return host.finish() if self._show(host, dry_run=dry_run) else None

    def play_match(
        self,
        match_notes: MatchNotes,
        now: Callable[[], datetime],
        log: Callable[[], LogResult] | None,
        *,
        dry_run: bool,
    ) -> LogResult | None:
        """Let the people play a match, or show a finished one; return the log result, None if they left early."""
        stage = self.stage(match_notes.notes.deck_note.deck)
        view = MatchView(match_notes, stage, partial(self._show, dry_run=dry_run), dry_run=dry_run)
        if match_notes.match.games:
            view.show_standing()
        if match_notes.match.outcome:
            return log() if log else None
        host = MatchHost(match_notes, plain_lines, self.seconds, now, log)
        try:
            view.run(host)
        finally:
            host.close()
        return host.finish() if match_notes.match.outcome else None

    def _show(self, host: GameHost, *, dry_run: bool) -> Outcome | None:
        """Let the people play one game; None if they left before the end.

        They are told what they face and, after a loss, what it costs.
        """
        agreement = host.session.header.agreement
        encounter = name_of(agreement.encounter)
        if encounter:
            self._say(f"The encounter: {encounter}.")
        outcome = GameView(host, self.stage(host.session.deck), dry_run=dry_run).run()
        if encounter and outcome:
            self._say(f"The encounter was: {encounter}.")
            if outcome.kind == "loss" and agreement.on_loss:
                self._say(f"{PRICE_LABEL}: {agreement.on_loss}")
        return outcome

    def write_down(self, logbook: Logbook, now: Callable[[], datetime], *, dry_run: bool) -> LogResult | None:
        """Let the people write a game down with its notes; return the log result, None if they left before the end."""
        host = LogbookHost(logbook, plain_lines, now, dry_run=dry_run)
        return host.finish() if LogbookView(logbook, host, self.stage(logbook.ledger.deck)).run() else None

    def _say(self, text: str) -> None:
        self.console.print(strip_controls(text), soft_wrap=self.plain, highlight=False, markup=False)
