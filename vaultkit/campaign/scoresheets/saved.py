"""Tallies kept beside the journals, `.vaultkit/journals/<session>.json`: what was typed is on disk before any note."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from vaultkit import __version__, files
from vaultkit.campaign.scoresheets.game import Kept, PaperGame
from vaultkit.errors import InvalidError, UsageError
from vaultkit.session.ids import is_id, one_by_ending
from vaultkit.session.records import is_in_reach
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.session.store import Store
from vaultkit.vault.writing import atomic
from vaultkit.vault.writing.history import private_folder
from vaultkit.vault.writing.write import vault_lock

SUFFIX = ".json"
SCHEMA = 1
_UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError, OSError)


class _File(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = SCHEMA
    session: str
    version: str = __version__
    paper: Kept

    def __post_init__(self) -> None:
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
    kept = saved.kept
    if kept is None:
        hint = f"A file that cannot be mended can be removed with: vaultkit sessions --discard {saved.id}"
        raise InvalidError(f"These scores cannot be read: {saved.problem}.", where=str(saved.path), hint=hint)
    try:
        sheet = sheets.find(kept.game)
    except UsageError as error:
        hint = "These scores are of a game that was defined in this vault. Bring its definition back."
        raise InvalidError(error.message, where=str(saved.path), hint=hint) from error
    return PaperGame(**vars(kept), sheet=sheet)


def _read(path: Path) -> SavedTally:
    try:
        found = msgspec.json.decode(files.read_own(path), type=_File)
        if found.session != path.stem:
            raise ValueError(f"they are those of {found.session}, under another name")
    except _UNREADABLE as error:
        return SavedTally(path.stem, path, problem=str(error).rstrip("."))
    return SavedTally(path.stem, path, found.paper)
