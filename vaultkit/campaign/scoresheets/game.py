"""A game from paper as a value, and its file, `.vaultkit/journals/<session>.json`: kept before any note is written."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

import msgspec

from vaultkit import __version__, files
from vaultkit.cards import Deck
from vaultkit.cards.known import known_deck
from vaultkit.compendium import DeckNote
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.ledger import Ledger, LedgerLine, open_ledger
from vaultkit.games.scoresheet import ScoreSheet, Tally
from vaultkit.games.words import Outcome
from vaultkit.session.ids import is_id, one_by_ending
from vaultkit.session.options import settle
from vaultkit.session.records import is_in_reach
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.session.store import Store
from vaultkit.vault.writing import atomic
from vaultkit.vault.writing.history import private_folder
from vaultkit.vault.writing.write import vault_lock


@dataclass(frozen=True)
class EntryRecord:
    """The entries of a game that is written down while it is played, and when that began and ended.

    `wants_log` is False where no note was wished for.
    """

    started: datetime
    entries: tuple[LedgerLine, ...] = ()
    ended: datetime | None = None
    wants_log: bool = True


@dataclass(frozen=True)
class Kept:
    """A game that was played with real cards on the day `date`, its seats in order, as a file has it: `game` is its id.

    `forced` says that somebody insisted on what is doubted; `note` is a free sentence, `campaign` the
    campaign note that was wished for, None for that of the settings. `record` is there if the game was written down
    entry by entry, from which its tally follows.
    """

    game: str
    date: date
    names: tuple[str, ...]
    tally: Tally
    note: str = ""
    forced: bool = False
    campaign: str | None = None
    record: EntryRecord | None = None

    @property
    def is_running(self) -> bool:
        """Whether it is written down entry by entry, and not over yet."""
        return self.record is not None and self.record.ended is None


@dataclass(frozen=True, kw_only=True)
class PaperGame(Kept):
    """The same with its score sheet, by which it is reckoned."""

    sheet: ScoreSheet

    @property
    def outcome(self) -> Outcome:
        return self.sheet.outcome(self.tally)

    def cards(self, deck: DeckNote | None) -> Deck:
        """The deck of the vault, or as everybody knows it; without either one of no cards."""
        kind = self.sheet.deck_for(self.tally.options)
        return deck.deck if deck else known_deck(kind) or Deck(kind, kind, ())

    def ledger(self, cards: Deck) -> Ledger | None:
        """The game entry by entry, where it was written down so; the ids of cards are those of its deck."""
        if self.record is None:
            return None
        return open_ledger(self.sheet, len(self.names), self.tally.options, cards, self.record.entries)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Everything that cannot be true, each a sentence with the numbers of its rulings."""
        return tuple(doubt.speak(self.names.__getitem__) for doubt in self.sheet.doubts(self.tally))


SUFFIX = ".json"
SCHEMA = 1
_UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError, OSError)


class _File(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = SCHEMA
    session: str
    version: str = __version__
    paper: Kept

    def check(self) -> None:
        """Raises ValueError for what fits the types and is no tally all the same."""
        paper, record = self.paper, self.paper.record
        if self.schema != SCHEMA:
            raise ValueError(f"it is written in schema {self.schema}, and this vaultkit reads schema {SCHEMA}")
        if not paper.names or len(paper.names) != len(paper.tally.seats):
            raise ValueError("there are not as many players as scores")
        times = [one for one in (record.started, record.ended) if one] if record else []
        if not all(map(is_in_reach, times)) or len({one.tzinfo is None for one in times}) > 1:
            raise ValueError("they were begun or ended at no time that clocks know")


@dataclass(frozen=True, slots=True)
class SavedTally:
    """One tally's file. `kept` is None and `problem` says why where it cannot be read."""

    id: str
    path: Path
    kept: Kept | None = None
    problem: str = ""


def save(paper: PaperGame, session: str, root: Path) -> None:
    """Write the tally of a session, in place of what was there of it before. Raises WriteError if it cannot be."""
    folder = private_folder(root, "journals")
    path = folder / f"{session}{SUFFIX}"
    kept = msgspec.convert(paper, Kept, from_attributes=True)
    data = msgspec.json.format(msgspec.json.encode(_File(session=session, paper=kept)), indent=2) + b"\n"
    with vault_lock(root), atomic.refusing("The scores cannot be kept", path):
        atomic.sweep(folder)
        atomic.put(path, data)
        files.sync_folder(folder)


def saved_tallies(folder: Path) -> tuple[SavedTally, ...]:
    """Every tally in the folder of journals, which need not be there; the last day first. A bad one hides no other."""
    paths = [path for path in folder.glob(f"*{SUFFIX}") if is_id(path.stem) and path.is_file()]
    return tuple(_read(path) for path in sorted(paths, key=lambda path: path.stem, reverse=True))


def find_tally(folder: Path, wanted: str) -> SavedTally | None:
    """The tally of a session by its id or the end of it; None if there is none, and where it is a journal's.

    Raises NothingFound if there are several, be they tallies or journals.
    """
    tallies = {one.id: one for one in saved_tallies(folder)}
    found = one_by_ending((*tallies, *Store(folder).ids()), wanted)
    return tallies.get(found) if found else None


def paper_of(saved: SavedTally, sheets: ScoreSheets) -> PaperGame:
    """The game of a tally. Raises InvalidError if its file cannot be read, or the game is known no more."""
    if (kept := saved.kept) is None:
        hint = f"A file that cannot be mended can be removed with: vaultkit sessions --discard {saved.id}"
        raise InvalidError(f"These scores cannot be read: {saved.problem}.", where=str(saved.path), hint=hint)
    hint = "These scores are of a game that was defined in this vault. Bring its definition back."
    try:
        sheet = sheets.find(kept.game)
        hint = f"What was kept can be removed with: vaultkit sessions --discard {saved.id}"
        tally = replace(kept.tally, options=settle(sheet, kept.tally.options))
    except UsageError as error:
        raise InvalidError(error.message, where=str(saved.path), hint=hint) from error
    return PaperGame(**{**vars(kept), "tally": tally}, sheet=sheet)


def _read(path: Path) -> SavedTally:
    try:
        found = msgspec.json.decode(files.read_own(path), type=_File)
        found.check()
        if found.session != path.stem:
            raise ValueError(f"they are those of {found.session}, under another name")
    except _UNREADABLE as error:
        return SavedTally(path.stem, path, problem=str(error).rstrip("."))
    return SavedTally(path.stem, path, found.paper)
