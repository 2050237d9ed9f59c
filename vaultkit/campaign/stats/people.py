"""What the games of each participant come to: wins, streaks, best scores."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, islice

from vaultkit.campaign.played import Participant
from vaultkit.campaign.stats.sessions import Session, identity

MOST_BESTS = 5
"""Scores of one game in a list of the best."""


@dataclass(frozen=True, slots=True)
class Best:
    """The highest score of a game: whose, when, and the vault path of the note that tells it."""

    game: str
    title: str
    score: float
    player: str
    date: date | None
    note: str


@dataclass(frozen=True, slots=True)
class Player:
    """One participant. `note` is a vault path, "" for a guest.

    `won` counts all wins, `together` those of them in co-operative games. `streak` is how many games were won in a row
    up to the last one, `longest` the most there ever were.
    """

    name: str
    note: str
    bot: bool
    games: int
    won: int
    together: int
    streak: int
    longest: int
    bests: tuple[Best, ...]
    last: date | None

    @property
    def rate(self) -> float:
        """The share of games won, of 1."""
        return self.won / self.games


def players_of(sessions: Sequence[Session], bots: bool) -> tuple[Player, ...]:
    """Everybody who played, who won most first. The sessions are in their order."""
    played: dict[str, list[tuple[Participant, Session]]] = {}
    for session in sessions:
        for one in session.seated(bots):
            played.setdefault(identity(one), []).append((one, session))
    found = [_player(games) for games in played.values()]
    return tuple(sorted(found, key=lambda one: (-one.won, -one.rate, -one.games, one.name.casefold(), one.note)))


def best_of(scored: Iterable[tuple[Participant, Session]]) -> Best | None:
    """The highest of the scores; of equal ones the earliest."""
    best: Best | None = None
    for one, session in scored:
        if one.score is not None and (best is None or one.score > best.score):
            game = session.game
            best = Best(game.game, session.title, one.score, one.name, game.date, game.note)
    return best


def best_by_game(players: Sequence[Player]) -> list[tuple[Best, Player]]:
    """The highest scores of each game, no two of one player and at most MOST_BESTS, the games by their titles."""
    found = [(best, player) for player in players for best in player.bests]
    found.sort(key=lambda item: (item[0].title.casefold(), -item[0].score))
    by_game = groupby(found, lambda item: item[0].title)
    return [item for _, of_game in by_game for item in islice(of_game, MOST_BESTS)]


def _player(games: Sequence[tuple[Participant, Session]]) -> Player:
    latest, _ = games[-1]
    results = [one.won for one, _ in games]
    runs = [(won, len(list(run))) for won, run in groupby(results)]
    return Player(
        name=latest.name,
        note=latest.note,
        bot=latest.bot,
        games=len(games),
        won=sum(results),
        together=sum(one.won and session.game.together for one, session in games),
        streak=runs[-1][1] if runs[-1][0] else 0,
        longest=max((length for won, length in runs if won), default=0),
        bests=_bests(games),
        last=max((session.game.date for _, session in games if session.game.date), default=None),
    )


def _bests(games: Sequence[tuple[Participant, Session]]) -> tuple[Best, ...]:
    """The best score in each game, by the games' titles."""
    by_game: dict[str, list[tuple[Participant, Session]]] = {}
    for one, session in games:
        by_game.setdefault(session.kind, []).append((one, session))
    found = filter(None, map(best_of, by_game.values()))
    return tuple(sorted(found, key=lambda best: best.title.casefold()))
