"""A match at this screen: game after game, and between them how everybody stands."""

from collections.abc import Callable
from datetime import datetime

from rich.text import Text

from vaultkit.campaign.matches import MatchNotes
from vaultkit.session.match import seed_words
from vaultkit.terminal import renderables
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.commands import is_leaving
from vaultkit.terminal.console import announce_save_on_exit
from vaultkit.terminal.screen import Screen
from vaultkit.terminal.terminal_text import TerminalText


class MatchView:
    """A match on a screen."""

    def __init__(self, match_notes: MatchNotes, screen: Screen, *, dry_run: bool) -> None:
        self._match_notes = match_notes
        self._screen = screen
        self._dry_run = dry_run
        deck, header = match_notes.notes.deck_note.deck, match_notes.match.header
        self._stage = screen.stage(deck)
        self._speaker = TerminalText(header.names.__getitem__, deck, self._stage.look)
        self._has_people = any(spec.is_person for spec in header.seats)

    def run(self, clock: Callable[[], datetime]) -> None:
        """Play on until the match is over, or the people leave; each game is kept as it is played."""
        if self._match_notes.match.games:
            self._show_standing()
        while self._match_notes.match.outcome is None:
            with self._match_notes.next_game(clock) as session:
                self._stage.heading(f"Game {self._match_notes.number} of at most {self._match_notes.match.most}")
                if self._screen.play(session, self._match_notes.notes, dry_run=self._dry_run) is None:
                    return
            self._match_notes.reload()
            self._show_standing()
            if not self._goes_on():
                return

    def _goes_on(self) -> bool:
        """Wait for people before the next game; False where they leave."""
        if self._match_notes.match.outcome or not self._has_people:
            return True
        question = f"The match is saved. Type q to leave; for game {self._match_notes.number} press Enter."
        with announce_save_on_exit(self._say_how_to_go_on, ""):
            if is_leaving(self._stage.pause(question)):
                raise PlayerQuit
            return True
        return False

    def _say_how_to_go_on(self) -> None:
        resume_command = f"vaultkit resume {self._match_notes.match.id}{' --dry-run' if self._dry_run else ''}"
        self._stage.show(Text(f"\nGo on with: {resume_command}"))

    def _show_standing(self) -> None:
        match = self._match_notes.match
        self._stage.heading(match.heading)
        tables = (match.table(), match.standing())
        if match.outcome:
            self._stage.show(*renderables.ending(match.outcome, tables, (), self._speaker))
            if seed := seed_words(match.header):
                self._stage.show_unbroken(seed)
        else:
            for table in tables:
                self._stage.show(renderables.score_table(table, self._speaker))
                self._stage.show_gap()
