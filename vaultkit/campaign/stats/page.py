"""Statistics as a note tells them: names linked, and every word safe for the place where it goes."""

import posixpath
from collections.abc import Mapping, Sequence
from typing import Any

from vaultkit.campaign.stats import mermaid
from vaultkit.campaign.stats.cards import CardCount
from vaultkit.campaign.stats.games import GamePlayed
from vaultkit.campaign.stats.pairs import Pair
from vaultkit.campaign.stats.people import Best, Player, best_by_game
from vaultkit.campaign.stats.statistics import MOST_CARDS, MOST_PAIRS, Statistics
from vaultkit.campaign.stats.words import number, per_cent, seats
from vaultkit.vault.writing import marked
from vaultkit.vault.writing.escape import markdown
from vaultkit.vault.writing.linkstyle import Linker

NAME = "stats"
"""What stands in the markers."""
MOST_LEADERS, MOST_OPTIONS = 3, 5
_NONE = "–"


class StatsPage:
    """Statistics as seen from the note at the vault path `path`; `base` is the list that it embeds."""

    def __init__(self, statistics: Statistics, path: str, base: str, linker: Linker) -> None:
        self._statistics = statistics
        self._path = path
        self._base = base
        self._linker = linker

    def context(self) -> Mapping[str, object]:
        """What the note's template may use."""
        told = self._statistics
        days = sorted({day for game in told.games for day in game.days})
        embedded = self._linker.link(self._base, self._path)
        return {
            "begin": marked.begin(NAME),
            "end": marked.end(NAME),
            "sessions": told.sessions,
            "first": days[0].isoformat() if days else "",
            "last": days[-1].isoformat() if days else "",
            "base": f"!{embedded}" if embedded.startswith("[") else "",
            "players": [self._player(player) for player in told.players],
            "bests": self._bests(told.players),
            "games": [self._game(game) for game in told.games],
            "pairs": [self._pair(pair) for pair in told.pairs[:MOST_PAIRS]],
            "more_pairs": max(0, len(told.pairs) - MOST_PAIRS),
            "cards": [self._card(card) for card in told.cards[:MOST_CARDS]],
            "more_cards": max(0, len(told.cards) - MOST_CARDS),
            "wins_chart": mermaid.bars("Games won", "Games", [(one.name, one.won) for one in told.players]),
            "games_chart": mermaid.pie("Games played", [(game.title, game.sessions) for game in told.games]),
        }

    def _player(self, player: Player) -> dict[str, object]:
        return {
            "name": self._name(player.name, player.note),
            "games": player.games,
            "won": player.won,
            "together": player.together,
            "rate": per_cent(player.rate),
            "streak": player.streak,
            "longest": player.longest,
            "last": player.last.isoformat() if player.last else _NONE,
        }

    def _bests(self, players: Sequence[Player]) -> list[dict[str, Any]]:
        """The best scores in each game, the highest first."""
        return [
            {
                "game": markdown(best.title),
                "name": self._name(player.name, player.note),
                "score": number(best.score),
                "when": self._when(best),
            }
            for best, player in best_by_game(players)
        ]

    def _game(self, game: GamePlayed) -> dict[str, object]:
        outcomes = [(game.ending(kind), count) for kind, count in game.outcomes]
        leaders = [f"{self._name(one.name, one.note)} ({won})" for one, won in game.leaders[:MOST_LEADERS]]
        more = len(game.leaders) - len(leaders)
        best = game.best
        return {
            "title": markdown(game.title),
            "sessions": game.sessions,
            "together": game.together,
            "seats": seats(game.seats),
            "average": _NONE if game.average is None else number(round(game.average, 1)),
            "best": f"{number(best.score)}, {markdown(best.player)}, {self._when(best)}" if best else _NONE,
            "leaders": ", ".join([*leaders, *([f"{more} more"] if more else [])]) or _NONE,
            "outcomes": [(markdown(words), count) for words, count in outcomes],
            "options": [f"{markdown(option)} ({count})" for option, count in game.options[:MOST_OPTIONS]],
            "chart": mermaid.pie("How it ended", outcomes),
        }

    def _pair(self, pair: Pair) -> dict[str, object]:
        one, other = (self._name(name, note) for name, note in zip(pair.names, pair.notes, strict=True))
        counts = {"games": pair.games, "won": pair.won, "lost": pair.lost, "level": pair.level}
        return {"one": one, "other": other, **counts}

    def _card(self, counted: CardCount) -> dict[str, object]:
        card = counted.card
        link = self._linker.link(card.note, self._path, card.name, card.subpath, table=True) if card.note else ""
        where = ", ".join(f"{markdown(title)} ({games})" for title, games in counted.by_game)
        return {"link": link or markdown(card.name), "games": counted.games, "where": where}

    def _name(self, name: str, note: str) -> str:
        return self._linker.link(note, self._path, name, table=True) if note else markdown(name)

    def _when(self, best: Best) -> str:
        shown = best.date.isoformat() if best.date else posixpath.basename(best.note)[:-3]
        return self._linker.link(best.note, self._path, shown, table=True)
