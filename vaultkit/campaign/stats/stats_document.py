"""Statistics as values for one JSON document."""

from collections.abc import Iterable, Iterator
from typing import Any

from vaultkit.campaign.stats.game_list import CardCount, CountedGame
from vaultkit.campaign.stats.statistics import BestScore, GamePlayed, Pair, PlayerRecord, Statistics
from vaultkit.campaign.stats.stats_page import score_text


def stats_document(statistics: Statistics) -> dict[str, Any]:
    """Return statistics as `{players[], games[], pairs[], cards[]}`.

    Rates are shares from 0 to 1, days `YYYY-MM-DD`, notes vault paths or null.
    """
    return {
        "players": list(map(_player_document, statistics.players)),
        "games": list(map(_game_document, statistics.games)),
        "pairs": list(map(_pair_document, statistics.pairs)),
        "cards": list(map(_card_document, statistics.cards)),
    }


PLAY_COLUMNS = ("date", "game", "title", "player", "bot", "won", "score", "outcome", "session", "note")
"""The columns of a table of plays, which has a row for each player of each game."""


def play_rows(sessions: Iterable[CountedGame], *, bots: bool) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a table of plays, games of a match one by one; bots only with `bots`."""
    for session in sessions:
        for game in session.game.single_games:
            first_cells = game.date or session.game.date or "", game.game, session.title
            last_cells = game.outcome, session.game.session, session.game.note
            for player in game.participants:
                if bots or not player.bot:
                    score = "" if player.score is None else score_text(player.score)
                    flags = ("yes" if flag else "no" for flag in (player.bot, player.won))
                    yield *first_cells, player.name, *flags, score, *last_cells


def _player_document(player: PlayerRecord) -> dict[str, Any]:
    return {
        "name": player.name,
        "note": player.note or None,
        "bot": player.bot,
        "games": player.games,
        "wins": player.won,
        "wins_together": player.together,
        "win_rate": round(player.rate, 4) if player.contests else None,
        "streak": player.streak,
        "longest_streak": player.longest,
        "best": list(map(_best_score_document, player.bests)),
        "last": player.last.isoformat() if player.last else None,
        "matches": player.matches,
        "matches_won": player.matches_won,
    }


def _best_score_document(best: BestScore) -> dict[str, Any]:
    day = best.date.isoformat() if best.date else None
    return {"game": best.game or None, "title": best.title, "score": best.score, "date": day, "note": best.note}


def _game_document(game: GamePlayed) -> dict[str, Any]:
    leaders = [{"name": player.name, "note": player.note or None, "wins": wins} for player, wins in game.leaders]
    return {
        "id": game.id or None,
        "title": game.title,
        "sessions": game.sessions,
        "together": game.together,
        "seats": list(game.seats),
        "outcomes": dict(game.outcomes),
        "options": dict(game.options),
        "average_score": None if game.average is None else round(game.average, 2),
        "best": {"player": game.best.player, **_best_score_document(game.best)} if game.best else None,
        "leaders": leaders,
        "last": game.days[-1].isoformat() if game.days else None,
        "matches": game.matches,
    }


def _pair_document(pair: Pair) -> dict[str, Any]:
    notes, wins = [note or None for note in pair.notes], [pair.won, pair.lost]
    return {"players": list(pair.names), "notes": notes, "games": pair.games, "wins": wins, "level": pair.level}


def _card_document(counted: CardCount) -> dict[str, Any]:
    card, by_game = counted.card, dict(counted.by_game)
    card_values = {"card": card.name, "note": card.note or None, "heading": card.subpath or None}
    return {**card_values, "games": counted.games, "by_game": by_game}
