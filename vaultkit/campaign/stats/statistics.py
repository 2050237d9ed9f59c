"""Everything that the games of a vault come to, as one value; and which of the games are meant."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from vaultkit.campaign.players import folded
from vaultkit.campaign.stats.cards import CardCount, counted
from vaultkit.campaign.stats.games import GamePlayed, games_of
from vaultkit.campaign.stats.pairs import Pair, pairs_of
from vaultkit.campaign.stats.people import Player, players_of
from vaultkit.campaign.stats.sessions import Session, identity

MOST_PAIRS, MOST_CARDS = 15, 12
"""Rows of these in the note and on the screen; JSON and a pipe have them all."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """All that is told of `sessions` games."""

    sessions: int
    players: tuple[Player, ...]
    games: tuple[GamePlayed, ...]
    pairs: tuple[Pair, ...]
    cards: tuple[CardCount, ...]

    @classmethod
    def of(cls, sessions: Sequence[Session], *, bots: bool = False) -> "Statistics":
        """The statistics of sessions, which are in their order; with `bots` they count as players."""
        return cls(
            sessions=len(sessions),
            players=players_of(sessions, bots),
            games=games_of(sessions, bots),
            pairs=pairs_of(sessions),
            cards=counted((session.title, session.cards) for session in sessions),
        )

    def about(self, players: frozenset[str]) -> "Statistics":
        """With no pairs but those that one of `players` (`identity`) belongs to; with all if there are none."""
        return replace(self, pairs=tuple(pair for pair in self.pairs if not players or pair.identities & players))


@dataclass(frozen=True, slots=True)
class Selection:
    """Which games are meant: one of `kinds` (`Session.kind`), with all `players` (`identity`), between two days.

    Empty and None leave out nothing; both days belong to it. A game without a date lies between no days.
    """

    kinds: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()
    since: date | None = None
    until: date | None = None

    def __bool__(self) -> bool:
        return bool(self.kinds or self.players or self.since or self.until)

    def of(self, sessions: Sequence[Session]) -> tuple[Session, ...]:
        """Those of the sessions that are meant."""
        return tuple(filter(self._holds, sessions))

    def _holds(self, session: Session) -> bool:
        there = {identity(one) for one in session.game.participants}
        of_kind = not self.kinds or session.kind in self.kinds
        return of_kind and self.players <= there and self._in_time(session.game.date)

    def _in_time(self, day: date | None) -> bool:
        if day is None:
            return self.since is None and self.until is None
        return (self.since is None or day >= self.since) and (self.until is None or day <= self.until)


def players_named(sessions: Sequence[Session], name: str, note: str) -> frozenset[str]:
    """The identities of participants that `name` means: by the vault path of their note, or as they are written."""
    there = {identity(one): one for session in sessions for one in session.game.participants}
    if note in there:
        return frozenset({note})
    return frozenset(key for key, one in there.items() if folded(one.name) == folded(name))
