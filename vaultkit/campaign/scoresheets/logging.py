"""A game from paper, understood and logged: its scores kept first, then the notes; the same game twice adds nothing."""

import posixpath
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import count

from vaultkit.campaign.game_notes import GameNotes, option_pairs
from vaultkit.campaign.log import Logged, record_game
from vaultkit.campaign.played import note_of
from vaultkit.campaign.scoresheets.example import score_flag
from vaultkit.campaign.scoresheets.game import PaperGame, past_day, session_id, to_result
from vaultkit.campaign.scoresheets.people import People
from vaultkit.campaign.scoresheets.record import PaperRecord, placed
from vaultkit.campaign.scoresheets.saved import save
from vaultkit.campaign.scoresheets.understanding import understand
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium import DeckNote
from vaultkit.errors import InvalidError, UsageError, VaultkitError
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import ScoreSheet, Tally
from vaultkit.session.options import settle
from vaultkit.wording import counted


@dataclass(frozen=True)
class PaperLog:
    """Understands and logs games from paper in one vault, at the moment `now`; a `dry_run` writes nothing.

    `tell` takes what the GM should know on the way. `ask` says whether a guest is the player of almost that name, None
    where nobody can be asked.
    """

    workspace: Workspace
    now: datetime
    tell: Callable[[str], None] = lambda _: None
    ask: Callable[[str, str], bool | None] = lambda *_: None
    dry_run: bool = False

    @cached_property
    def people(self) -> People:
        return People(self.workspace.vault, self.workspace.settings.players)

    def sources(self, paper: PaperGame) -> tuple[str, DeckNote | None]:
        """The rule note and the deck of a game. It needs neither to be logged; what is missing is said."""
        sheet, deck = paper.sheet, None
        notes = GameNotes(self.workspace, sheet.info, sheet.deck_for(paper.tally.options))
        if sheet.game:
            try:
                deck = notes.deck_note
            except VaultkitError as error:
                self.tell(f"No card is linked. {error.message}")
            if notes.rule_note is None:
                self.tell(f"This vault has no rule note for {sheet.title}; the game's note links to none.")
        return notes.rule_note.note.path if notes.rule_note else "", deck

    def options(self, sheet: ScoreSheet, written: PaperRecord) -> Options:
        """House rules in force; those of a file before `--set`. Raises UsageError or InvalidError."""
        with placed(written.where):
            settle(sheet, written.options)
        if sheet.game is None:
            return settle(sheet, {**written.options, **option_pairs(written.flags.options)})
        return GameNotes(self.workspace, sheet.info, sheet.info.deck).settled(written.flags.options, written.options)

    def read(self, written: PaperRecord) -> PaperGame:
        """The game that was written down; before somebody is asked for it only its day, options and known names."""
        sheet, flags = self.workspace.score_sheets.find(written.game), written.flags
        given = [seat.name for seat in written.seats] if written.is_written else flags.seats
        names = self.people.seat(given, sheet.title, self.ask, self.tell) if written.is_written or given else ()
        for remark in written.remarks:
            self.tell(remark)
        options = self.options(sheet, written)
        tally = understand(written, sheet, options, self.tell) if written.is_written else Tally(options, ())
        day = past_day(written.date.text, self.now, written.date.where) if written.date else self.now.date()
        return PaperGame(sheet.id, day, names, tally, written.note, flags.force, flags.campaign, sheet=sheet)

    def check_asking(self, written: PaperRecord, *, somebody: bool) -> None:
        """Raises UsageError where flags give scores, but nobody's, and where there is not `somebody` to be asked."""
        sheet, flags = self.workspace.score_sheets.find(written.game), written.flags
        given = flags.scores or flags.outcome is not None
        if given or not somebody:
            message = "Nobody has a score." if given else "There is nobody to ask for the scores: this is no terminal."
            example = score_flag(sheet, self.options(sheet, written))
            raise UsageError(message, hint=f"Give the scores with {example} once for each player, or --from FILE.")

    def refuse_logged(self, written: PaperRecord) -> None:
        """Raises InvalidError for the sheet that was printed of a game whose note is there."""
        there = note_of(self.workspace.vault, written.session) if written.session else None
        if there:
            message = f"This sheet is that of a game which is logged already: {there}."
            hint = "Was it another game? Empty the box 'Session', or say --again."
            raise InvalidError(message, where=written.where, hint=hint)

    def log(self, paper: PaperGame, *, again: bool = False) -> tuple[str, Logged]:
        """Keep the scores of a game, and write what is not there yet of its note and its line in the campaign's log.

        `again` makes it another game than one with the same scores that is logged already; the session tells which.
        Raises InvalidError for scores with doubts that nobody has insisted on, and whatever `record_game` raises before
        a note is written; the scores are kept then, and the hint says how to log them.
        """
        if paper.doubts and not paper.forced:
            hint = "Correct them, or record them as they are, with a remark in the note: --force"
            found = counted(len(paper.doubts), "thing")
            raise InvalidError(f"{found} in these scores cannot be true. Nothing was written.", hint=hint)
        session = self._session(paper, again=again)
        if not self.dry_run:
            save(paper, session, self.workspace.root)
        there, logged = note_of(self.workspace.vault, session), self.finish(paper, session)
        if there is None:
            return session, logged
        same = f"This game is logged already: {there}. Was it another one with the same scores? Say --again."
        return session, replace(logged, remarks=(same, *(one for one in logged.remarks if there not in one)))

    def finish(self, paper: PaperGame, session: str) -> Logged:
        """Log a game whose scores are kept under `session`; what was doubted of them was insisted on before."""
        if paper.is_running:
            hint = f"Go on with: vaultkit resume {session}"
            raise InvalidError("This game is not over yet.", where=session, hint=hint)
        result = self.people.linked(to_result(paper, session, *self.sources(paper), self.workspace.root))
        vault, settings = self.workspace.vault, self.workspace.settings
        try:
            return record_game(result, vault, settings, campaign=paper.campaign, now=self.now, dry_run=self.dry_run)
        except VaultkitError as error:
            if not self.dry_run:
                elsewhere = " --campaign NOTE" * (paper.campaign is not None)
                way_on = f"The scores are kept. To log them: vaultkit log --session {session}{elsewhere}"
                error.hint = f"{error.hint} {way_on}".strip()
            raise

    def _session(self, paper: PaperGame, *, again: bool) -> str:
        """The id of this game; with `again` the first one under which no note is there yet."""
        people = [posixpath.basename(who) for who in self.people.each_once(paper.names)]  # a note may be moved
        sessions = (session_id(paper, people, number) for number in count())
        return next(one for one in sessions if not again or note_of(self.workspace.vault, one) is None)
