"""Everything that the games of a vault come to, as one value; and which of the games are meant."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import combinations, groupby, islice
from operator import attrgetter

from vaultkit.campaign.played import Participant
from vaultkit.campaign.stats.game_list import CardCount, CountedGame, count_cards
from vaultkit.games.registry import GAMES
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.grouping import group
from vaultkit.sorting import name_key, name_order


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people in the same competitive games: `won` by the one alone, `lost` to the other alone, `level` otherwise.

    `notes` are vault paths, "" for guests.
    """

    names: tuple[str, str]
    notes: tuple[str, str]
    won: int
    lost: int
    level: int

    @property
    def games(self) -> int:
        return self.won + self.lost + self.level

    @property
    def identities(self) -> frozenset[str]:
        """The keys of the two (`Participant.identity`)."""
        return frozenset(note or name_key(name) for name, note in zip(self.names, self.notes, strict=True))


def pairs_of(sessions: Sequence[CountedGame]) -> tuple[Pair, ...]:
    """Every two people who played against each other, those who met most first.

    Who has won more of the two is named first. Co-operative games and bots do not count.
    """
    rivals = (session.participants(bots=False) for session in sessions if not session.game.together)
    in_order = (sorted(seated, key=attrgetter("identity")) for seated in rivals)
    couples = (couple for seated in in_order for couple in combinations(seated, 2))
    met = group(((one.identity, other.identity), (one, other)) for one, other in couples)
    return tuple(sorted(map(_pair, met.values()), key=lambda pair: (-pair.games, *map(name_order, pair.names))))


def _pair(games: Sequence[tuple[Participant, Participant]]) -> Pair:
    won = sum(one.won and not other.won for one, other in games)
    lost = sum(other.won and not one.won for one, other in games)
    one, other = games[-1]
    pair = Pair((one.name, other.name), (one.note, other.note), won, lost, len(games) - won - lost)
    in_order = (-pair.won, pair.names[0].casefold()) <= (-pair.lost, pair.names[1].casefold())
    return pair if in_order else reverse(pair)


def reverse(pair: Pair) -> Pair:
    """The same as the other of the two tells it."""
    return Pair(pair.names[::-1], pair.notes[::-1], pair.lost, pair.won, pair.level)


MOST_BESTS = 5
"""Scores of one game in a list of the best."""


@dataclass(frozen=True, slots=True)
class BestScore:
    """The best score of a game: whose, when, and the vault path of the note that tells it.

    `worth` is how good it is among others of the game: in some the lowest score is best.
    """

    game: str
    title: str
    score: float
    player: str
    date: date | None
    note: str
    worth: float


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """One participant. `note` is a vault path, "" for a guest.

    `won` counts all wins, `together` those of them in co-operative games. `streak` is how many games were won in a row
    up to the last one, `longest` the most there ever were. Games of `matches` count as games; `matches_won` is how many
    of these were won. `alone` counts games by oneself that could not be lost: they are neither won nor lost.
    """

    name: str
    note: str
    bot: bool
    games: int
    won: int
    together: int
    streak: int
    longest: int
    bests: tuple[BestScore, ...]
    last: date | None
    matches: int = 0
    matches_won: int = 0
    alone: int = 0

    @property
    def contests(self) -> int:
        """How many games could be lost."""
        return self.games - self.alone

    @property
    def rate(self) -> float:
        """The share of games won, of 1, among those that could be lost; 0 without any."""
        return self.won / self.contests if self.contests else 0.0


def players_of(sessions: Sequence[CountedGame], bots: bool) -> tuple[PlayerRecord, ...]:
    """Everybody who played, who won most first. The sessions are in their order."""
    took_part = ((one, session) for session in sessions for one in session.participants(bots))
    found = [_player(games) for games in group((one.identity, (one, session)) for one, session in took_part).values()]
    return tuple(sorted(found, key=lambda one: (-one.won, -one.rate, -one.games, name_order(one.name), one.note)))


def best_of(scored: Iterable[tuple[Participant, CountedGame]]) -> BestScore | None:
    """The best of the scores; of equal ones the earliest."""
    scores = ((one, session, one.score) for one, session in scored if session.has_records)
    found = [_score(one, session, score) for one, session, score in scores if score is not None]
    return max(found, key=attrgetter("worth"), default=None)


def _score(one: Participant, session: CountedGame, score: float) -> BestScore:
    game = session.game
    return BestScore(game.game, session.title, score, one.name, game.date, game.note, session.worth(score))


def best_by_game(players: Sequence[PlayerRecord]) -> list[tuple[BestScore, PlayerRecord]]:
    """The best scores of each game, no two of one player and at most MOST_BESTS, the games by their titles."""
    found = [(best, player) for player in players for best in player.bests]
    found.sort(key=lambda item: (name_order(item[0].title), -item[0].worth))
    by_game = groupby(found, lambda item: item[0].title)
    return [item for _, of_game in by_game for item in islice(of_game, MOST_BESTS)]


