"""The store of the journals of games in one folder."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from vaultkit.errors import InvalidError, NothingFound
from vaultkit.session.journal import Contents, read
from vaultkit.session.journal_files import delete_journal, find_journals, kind_of
from vaultkit.session.session_ids import find_id
from vaultkit.spelling import did_you_mean

Standing = Literal["running", "finished", "damaged"]


@dataclass(frozen=True, slots=True)
class SavedJournal:
    """A journal in a store.

    `contents` is None for a damaged journal; `problem` is then the reason, and `hint` says what can be done. For other
    journals, `problem` is a remark about an incomplete last line, or "", and the game can be resumed.
    """

    id: str
    path: Path
    contents: Contents | None = None
    problem: str = ""
    hint: str = ""

    @property
    def standing(self) -> Standing:
        if self.contents is None:
            return "damaged"
        return "finished" if self.contents.end else "running"

    @property
    def moves(self) -> int:
        """The number of decisions so far, without deals and undone decisions; 0 for a damaged journal."""
        return self.contents.move_count if self.contents else 0


@dataclass(frozen=True, slots=True)
class Store:
    """The store of journals in a folder, which need not exist."""

    folder: Path

    def ids(self) -> tuple[str, ...]:
        """Return the ids of all games, for which only the first lines of the journals are read."""
        return tuple(path.stem for path in self._paths())

    def list_journals(self) -> tuple[SavedJournal, ...]:
        """Return all journals of games, the latest first and damaged ones last."""
        return tuple(sorted(map(_load_journal, self._paths()), key=_recency_key, reverse=True))

    def find(self, id_ending: str = "") -> SavedJournal:
        """Return the journal of the game whose id is or ends in `id_ending`, such as `k3f9`.

        For "", return that of the unfinished game that was begun last. Raises NothingFound if there is no such game, or
        if several ids end so.
        """
        games = self.list_journals()
        if not id_ending:
            running = [game for game in games if game.standing == "running"]
            if not running:
                raise NothingFound("There is no unfinished game.", hint="Begin one with: vaultkit play GAME")
            return running[0]
        by_id = {game.id: game for game in games}
        session_id = find_id(by_id, id_ending)
        if session_id:
            return by_id[session_id]
        hint = did_you_mean(id_ending, by_id) or "See: vaultkit sessions"
        raise NothingFound(f"There is no saved game '{id_ending}'.", hint=hint)

    def count_games_before(self, game: str, session: str, end: datetime | None) -> int:
        """Return how many games of a kind ended before the game of a session that ended at `end`."""
        ids = {id_: path for id_, path in find_journals(self.folder).items() if f"-{game}-" in id_ and id_ != session}
        saved_games = (_load_journal(path) for path in ids.values() if kind_of(path) == "game")
        ends = {saved.id: saved.contents.end for saved in saved_games if saved.contents and saved.contents.end}
        times = {id_: other.at.timestamp() if other.at else 0.0 for id_, other in ends.items()}
        return sum((time, id_) < (end.timestamp() if end else 0.0, session) for id_, time in times.items())

    def discard(self, id_ending: str) -> SavedJournal:
        """Delete the journal of the game whose id is or ends in `id_ending`, and return what it was.

        Raises NothingFound if not exactly one id ends so, and WriteError while another process plays the game.
        """
        if not id_ending:
            raise NothingFound("Name the game to discard.", hint="See: vaultkit sessions")
        game = self.find(id_ending)
        delete_journal(self.folder, game.id)
        return game

    def _paths(self) -> list[Path]:
        return [path for path in find_journals(self.folder).values() if kind_of(path) == "game"]


def _load_journal(path: Path) -> SavedJournal:
    try:
        contents = read(path)
    except InvalidError as error:
        return SavedJournal(path.stem, path, problem=error.message, hint=error.hint)
    if contents.header.session != path.stem:
        problem = f"It is the journal of {contents.header.session}, under another name."
        return SavedJournal(path.stem, path, problem=problem)
    return SavedJournal(path.stem, path, contents, contents.remark)


def _recency_key(game: SavedJournal) -> tuple[bool, float, str]:
    started = game.contents.header.started.timestamp() if game.contents else 0.0
    return game.contents is not None, started, game.id
