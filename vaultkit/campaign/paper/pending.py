"""Games that are finished and have no note yet: journals of those played here, and scores kept from paper."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vaultkit.campaign.paper.saved import saved_tallies
from vaultkit.campaign.played import played_games
from vaultkit.session.store import Store
from vaultkit.vault import Vault


@dataclass(frozen=True, slots=True)
class Pending:
    """A game without a note, and the command that logs it."""

    session: str
    game: str
    date: str
    players: tuple[str, ...]

    @property
    def command(self) -> str:
        return f"vaultkit log --session {self.session}"


def pending(vault: Vault, journals: Path) -> tuple[Pending, ...]:
    """Every game that could be logged and is not, the last one first."""
    logged = {game.session for game in played_games(vault)}
    found = [one for one in (*_played(journals), *_kept(journals)) if one.session not in logged]
    return tuple(sorted(found, key=lambda one: (one.date, one.session), reverse=True))


def _played(journals: Path) -> Iterator[Pending]:
    for saved in Store(journals).saved():
        if saved.contents and saved.standing == "finished":
            header = saved.contents.header
            names = tuple(seat.name for seat in header.seats)
            yield Pending(saved.id, header.game, header.started.date().isoformat(), names)


def _kept(journals: Path) -> Iterator[Pending]:
    for saved in saved_tallies(journals):
        if saved.paper:
            yield Pending(saved.id, saved.paper.game, saved.paper.date.isoformat(), saved.paper.names)