def _player(taken: Sequence[tuple[Participant, CountedGame]]) -> PlayerRecord:
    """The record of one who took part in games and matches."""
    matches = [one.won for one, session in taken if session.game.games]
    games = [(own, game) for one, session in taken for own, game in _own_games(one, session)]
    latest, _ = games[-1]
    contests = [(one, session) for one, session in games if session.is_contest]
    results = [one.won for one, _ in contests]
    runs = [(won, len(list(run))) for won, run in groupby(results)]
    return PlayerRecord(
        name=latest.name,
        note=latest.note,
        bot=latest.bot,
        games=len(games),
        won=sum(results),
        together=sum(one.won and session.game.together for one, session in contests),
        streak=runs[-1][1] if runs and runs[-1][0] else 0,
        longest=max((length for won, length in runs if won), default=0),
        bests=_bests(games),
        last=max((session.game.date for _, session in games if session.game.date), default=None),
        matches=len(matches),
        matches_won=sum(matches),
        alone=len(games) - len(contests),
    )


def _own_games(one: Participant, session: CountedGame) -> Iterator[tuple[Participant, CountedGame]]:
    """The part that somebody had in each game of a match, or in the one game."""
    for game in session.single_games:
        own = next((other for other in game.game.participants if other.identity == one.identity), one)
        yield own, game


def _bests(games: Sequence[tuple[Participant, CountedGame]]) -> tuple[BestScore, ...]:
    """The best score in each game, by the games' titles."""
    by_game = group((session.kind, (one, session)) for one, session in games)
    found = filter(None, map(best_of, by_game.values()))
    return tuple(sorted(found, key=lambda best: name_order(best.title)))


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """All games of one title, those of `matches` one by one. `id` is "" for a game that is none of ours and has no tag.

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
    best: BestScore | None
    leaders: tuple[tuple[PlayerRecord, int], ...]
    days: tuple[date, ...]
    sheet: ScoreSheet | None = None
    matches: int = 0

    def ending(self, kind: str) -> str:
        """A kind of outcome in words, those of the game's rules or of its score sheet."""
        if self.sheet:
            return self.sheet.ending(kind)
        info = GAMES.get(self.id)
        return info.rules().ending(kind) if info and info.game else kind.replace("-", " ").capitalize()


def games_of(sessions: Sequence[CountedGame], bots: bool) -> tuple[GamePlayed, ...]:
    """Every game that was played, the most frequent first. The sessions are in their order."""
    found = [_game(played, bots) for played in group((session.kind, session) for session in sessions).values()]
    return tuple(sorted(found, key=lambda game: (-game.sessions, name_order(game.title))))


def _game(noted: Sequence[CountedGame], bots: bool) -> GamePlayed:
    sessions = [game for session in noted for game in session.single_games]
    games = [session.game for session in sessions]
    scored = [(one, session) for session in sessions for one in session.participants(bots)]
    scores = [one.score for one, session in scored if one.score is not None and session.has_records]
    seats = [len(game.participants) for game in games if game.participants] or [0]
    players = [player for player in players_of(sessions, bots) if player.won]
    most = max((player.won for player in players), default=0)
    return GamePlayed(
        id=games[-1].game,
        title=sessions[-1].title,
        sessions=len(games),
        together=sum(game.together for game in games),
        seats=(min(seats), max(seats)),
        outcomes=_frequent(session.outcome for session in sessions if session.outcome),
        options=_frequent(f"{key}={value}" for game in games for key, value in game.options.items()),
        average=sum(scores) / len(scores) if scores else None,
        best=best_of(scored),
        leaders=tuple((player, player.won) for player in players if player.won == most),
        days=tuple(sorted({game.date for game in games if game.date})),
        sheet=sessions[-1].sheet,
        matches=sum(bool(session.game.games) for session in noted),
    )


def _frequent(words: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(words).items(), key=lambda item: (-item[1], item[0])))


MOST_PAIRS, MOST_CARDS = 15, 12
"""Rows of these in the note and on the screen; JSON and a pipe have them all."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """All that is told of `sessions` games, of which some were played in `matches`."""

    sessions: int
    players: tuple[PlayerRecord, ...]
    games: tuple[GamePlayed, ...]
    pairs: tuple[Pair, ...]
    cards: tuple[CardCount, ...]
    matches: int = 0

    @classmethod
    def of(cls, sessions: Sequence[CountedGame], *, bots: bool = False) -> "Statistics":
        """The statistics of sessions, which are in their order; with `bots` they count as players."""
        games = [game for session in sessions for game in session.single_games]
        return cls(
            sessions=len(games),
            players=players_of(sessions, bots),
            games=games_of(sessions, bots),
            pairs=pairs_of(games),
            cards=count_cards((session.title, session.cards) for session in sessions),
            matches=sum(bool(session.game.games) for session in sessions),
        )

    def about(self, players: frozenset[str]) -> "Statistics":
        """With no pairs but those that one of `players` (`identity`) belongs to; with all if there are none."""
        return replace(self, pairs=tuple(pair for pair in self.pairs if not players or pair.identities & players))
