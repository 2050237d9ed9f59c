"""The file of scores that are being typed, so that an interrupted entry can be resumed."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Self

from vaultkit.campaign.scoresheets.paper_game import (
    SavedTally,
    game_data_of,
    header_of,
    paper_of,
    save_definition,
    saved_tallies,
)
from vaultkit.campaign.scoresheets.score_entry import NAMES, ScoreEntry
from vaultkit.games.ledger import LedgerLine
from vaultkit.session.journal import Journal, read_paper
from vaultkit.session.journal_files import delete_journal
from vaultkit.session.journal_records import EntryRecord, UndoRecord
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.session.session_ids import create_unused_id
from vaultkit.vault.writing.history import private_folder


@dataclass
class KeptEntry:
    """An entry of scores with its file, which is made with the first row and stays locked while it is open.

    `session` is the id of the file, "" before it is made.
    """

    entry: ScoreEntry
    root: Path
    now: datetime
    session: str = ""
    _journal: Journal | None = None

    @classmethod
    def resume(cls, saved: SavedTally, sheets: ScoreSheets, root: Path, now: datetime) -> Self:
        """Open the file of an interrupted entry.

        Raises InvalidError if it cannot be read, and WriteError while another process has it open.
        """
        journal, contents = Journal.reopen(saved.path, read_paper)
        try:
            data = game_data_of(contents)
            plain_data = replace(data, started=None, entries=(), asks_scores=False)
            paper = paper_of(replace(saved, contents=plain_data), sheets)
            return cls(ScoreEntry(paper, (), list(contents.entries)), root, now, saved.id, journal)
        except BaseException:
            journal.close()
            raise

    def keep(self, line: LedgerLine | None) -> None:
        """Save the last entry, or with None that the last one was taken back. Raises WriteError."""
        count = len(self.entry.entries)
        if self._journal is None:
            if line is None or line[0] == NAMES:
                return
            self._create()
        elif line is None:
            self._journal.append(UndoRecord(to=count))
        else:
            self._journal.append(EntryRecord(n=count, words=line))

    def _create(self) -> None:
        paper, folder = self.entry.paper, private_folder(self.root, "journals")
        self.session = create_unused_id(folder, paper.sheet.id, self.now, secrets.randbelow(10**6))
        save_definition(paper.sheet, self.root)
        header = header_of(replace(paper, started=self.now, asks_scores=True), self.session)
        self._journal = Journal.create(folder, header)
        for number, words in enumerate(self.entry.entries, 1):
            self._journal.append(EntryRecord(n=number, words=words))

    def close(self) -> None:
        """Release the file, which stays."""
        if self._journal:
            self._journal.close()

    def discard(self) -> None:
        """Delete the file, once the game is logged or is not wanted."""
        self.close()
        if self._journal:
            delete_journal(self._journal.path.parent, self.session)


def interrupted_entries(journals: Path, game: str = "") -> Iterator[SavedTally]:
    """Yield the files of interrupted entries of scores, the last one first; only for `game` if it is given."""
    for saved in saved_tallies(journals):
        data = saved.contents
        if data and data.is_running and data.asks_scores and game in ("", data.game):
            yield saved


def describe(saved: SavedTally, sheets: ScoreSheets) -> str:
    """Return the game, the day and the number of rows of an interrupted entry: `Skat, 2026-11-03, 12 rows`."""
    assert saved.contents, "only files that can be read are interrupted entries"
    count = sum(entry[0] == "line" for entry in saved.contents.entries)
    rows = "1 row" if count == 1 else f"{count} rows"
    return f"{sheets.title(saved.contents.game)}, {saved.contents.date.isoformat()}, {rows}"
