"""A game at this screen: who answers, what `?` shows, and what a character faces."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.logbook import Logbook
from vaultkit.campaign.result import PRICE_LABEL
from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.messages import Outcome
from vaultkit.host.advice import Advice
from vaultkit.host.game_host import GameHost
from vaultkit.scene.bot_speed import seconds_of
from vaultkit.session import Session
from vaultkit.session.seats import SeatSpec
from vaultkit.terminal.answer_sources import AnswerSource, ScriptSource, TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.game_view import GameView
from vaultkit.terminal.logbook_view import LogbookView
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
        """The screen for these seats, before anything is dealt; of a `script`, "-" is stdin.

        `speed` is that of bots, for a person at a terminal alone.

        Raises UsageError where there are people and neither a terminal nor a script to ask, InvalidError for a
        script that cannot be read.
        """
        seconds = seconds_of(speed)
        if script is not None:
            return cls(console, ScriptSource.from_file(console, Path(script)), plain, ascii_only)
        if any(seat.is_person for seat in seats) and not sys.stdin.isatty():
            raise UsageError("There is nobody to ask: this is no terminal.", hint="Give the moves with --script FILE.")
        return cls(console, TerminalSource(console), plain, ascii_only, seconds if console.is_terminal else 0)

    def stage(self, deck: Deck) -> GameConsole:
        """The stage for a game with this deck."""
        look = terminal_style(self.console, deck, plain=self.plain, ascii_only=self.ascii_only)
        return GameConsole(self.console, self.source, look)

    def play(self, session: Session, notes: GameNotes, *, dry_run: bool = False) -> Outcome | None:
        """Let the people play, with the game's notes at hand; None if they left before the end.

        They are told what they face and, after a loss, what it costs.
        """
        header = session.header
        reference = notes.reference(session, plain_lines)
        encounter = name_of(header.agreement.encounter)
        if encounter:
            self._say(f"The encounter: {encounter}.")
        host = GameHost(session, Advice(session, reference), self.seconds)
        outcome = GameView(host, self.stage(session.deck), dry_run=dry_run).run()
        if encounter and outcome:
            self._say(f"The encounter was: {encounter}.")
            if outcome.kind == "loss" and header.agreement.on_loss:
                self._say(f"{PRICE_LABEL}: {header.agreement.on_loss}")
        return outcome

    def write_down(self, logbook: Logbook) -> bool:
        """Let the people write a game down, its notes at hand; False if they left before the end, or it is over."""
        return LogbookView(logbook, self.stage(logbook.ledger.deck), logbook.reference(plain_lines)).run()

    def _say(self, text: str) -> None:
        self.console.print(strip_controls(text), soft_wrap=self.plain, highlight=False, markup=False)
