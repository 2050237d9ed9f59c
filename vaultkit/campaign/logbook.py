"""The logbook of a game with real cards: players type what happens, and each entry is saved before the next one."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Self

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.scoresheets.paper_game import (
    PaperGame,
    SavedTally,
    find_tally,
    game_data_of,
    header_of,
    paper_of,
    records_of,
    scores_of,
)
from vaultkit.campaign.scoresheets.paper_log import PaperLog
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import NothingFound, UsageError
from vaultkit.games.ledger import Ledger, LedgerLine, open_ledger
from vaultkit.games.messages import Outcome, TextTemplate
from vaultkit.games.options import Options
from vaultkit.games.scoresheet import SeatTally, Tally
from vaultkit.games.turn import Move
from vaultkit.scene.knowledge import StepEvent
from vaultkit.scene.rule_reference import Reference
from vaultkit.scene.scene import Question, Scene
from vaultkit.session import Step
from vaultkit.session.journal import Journal, read_paper
from vaultkit.session.journal_files import find_journal
from vaultkit.session.journal_records import AnyRecord, EntryRecord, UndoRecord
from vaultkit.session.scoresheets import score_sheet
from vaultkit.session.seats import SeatSpec
from vaultkit.session.session_ids import create_unused_id
from vaultkit.vault.writing.history import private_folder


@dataclass
class Logbook:
    """The logbook of one game: the game as its file stores it, and the ledger that its entries make up.

    `session` is the id of the game. The journal file of a game that was begun or resumed stays open and locked until
    the end of the `with` block; a game that was only read has no open journal.
    """

    notes: GameNotes
    session: str
    paper: PaperGame
    ledger: Ledger
    _journal: Journal | None = None

    @classmethod
    def begin(
        cls,
        notes: GameNotes,
        seats: Sequence[SeatSpec],
        options: Options,
        now: datetime,
        *,
        campaign: str | None = None,
        wants_log: bool = True,
    ) -> Self:
        """Begin a new game and save it in a new journal.

        `campaign` is the campaign note to log the game in, None for the one in the settings; `wants_log` is False if
        the game shall not be logged. Raises UsageError for a bot, and for seats or options with which the game cannot
        be written down.
        """
        if bot := next((seat.name for seat in seats if not seat.is_person), ""):
            raise UsageError(f"{bot} cannot sit at a table with real cards.", hint="Name the people who play.")
        sheet, names = score_sheet(notes.info.id), tuple(seat.name for seat in seats)
        ledger = open_ledger(sheet, len(names), options, notes.deck_note.deck)
        tally = Tally(options, tuple(SeatTally() for _ in names))
        paper = PaperGame(sheet.id, now.date(), names, tally, campaign=campaign, started=now, sheet=sheet)
        paper, folder = replace(paper, wants_log=wants_log), private_folder(notes.workspace.root, "journals")
        session = create_unused_id(folder, sheet.id, now, secrets.randbelow(10**6))
        return cls(notes, session, paper, ledger, Journal.create(folder, header_of(paper, session)))

    @classmethod
    def resume(cls, workspace: Workspace, saved: SavedTally) -> Self:
        """Open a game's file to go on writing.

        The file of an unfinished game of version 0.3 is first copied to a new file in today's format. Raises
        InvalidError if the file cannot be read, and WriteError while the game is open in another window.
        """
        journal, contents = Journal.reopen(saved.path, read_paper)
        try:
            logbook = cls.read(workspace, replace(saved, contents=game_data_of(contents)))
            if contents.scores is None:
                journal.upgrade(header_of(logbook.paper, saved.id), records_of(logbook.paper))
        except BaseException:
            journal.close()
            raise
        logbook._journal = journal
        return logbook

    @classmethod
    def read(cls, workspace: Workspace, saved: SavedTally) -> Self:
        """Read a game from its file, only to show it. Raises InvalidError."""
        paper = paper_of(saved, workspace.score_sheets)
        notes = GameNotes.from_name(workspace, paper.game, deck=paper.sheet.deck_for(paper.tally.options))
        ledger = paper.ledger(notes.deck_note.deck)
        assert ledger is not None, "only such games can be continued"
        return cls(notes, saved.id, paper, ledger)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._journal:
            self._journal.close()

    @property
    def is_over(self) -> bool:
        """Whether the players have confirmed the end of the game."""
        return self.paper.ended is not None

    @property
    def outcome(self) -> Outcome | None:
        """The result, once the players have confirmed it; else None."""
        return self.ledger.result() if self.is_over else None

    @property
    def seats(self) -> tuple[SeatSpec, ...]:
        """The seats, all of them people."""
        return tuple(map(SeatSpec, self.paper.names))

    @property
    def path(self) -> Path:
        """The file of the game, or the folder of journals if it is gone."""
        return find_journal(self.notes.workspace.journals, self.session) or self.notes.workspace.journals

    @property
    def doubts(self) -> tuple[str, ...]:
        """Sentences about scores in the finished game that cannot be true."""
        return replace(self.paper, tally=self.ledger.tally()).doubts

    def reference(self, to_plain_text: Callable[[str], str]) -> Reference:
        """Return the passages of notes and rulings on the game; `to_plain_text` converts Markdown to plain text."""
        return self.notes.reference_under(self.paper.tally.options, to_plain_text)

    @property
    def scene(self) -> Scene:
        """The game as everybody at the table may see it."""
        ledger = self.ledger
        question = None if ledger.over else Question(None, *ledger.question)
        return Scene(
            ledger.game.title, self.paper.names, None, ledger.zones(), question, (), {}, (), ledger.standings()
        )

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        """The ways to type an entry, each with its meaning.

        The examples use the first names of the players in the first two seats.
        """
        first_names = [name.split()[0] for name in self.paper.names]
        names = {"s0": first_names[0], "s1": first_names[min(1, len(first_names) - 1)]}
        lowercase_names = {place: name.lower() for place, name in names.items()}
        parse = TextTemplate.parse
        return tuple(
            (parse(keys).fill(lowercase_names), parse(meaning).fill(names)) for keys, meaning in self.ledger.forms
        )

    @property
    def steps(self) -> list[Step]:
        """The entries as steps, each with its number, from 1, and its events."""
        return [Step(number, Move("entry"), page.events) for number, page in enumerate(self.ledger.pages, 1)]

    @property
    def news(self) -> list[StepEvent]:
        """The events of all entries, each with its step."""
        return [(step, event) for step in self.steps for event in step.events]

    def check(self, entry: LedgerLine) -> None:
        """Raise EntryRefused for an entry that could not be written now."""
        replace(self.paper, entries=(*self.paper.entries, entry)).ledger(self.notes.deck_note.deck)

    def write(self, entry: LedgerLine) -> None:
        """Save one more entry. Raises EntryRefused and changes nothing if it is not possible."""
        entries = (*self.paper.entries, entry)
        self._save_entries(entries, EntryRecord(n=len(entries), words=entry))

    def take_back(self) -> None:
        """Save the game without its last entry."""
        entries = self.paper.entries[:-1]
        self._save_entries(entries, UndoRecord(to=len(entries)))

    def close(self, now: datetime) -> None:
        """Save the final scores and that the game is over; if there are doubts, also that the players insist."""
        paper = replace(self.paper, tally=self.ledger.tally(), ended=now, forced=bool(self.doubts))
        self._append(scores_of(paper))
        self.paper = paper

    def log(self, now: datetime, *, dry_run: bool = False) -> LogResult:
        """Log the finished game in the campaign's notes."""
        return PaperLog(self.notes.workspace, now, dry_run=dry_run).finish(self.paper, self.session)

    def _save_entries(self, entries: tuple[LedgerLine, ...], journal_record: AnyRecord) -> None:
        """Append a record to the journal, and make `entries` all entries of the game.

        Raises EntryRefused and changes nothing if they are not possible.
        """
        paper = replace(self.paper, entries=entries)
        ledger = paper.ledger(self.notes.deck_note.deck)
        assert ledger is not None
        self._append(journal_record)
        self.paper, self.ledger = paper, ledger

    def _append(self, record: AnyRecord) -> None:
        """Write a record to the end of the open journal."""
        assert self._journal is not None, "the caller has opened the journal"
        self._journal.append(record)


def find_saved_logbook(journals: Path, session_id: str) -> SavedTally | None:
    """Return the file of a game with real cards, by the game's id or the last letters of it; None if there is none.

    A file that cannot be read is returned with its problem. Raises NothingFound if several ids fit, and for a game of
    which only the scores were written down afterwards.
    """
    saved_tally = find_tally(journals, session_id)
    if saved_tally and saved_tally.contents and not saved_tally.contents.started:
        hint = f"To log it: vaultkit log --session {saved_tally.id}"
        raise NothingFound(f"Of {saved_tally.id} only the scores are known, and no moves.", hint=hint)
    return saved_tally
