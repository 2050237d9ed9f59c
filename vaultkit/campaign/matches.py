"""A match in the campaign: its next game, and one note and one line for all its games."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import LogResult, record_game
from vaultkit.campaign.result import GameResult, from_session
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import InvalidError
from vaultkit.games.messages import Sentence
from vaultkit.session import Session
from vaultkit.session.journal_files import find_journal
from vaultkit.session.journal_store import Store
from vaultkit.session.match import Match, MatchGame, find_match, read_match, upgrade_match
from vaultkit.session.options import changes
from vaultkit.session.session_ids import find_id


def game_ids(workspace: Workspace, name: str) -> tuple[str, ...]:
    """Return the session ids of the games of a match that `name` means, by its id or the last letters of it.

    If `name` means no match, or a single game, return `name` alone.
    """
    path = find_match(workspace.journals, name)
    if path is None or find_id(Store(workspace.journals).ids(), name):
        return (name,)
    return tuple(contents.header.session for contents in read_match(path).journals)


@dataclass
class MatchNotes:
    """A match and the vault's notes for its game; `match` is its state when the file was last read."""

    notes: GameNotes
    match: Match

    @classmethod
    def from_saved(cls, workspace: Workspace, name: str) -> "MatchNotes | None":
        """Return a match by its id or the last letters of it, or by one of its games; None if it is no match.

        Raises InvalidError for a file that cannot be read.
        """
        path = find_match(workspace.journals, name)
        if path is None:
            return None
        match = read_match(path)
        return cls(GameNotes.from_name(workspace, match.header.game, deck=match.header.deck), match)

    def next_game(self, clock: Callable[[], datetime]) -> Session:
        """Resume the unfinished game, or begin a new one. A match of version 0.3 is upgraded to a file of schema 2."""
        journals = self.match.journals
        if journals and journals[-1].end is None:
            session = self.notes.resume(self._journal_path(journals[-1].header.session), clock)
        else:
            session = self.notes.begin_from_header(self.match.next_header(self.notes.game, clock()), clock)
        try:
            self.match = upgrade_match(self.match)
        except BaseException:
            session.close()
            raise
        return session

    def _journal_path(self, session: str) -> Path:
        path = find_journal(self.match.path.parent, session)
        assert path is not None, "the games of a match are read from their files"
        return path

    @property
    def number(self) -> int:
        """The number, from 1, of the unfinished or next game."""
        return len(self.match.games) + 1

    def reload(self) -> None:
        """Read the match again from its file."""
        self.match = read_match(self.match.path)

    def log(self, campaign: str | None, *, now: datetime, dry_run: bool = False) -> LogResult:
        """Log a finished match in the campaign's notes. Raises InvalidError if it is not over."""
        if self.match.outcome is None:
            hint = f"Continue with: vaultkit resume {self.match.id}"
            raise InvalidError("This match is not over yet.", where=self.match.id, hint=hint)
        workspace = self.notes.workspace
        return record_game(
            self.result(now), workspace.vault, workspace.settings, campaign=campaign, now=now, dry_run=dry_run
        )

    def result(self, now: datetime) -> GameResult:
        """Return the result of the match as one game; each of its games has a row in the table and a sentence.

        `now` is the time at which the games' journals are opened.
        """
        match, header = self.match, self.match.header
        results = [self._game_result(game, now) for game in match.games]
        outcome = match.outcome
        assert outcome is not None, "a match that is not over has no result"
        minutes = [game_result.minutes for game_result in results if game_result.minutes is not None]
        return replace(
            results[0],
            session=match.id,
            date=header.started.date(),
            seats=header.seats,
            outcome=outcome,
            tables=(match.table(), match.standing()),
            scores=tuple(map(outcome.score, range(len(header.seats)))),
            options=changes(self.notes.game, header.options),
            seed=None if header.real_cards else header.seed,
            story=tuple(map(_game_sentence, count(1), results, match.games)),
            headline=None,
            tales=(),
            cards=tuple(dict.fromkeys(card for game_result in results for card in game_result.cards)),
            deeds={},
            moves=sum(game_result.moves for game_result in results),
            minutes=sum(minutes) if minutes else None,
            free_undos=sum(game_result.free_undos for game_result in results),
            journal="",
            match=match,
        )

    def _game_result(self, game: MatchGame, now: datetime) -> GameResult:
        with self.notes.resume(self._journal_path(game.session), lambda: now) as session:
            return from_session(session, self.notes.sources, self.notes.workspace.root)


def _game_sentence(number: int, result: GameResult, game: MatchGame) -> Sentence:
    """Return a sentence on one game of a match."""
    sentence = result.headline or result.outcome.reason
    words = f"Game {number}: {sentence.words.removesuffix('.')}."
    return replace(sentence, words=words, seats=tuple(game.seating[seat] for seat in sentence.seats))
