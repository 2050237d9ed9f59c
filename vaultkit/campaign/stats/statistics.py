"""Statistics on the games of a vault: on players, games, pairs of players, and cards."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import combinations, groupby, islice
from operator import attrgetter

from vaultkit.campaign.logged_game import Participant
from vaultkit.campaign.stats.game_list import CardCount, CountedGame, count_cards
from vaultkit.games.registry import GAMES
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.text import group, name_key, name_sort_key


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people who played competitive games against each other.

    `won` counts games that only the first of them won, `lost` those that only the second won, `level` all others.
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
        """The keys of both players (`Participant.identity`)."""
        return frozenset(note or name_key(name) for name, note in zip(self.names, self.notes, strict=True))


def pairs_of(sessions: Sequence[CountedGame]) -> tuple[Pair, ...]:
    """Return all pairs of people who played against each other, the pairs with most games first.

    In a pair, the player with more wins is named first. Co-operative games and bots do not count.
    """
    rivals = (session.participants(bots=False) for session in sessions if not session.game.together)
    sorted_rivals = (sorted(seated, key=attrgetter("identity")) for seated in rivals)
    couples = (couple for seated in sorted_rivals for couple in combinations(seated, 2))
    meetings_by_pair = group(((first.identity, second.identity), (first, second)) for first, second in couples)
    pairs = map(_summarize_pair, meetings_by_pair.values())
    return tuple(sorted(pairs, key=lambda pair: (-pair.games, *map(name_sort_key, pair.names))))


def _summarize_pair(games: Sequence[tuple[Participant, Participant]]) -> Pair:
    """Return the record of two people, from all games in which both played."""
    wins = sum(first.won and not second.won for first, second in games)
    losses = sum(second.won and not first.won for first, second in games)
    first, second = games[-1]
    pair = Pair((first.name, second.name), (first.note, second.note), wins, losses, len(games) - wins - losses)
    is_ordered = (-pair.won, pair.names[0].casefold()) <= (-pair.lost, pair.names[1].casefold())
    return pair if is_ordered else reverse_pair(pair)


def reverse_pair(pair: Pair) -> Pair:
    """Return the pair with both players swapped."""
    return Pair(pair.names[::-1], pair.notes[::-1], pair.lost, pair.won, pair.level)


MAX_BEST_SCORES_PER_GAME = 5
"""The most scores of one game in a list of best scores."""


@dataclass(frozen=True, slots=True)
class BestScore:
    """The best score of a player or of a game. `note` is the vault path of the note of the game.

    `ranking_value` is higher for better scores of the game, since in some games the lowest score is best.
    """

    game: str
    title: str
    score: float
    player: str
    date: date | None
    note: str
    ranking_value: float


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """The record of one participant. `note` is a vault path, "" for a guest.

    `games` counts single games, also those of `matches`. `won` counts all wins, `together` the wins in co-operative
    games, `matches_won` the matches won. `streak` is the number of games won in a row up to the latest game, `longest`
    the longest such row ever. `alone` counts solo games that could not be lost, which are neither won nor lost.
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
        """The number of games that could be lost."""
        return self.games - self.alone

    @property
    def rate(self) -> float:
        """The share of games won, from 0 to 1, among games that could be lost; 0 without any."""
        return self.won / self.contests if self.contests else 0.0


def players_of(sessions: Sequence[CountedGame], bots: bool) -> tuple[PlayerRecord, ...]:
    """Return the records of all participants, most wins first; `sessions` are in order of play."""
    appearances = ((player, session) for session in sessions for player in session.participants(bots))
    by_player = group((player.identity, (player, session)) for player, session in appearances)
    records = list(map(_summarize_player, by_player.values()))
    records.sort(key=lambda record: (-record.won, -record.rate, -record.games, name_sort_key(record.name), record.note))
    return tuple(records)


def best_of(scored: Iterable[tuple[Participant, CountedGame]]) -> BestScore | None:
    """Return the best score, or None if there is no score; of equal scores the earliest."""
    bests = list[BestScore]()
    for player, session in scored:
        game, score = session.game, player.score
        if session.has_records and score is not None:
            rank = session.ranking_value(score)
            bests.append(BestScore(game.game, session.title, score, player.name, game.date, game.note, rank))
    return max(bests, key=attrgetter("ranking_value"), default=None)


def best_by_game(players: Sequence[PlayerRecord]) -> list[tuple[BestScore, PlayerRecord]]:
    """Return the best scores of each game with their players, at most MAX_BEST_SCORES_PER_GAME, sorted by title.

    No player has two scores in one game.
    """
    bests = [(best, player) for player in players for best in player.bests]
    bests.sort(key=lambda item: (name_sort_key(item[0].title), -item[0].ranking_value))
    by_game = groupby(bests, lambda item: item[0].title)
    return [item for _, game_bests in by_game for item in islice(game_bests, MAX_BEST_SCORES_PER_GAME)]


