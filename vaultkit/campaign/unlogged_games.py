"""Finished games that are not logged, or not completely: played in vaultkit, or with scores recorded from paper."""

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Literal

from vaultkit.campaign.dates import format_day
from vaultkit.campaign.logged_game import played_games
from vaultkit.campaign.saved_games import saved_games
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.vault import Vault
from vaultkit.vault.writing.crash_recovery import find_interrupted_entries
from vaultkit.vault.writing.history import History

Standing = Literal["not logged", "cut off", "taken back", "note deleted"]


@dataclass(frozen=True, slots=True)
class UnloggedGame:
    """A game that lacks its note or its line in the campaign's log, and the command that logs it.

    One that is "taken back", or that has its "note deleted", was logged once, and somebody removed that on purpose.
    """

    session: str
    game: str
    date: str
    players: tuple[str, ...]
    standing: Standing = "not logged"

    @property
    def command(self) -> str:
        return f"vaultkit log --session {self.session}"

    def title(self, sheets: ScoreSheets) -> str:
        """Return the game and its day: `Dragon Citadel, 14 November 2026`."""
        return f"{sheets.title(self.game)}, {format_day(date.fromisoformat(self.date))}"

    @property
    def is_due(self) -> bool:
        """Whether nobody has decided against logging it."""
        return self.standing in ("not logged", "cut off")


def find_unlogged_games(vault: Vault, journals: Path) -> tuple[UnloggedGame, ...]:
    """Return every game that could be logged and is not, the latest first."""
    cut_off_sessions = {entry.session for entry in find_interrupted_entries(vault) if entry.command == "log"}
    logged_sessions = {game.session.casefold() for game in played_games(vault)} - cut_off_sessions
    candidates = [
        UnloggedGame(game.session, game.game, game.started[:10], game.seats)
        for game in saved_games(journals)
        if game.game and game.started and game.standing in ("finished", "recorded")
        if game.session not in logged_sessions
    ]
    previous_standings = _previously_logged(vault) if candidates else {}
    standings: dict[str, Standing] = {**previous_standings, **dict.fromkeys(cut_off_sessions, "cut off")}
    games = [replace(game, standing=standings.get(game.session, game.standing)) for game in candidates]
    return tuple(sorted(games, key=lambda game: (game.date, game.session), reverse=True))


def _previously_logged(vault: Vault) -> dict[str, Standing]:
    """Return, by session, why a game that the history says was logged has no note: taken back, or note deleted."""
    standings: dict[str, Standing] = {}
    for entry in History(vault).entries():  # newest first: the first entry of a session counts
        if entry.command == "log" and entry.session and entry.complete and entry.has_done_writes:
            standings.setdefault(entry.session, "taken back" if "undone" in entry.state else "note deleted")
    return standings
