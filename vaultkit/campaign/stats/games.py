"""What the sessions of each game come to: who sits there, how it ends, what is scored, and who leads."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from vaultkit.campaign.stats.people import Best, Player, best_of, players_of
from vaultkit.campaign.stats.sessions import Session
from vaultkit.games.registry import GAMES


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """All sessions of one game. `id` is "" for a game that is none of ours and has no tag.

    `seats` are the fewest and most at the table, bots included. `outcomes` are kinds with how often, `options` house
    rules with how often, `leaders` those who won most, with how often; each the most frequent first. `days` are
    those on which it was played, in order.
    """

    id: str
    title: str
    sessions: int
    together: int
    seats: tuple[int, int]
    outcomes: tuple[tuple[str, int], ...]
    options: tuple[tuple[str, int], ...]
    average: float | None
    best: Best | None
    leaders: tuple[tuple[Player, int], ...]
    days: tuple[date, ...]

    def ending(self, kind: str) -> str:
        """What a kind of outcome means, in words."""
        return _ending(self.id, kind)


def games_of(sessions: Sequence[Session], bots: bool) -> tuple[GamePlayed, ...]:
    """Every game that was played, the most frequent first. The sessions are in their order."""
    by_game: dict[str, list[Session]] = {}
    for session in sessions:
        by_game.setdefault(session.kind, []).append(session)
    found = [_game(played, bots) for played in by_game.values()]
    return tuple(sorted(found, key=lambda game: (-game.sessions, game.title.casefold())))


def _game(sessions: Sequence[Session], bots: bool) -> GamePlayed:
    games = [session.game for session in sessions]
    scored = [(one, session) for session in sessions for one in session.seated(bots)]
    scores = [one.score for one, _ in scored if one.score is not None]
    seats = [len(game.participants) for game in games if game.participants] or [0]
    players = [player for player in players_of(sessions, bots) if player.won]
    most = max((player.won for player in players), default=0)
    return GamePlayed(
        id=games[-1].game,
        title=sessions[-1].title,
        sessions=len(games),
        together=sum(game.together for game in games),
        seats=(min(seats), max(seats)),
        outcomes=_frequent(game.outcome for game in games if game.outcome),
        options=_frequent(f"{key}={value}" for game in games for key, value in game.options.items()),
        average=sum(scores) / len(scores) if scores else None,
        best=best_of(scored),
        leaders=tuple((player, player.won) for player in players if player.won == most),
        days=tuple(sorted({game.date for game in games if game.date})),
    )


def _frequent(words: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(words).items(), key=lambda item: (-item[1], item[0])))


def _ending(game: str, kind: str) -> str:
    if game in GAMES:
        return GAMES[game].rules().ending(kind)
    return kind.replace("-", " ").capitalize()
