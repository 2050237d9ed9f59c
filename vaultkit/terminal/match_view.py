"""A match at this screen: game after game, and between them how everybody stands."""

from collections.abc import Callable

from rich.text import Text

from vaultkit.campaign.matches import MatchNotes
from vaultkit.host.game_host import GameHost
from vaultkit.host.match_host import MatchHost
from vaultkit.host.orders import Command, Order
from vaultkit.session.match import seed_words
from vaultkit.terminal import renderables
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.commands import is_leaving
from vaultkit.terminal.console import GameConsole, announce_save_on_exit
from vaultkit.terminal.game_view import ME
from vaultkit.terminal.terminal_text import TerminalText


class MatchView:
    """A match on a stage. `play` lets people play one game, and returns None if they leave before its end."""

    def __init__(
        self, match_notes: MatchNotes, stage: GameConsole, play: Callable[[GameHost], object], *, dry_run: bool
    ) -> None:
        self._match_notes = match_notes
        self._stage = stage
        self._play = play
        self._dry_run = dry_run
        deck, header = match_notes.notes.deck_note.deck, match_notes.match.header
        self._speaker = TerminalText(header.names.__getitem__, deck, stage.look)
        self._has_people = any(spec.is_person for spec in header.seats)

    def run(self, host: MatchHost) -> None:
        """Play on until the match is over, or the people leave; each game is kept as it is played."""
        while True:
            self._stage.heading(f"Game {self._match_notes.number} of at most {self._match_notes.match.most}")
            if self._play(host) is None:
                return
            if self._match_notes.match.outcome is None:
                host.finish()  # raises an error if the file of the match cannot be read
            self.show_standing()
            if self._match_notes.match.outcome or not self._goes_on():
                return
            host.handle(ME, Order(host.view(ME).question, Command.NEXT))

    def _goes_on(self) -> bool:
        """Wait for people before the next game; False where they leave."""
        if not self._has_people:
            return True
        question = f"The match is saved. Type q to leave; for game {self._match_notes.number} press Enter."
        with announce_save_on_exit(self._say_how_to_go_on, ""):
            if is_leaving(self._stage.pause(question)):
                raise PlayerQuit
            return True
        return False

    def _say_how_to_go_on(self) -> None:
        resume_command = f"vaultkit resume {self._match_notes.match.id}{' --dry-run' if self._dry_run else ''}"
        self._stage.show(Text(f"\nContinue with: {resume_command}"))

    def show_standing(self) -> None:
        """Show the games so far, and how everybody stands, or how the match ended."""
        match = self._match_notes.match
        self._stage.heading(match.heading)
        tables = (match.table(), match.standing())
        if match.outcome:
            self._stage.show(*renderables.ending(match.outcome, tables, self._speaker))
            if seed := seed_words(match.header):
                self._stage.show_unbroken(seed)
        else:
            for table in tables:
                self._stage.show(renderables.score_table(table, self._speaker))
                self._stage.show_gap()
