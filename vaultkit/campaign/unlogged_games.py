"""Finished games that are not logged, or not completely: played here, or with scores saved from paper."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Literal

from vaultkit.campaign.dates import spoken_day
from vaultkit.campaign.played import played_games
from vaultkit.campaign.saved_games import saved_games
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.vault import Vault
from vaultkit.vault.writing.history import History
from vaultkit.vault.writing.settling import cut_off

Standing = Literal["not logged", "cut off", "taken back", "note deleted"]


@dataclass(frozen=True, slots=True)
class Pending:
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
        return f"{sheets.title(self.game)}, {spoken_day(date.fromisoformat(self.date))}"

    @property
    def is_due(self) -> bool:
        """Whether nobody has decided against logging it."""
        return self.standing in ("not logged", "cut off")


def pending(vault: Vault, journals: Path) -> tuple[Pending, ...]:
    """Return every game that could be logged and is not, the latest first."""
    begun = {entry.session for entry in cut_off(vault) if entry.command == "log"}
    logged = {game.session.casefold() for game in played_games(vault)} - begun
    found = [one for one in _finished(journals) if one.session not in logged]
    once = _once_logged(vault) if found else {}
    standings: dict[str, Standing] = {**once, **dict.fromkeys(begun, "cut off")}
    told = [replace(one, standing=standings.get(one.session, one.standing)) for one in found]
    return tuple(sorted(told, key=lambda one: (one.date, one.session), reverse=True))


def _finished(journals: Path) -> Iterator[Pending]:
    for one in saved_games(journals):
        if one.game and one.started and one.standing in ("finished", "recorded"):
            yield Pending(one.session, one.game, one.started[:10], one.seats)


def _once_logged(vault: Vault) -> dict[str, Standing]:
    """Return the games that were logged according to the history, as taken back or with their note deleted."""
    found: dict[str, Standing] = {}
    for entry in History(vault).entries():  # newest first: the first entry of a session counts
        if entry.command == "log" and entry.session and entry.complete and entry.happened:
            found.setdefault(entry.session, "taken back" if "undone" in entry.state else "note deleted")
    return found