def _summarize_player(appearances: Sequence[tuple[Participant, CountedGame]]) -> PlayerRecord:
    """Return the record of one participant from their games and matches."""
    matches = [participant.won for participant, session in appearances if session.game.games]
    games = [game for participant, session in appearances for game in _own_games(participant, session)]
    latest, _ = games[-1]
    contests = [(participant, session) for participant, session in games if session.is_contest]
    results = [participant.won for participant, _ in contests]
    streaks = [(won, len(list(streak))) for won, streak in groupby(results)]
    return PlayerRecord(
        name=latest.name,
        note=latest.note,
        bot=latest.bot,
        games=len(games),
        won=sum(results),
        together=sum(participant.won and session.game.together for participant, session in contests),
        streak=streaks[-1][1] if streaks and streaks[-1][0] else 0,
        longest=max((length for won, length in streaks if won), default=0),
        bests=_find_best_scores(games),
        last=max((session.game.date for _, session in games if session.game.date), default=None),
        matches=len(matches),
        matches_won=sum(matches),
        alone=len(games) - len(contests),
    )


def _own_games(participant: Participant, session: CountedGame) -> Iterator[tuple[Participant, CountedGame]]:
    """Yield the participant's part in each game of a match, or in the only game."""
    for game in session.single_games:
        own_parts = (player for player in game.game.participants if player.identity == participant.identity)
        yield next(own_parts, participant), game


def _find_best_scores(games: Sequence[tuple[Participant, CountedGame]]) -> tuple[BestScore, ...]:
    """Return the best score in each game, sorted by title."""
    by_game = group((session.kind, (participant, session)) for participant, session in games)
    bests = filter(None, map(best_of, by_game.values()))
    return tuple(sorted(bests, key=lambda best: name_sort_key(best.title)))


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """All games of one title; games of `matches` count one by one. `id` is "" for an unknown game without a tag.

    `seats` are the fewest and most players, bots included. `outcomes` are kinds of outcomes with their numbers,
    `options` house rules with their numbers, `leaders` the players with most wins, with their numbers; each most
    frequent first. `days` are the days on which it was played, in order.
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
        """Return a kind of outcome in words, from the game's score sheet or rules."""
        if self.sheet:
            return self.sheet.ending(kind)
        info = GAMES.get(self.id)
        return info.rules().ending(kind) if info and info.game else kind.replace("-", " ").capitalize()


def games_of(sessions: Sequence[CountedGame], bots: bool) -> tuple[GamePlayed, ...]:
    """Return every game that was played, most frequent first; `sessions` are in order of play."""
    by_kind = group((session.kind, session) for session in sessions)
    games = [_summarize_game(games_of_kind, bots) for games_of_kind in by_kind.values()]
    return tuple(sorted(games, key=lambda game: (-game.sessions, name_sort_key(game.title))))


def _summarize_game(counted_games: Sequence[CountedGame], bots: bool) -> GamePlayed:
    """Return the statistics of one game, from all its sessions in order of play."""
    sessions = [game for session in counted_games for game in session.single_games]
    games = [session.game for session in sessions]
    scored = [(player, session) for session in sessions for player in session.participants(bots)]
    scores = [player.score for player, session in scored if player.score is not None and session.has_records]
    seats = [len(game.participants) for game in games if game.participants] or [0]
    players = [player for player in players_of(sessions, bots) if player.won]
    max_wins = max((player.won for player in players), default=0)
    return GamePlayed(
        id=games[-1].game,
        title=sessions[-1].title,
        sessions=len(games),
        together=sum(game.together for game in games),
        seats=(min(seats), max(seats)),
        outcomes=_count_by_frequency(session.outcome for session in sessions if session.outcome),
        options=_count_by_frequency(f"{key}={value}" for game in games for key, value in game.options.items()),
        average=sum(scores) / len(scores) if scores else None,
        best=best_of(scored),
        leaders=tuple((player, player.won) for player in players if player.won == max_wins),
        days=tuple(sorted({game.date for game in games if game.date})),
        sheet=sessions[-1].sheet,
        matches=sum(bool(session.game.games) for session in counted_games),
    )


def _count_by_frequency(words: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(words).items(), key=lambda item: (-item[1], item[0])))


MAX_PAIR_ROWS, MAX_CARD_ROWS = 15, 12
"""The most rows of pairs and of cards in the note and on the screen; JSON and piped output have all."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """All statistics on `sessions` games, some of which were played in `matches`."""

    sessions: int
    players: tuple[PlayerRecord, ...]
    games: tuple[GamePlayed, ...]
    pairs: tuple[Pair, ...]
    cards: tuple[CardCount, ...]
    matches: int = 0

    @classmethod
    def from_sessions(cls, sessions: Sequence[CountedGame], *, bots: bool = False) -> "Statistics":
        """Compute the statistics of sessions, which are in order of play; with `bots`, bots count as players."""
        games = [game for session in sessions for game in session.single_games]
        return cls(
            sessions=len(games),
            players=players_of(sessions, bots),
            games=games_of(sessions, bots),
            pairs=pairs_of(games),
            cards=count_cards((session.title, session.cards) for session in sessions),
            matches=sum(bool(session.game.games) for session in sessions),
        )

    def keep_pairs_of(self, players: frozenset[str]) -> "Statistics":
        """Keep only pairs that include one of `players`, given by identity; without players, keep all pairs."""
        return replace(self, pairs=tuple(pair for pair in self.pairs if not players or pair.identities & players))
