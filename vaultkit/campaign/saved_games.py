"""The games of a vault, played or begun here, or recorded from paper: what is saved of each."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vaultkit.campaign.scoresheets.saved import SavedTally, discard_tally, find_tally, saved_tallies
from vaultkit.session.store import Saved, Store


@dataclass(frozen=True)
class SavedGame:
    """One game. `started` is a time or, of a game from paper, which has no moves, a day; None where it is damaged.

    `problem` says what is wrong with its file; with a `game` the rest can be used.
    """

    session: str
    game: str | None
    standing: str
    moves: int
    started: str | None
    seats: tuple[str, ...]
    problem: str | None


def saved_games(journals: Path) -> Iterator[SavedGame]:
    """The games in the folder of journals, those from paper at the end."""
    yield from map(_of_journal, Store(journals).saved())
    yield from map(_of_paper, saved_tallies(journals))


def discard(journals: Path, wanted: str) -> str:
    """Delete a journal, or the scores that were kept of a game with real cards; the session's id."""
    tally = find_tally(journals, wanted)
    if tally is None:
        return Store(journals).discard(wanted).id
    discard_tally(tally)
    return tally.id


def _of_journal(game: Saved) -> SavedGame:
    header, problem = game.contents.header if game.contents else None, game.problem or None
    if header is None:
        return SavedGame(game.id, None, game.standing, game.moves, None, (), problem)
    seats = tuple(spec.name for spec in header.seats)
    return SavedGame(game.id, header.game, game.standing, game.moves, header.started.isoformat(), seats, problem)


def _of_paper(tally: SavedTally) -> SavedGame:
    paper, problem = tally.kept, tally.problem or None
    if paper is None:
        return SavedGame(tally.id, None, "damaged", 0, None, (), problem)
    standing, record = "running" if paper.is_running else "recorded", paper.record
    began = record.started if record else paper.date
    entries = len(record.entries) if record else 0
    return SavedGame(tally.id, paper.game, standing, entries, began.isoformat(), paper.names, problem)
