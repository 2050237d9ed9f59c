"""A game at this screen: who answers, what `?` shows, and what a character faces."""

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.text import Text

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
from vaultkit.host.orders import Command, Order
from vaultkit.scene.bot_speed import seconds_of
from vaultkit.session import Session
from vaultkit.session.match import seed_words
from vaultkit.session.seats import SeatSpec
from vaultkit.terminal import renderables
from vaultkit.terminal.answer_sources import AnswerSource, PlayerQuit, ScriptSource, TerminalSource
from vaultkit.terminal.commands import is_leaving
from vaultkit.terminal.console import GameConsole, announce_save_on_exit
from vaultkit.terminal.game_view import ME, GameView
from vaultkit.terminal.logbook_view import LogbookView
from vaultkit.terminal.note_text import plain_lines
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.styles import terminal_style
from vaultkit.terminal.terminal_text import TerminalText
from vaultkit.vault.note_facts import name_of


@dataclass(frozen=True)
class Screen:
    """Where games are shown, and who answers.

    A bot takes `seconds` for a move. With `dry_run` the command that goes on with a game says so.
    """

    console: Console
    source: AnswerSource
    plain: bool = False
    ascii_only: bool = False
    seconds: float = 0
    now: Callable[[], datetime] = datetime.now
    dry_run: bool = False

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
        now: Callable[[], datetime] = datetime.now,
        dry_run: bool = False,
    ) -> "Screen":
        """Return the screen for `seats` before the deal; `script` is a file of answers, "-" stdin.

        `speed` is that of bots, for a person at a terminal alone.

        Raises UsageError where there are people and neither a terminal nor a script to ask, InvalidError for a
        script that cannot be read.
        """
        seconds = seconds_of(speed)
        if script is not None:
            source: AnswerSource = ScriptSource.from_file(console, Path(script))
            return cls(console, source, plain, ascii_only, now=now, dry_run=dry_run)
        if any(seat.is_person for seat in seats) and not sys.stdin.isatty():
            raise UsageError(
                "This is not a terminal, so nothing can be asked.", hint="Give the moves with --script FILE."
            )
        seconds = seconds if console.is_terminal else 0
        return cls(console, TerminalSource(console), plain, ascii_only, seconds, now, dry_run)

    def stage(self, deck: Deck) -> GameConsole:
        """Return the stage for a game with this deck."""
        look = terminal_style(self.console, deck, plain=self.plain, ascii_only=self.ascii_only)
        return GameConsole(self.console, self.source, look)

    def play(
        self, session: Session, notes: GameNotes, log: Callable[[Session], LogResult] | None
    ) -> tuple[Session, LogResult | None]:
        """Let the people play; return the game and its log result, None if they left before the end."""
        write = partial(log, session) if log else None
        host = GameHost.from_notes(session, notes, plain_lines, self.seconds, write)
        return session, host.finish() if self._show(host) else None

    def play_match(self, match_notes: MatchNotes, log: Callable[[], LogResult] | None) -> LogResult | None:
        """Let the people play a match, or show one that is over; return the log result, None if they left early."""
        stage = self.stage(match_notes.notes.deck_note.deck)
        if match_notes.match.games:
            _show_match(match_notes, stage)
        if match_notes.match.outcome:
            return log() if log else None
        with closing(MatchHost(match_notes, plain_lines, self.seconds, self.now, log)) as host:
            while self._play_next_game(host, stage):
                pass
        return host.finish() if match_notes.match.outcome else None

    def _play_next_game(self, host: MatchHost, stage: GameConsole) -> bool:
        """Let the people play a game of a match, and show the match; False if they left, or the match is over."""
        match_notes = host.match_notes
        stage.heading(f"Game {match_notes.number} of at most {match_notes.match.most}")
        if self._show(host) is None:
            return False
        if match_notes.match.outcome is None:
            host.finish()  # raises an error if the file of the match cannot be read
        _show_match(match_notes, stage)
        if match_notes.match.outcome or not _wait_for_next_game(match_notes, stage, dry_run=self.dry_run):
            return False
        host.handle(ME, Order(host.view(ME).question, Command.NEXT))
        return True

    def _show(self, host: GameHost) -> Outcome | None:
        """Let the people play one game; None if they left before the end.

        They are told what they face and, after a loss, what it costs.
        """
        agreement = host.session.header.agreement
        encounter = name_of(agreement.encounter)
        if encounter:
            self._say(f"The encounter: {encounter}.")
        outcome = GameView(host, self.stage(host.session.deck), dry_run=self.dry_run).run()
        if encounter and outcome:
            self._say(f"The encounter was: {encounter}.")
            if outcome.kind == "loss" and agreement.on_loss:
                self._say(f"{PRICE_LABEL}: {agreement.on_loss}")
        return outcome

    def write_down(self, logbook: Logbook) -> LogResult | None:
        """Let the people write a game down with its notes; return the log result, None if they left before the end."""
        host = LogbookHost(logbook, plain_lines, self.now, dry_run=self.dry_run)
        return host.finish() if LogbookView(logbook, host, self.stage(logbook.ledger.deck)).run() else None

    def _say(self, text: str) -> None:
        self.console.print(strip_controls(text), soft_wrap=self.plain, highlight=False, markup=False)


def _wait_for_next_game(match_notes: MatchNotes, stage: GameConsole, *, dry_run: bool) -> bool:
    """Wait for people before the next game of a match; False where they leave."""
    if not any(spec.is_person for spec in match_notes.match.header.seats):
        return True
    resume_command = f"vaultkit resume {match_notes.match.id}{' --dry-run' if dry_run else ''}"
    with announce_save_on_exit(lambda: stage.show(Text(f"\nContinue with: {resume_command}")), ""):
        question = f"The match is saved. Type q to leave; for game {match_notes.number} press Enter."
        if is_leaving(stage.pause(question)):
            raise PlayerQuit
        return True
    return False


def _show_match(match_notes: MatchNotes, stage: GameConsole) -> None:
    """Show the games of a match so far, and how everybody stands, or how the match ended."""
    match = match_notes.match
    speaker = TerminalText(match.header.names.__getitem__, match_notes.notes.deck_note.deck, stage.look)
    stage.heading(match.heading)
    tables = (match.table(), match.standing())
    if match.outcome:
        stage.show(*renderables.ending(match.outcome, tables, speaker))
        if seed := seed_words(match.header):
            stage.show_unbroken(seed)
        return
    for table in tables:
        stage.show(renderables.score_table(table, speaker))
        stage.show_gap()
