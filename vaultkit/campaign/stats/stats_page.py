"""Statistics formatted for a note: names are linked, and all text is escaped for its place."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from vaultkit.campaign.stats.game_list import CardCount
from vaultkit.campaign.stats.statistics import (
    MOST_CARDS,
    MOST_PAIRS,
    BestScore,
    GamePlayed,
    Pair,
    PlayerRecord,
    Statistics,
    best_by_game,
)
from vaultkit.vault.facts import name_of
from vaultkit.vault.writing import marked
from vaultkit.vault.writing.escape import clean, markdown
from vaultkit.vault.writing.linkstyle import Linker

NAME = "stats"
"""The name of the region between the note's markers."""
MOST_LEADERS, MOST_OPTIONS = 3, 5
_NONE = "–"


class StatsPage:
    """Statistics formatted for the note at the vault path `path`; `base` is the path of the list that it embeds."""

    def __init__(self, statistics: Statistics, path: str, base: str, linker: Linker) -> None:
        self._statistics = statistics
        self._path = path
        self._base = base
        self._linker = linker

    def context(self) -> Mapping[str, object]:
        """Return the values that the note's template may use."""
        statistics = self._statistics
        days = sorted({day for game in statistics.games for day in game.days})
        embedded = self._linker.link(self._base, self._path)
        return {
            "begin": marked.begin(NAME),
            "end": marked.end(NAME),
            "sessions": statistics.sessions,
            "matches": statistics.matches,
            "first": days[0].isoformat() if days else "",
            "last": days[-1].isoformat() if days else "",
            "base": f"!{embedded}" if embedded.startswith("[") else "",
            "players": [self._player(player) for player in statistics.players],
            "bests": self._bests(statistics.players),
            "games": [self._game(game) for game in statistics.games],
            "pairs": [self._pair(pair) for pair in statistics.pairs[:MOST_PAIRS]],
            "more_pairs": max(0, len(statistics.pairs) - MOST_PAIRS),
            "cards": [self._card(card) for card in statistics.cards[:MOST_CARDS]],
            "more_cards": max(0, len(statistics.cards) - MOST_CARDS),
            "wins_chart": bars("Games won", "Games", [(one.name, one.won) for one in statistics.players]),
            "games_chart": pie("Games played", [(game.title, game.sessions) for game in statistics.games]),
        }

    def _player(self, player: PlayerRecord) -> dict[str, object]:
        return {
            "name": self._name(player.name, player.note),
            **{
                count: getattr(player, count)
                for count in ("games", "won", "together", "streak", "longest", "matches", "matches_won")
            },
            "rate": win_rate(player),
            "last": player.last.isoformat() if player.last else _NONE,
        }

    def _bests(self, players: Sequence[PlayerRecord]) -> list[dict[str, Any]]:
        """Return the best scores in each game, the best first."""
        return [
            {
                "game": markdown(best.title),
                "name": self._name(player.name, player.note),
                "score": score_text(best.score),
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
            "matches": game.matches,
            "together": game.together,
            "seats": seats(game.seats),
            "average": _NONE if game.average is None else score_text(round(game.average, 1)),
            "best": f"{score_text(best.score)}, {markdown(best.player)}, {self._when(best)}" if best else _NONE,
            "leaders": ", ".join([*leaders, *([f"{more} more"] if more else [])]) or _NONE,
            "outcomes": [(markdown(words), count) for words, count in outcomes],
            "options": [f"{markdown(option)} ({count})" for option, count in game.options[:MOST_OPTIONS]],
            "chart": pie("How it ended", outcomes),
        }

    def _pair(self, pair: Pair) -> dict[str, object]:
        one, other = (self._name(name, note) for name, note in zip(pair.names, pair.notes, strict=True))
        counts = {"games": pair.games, "won": pair.won, "lost": pair.lost, "level": pair.level}
        return {"one": one, "other": other, **counts}

    def _card(self, counted: CardCount) -> dict[str, object]:
        card = counted.card
        link = self._linker.link(card.note, self._path, card.name, card.subpath, table=True)
        where = ", ".join(f"{markdown(title)} ({games})" for title, games in counted.by_game)
        return {"link": link, "games": counted.games, "where": where}

    def _name(self, name: str, note: str) -> str:
        return self._linker.link(note, self._path, name, table=True)

    def _when(self, best: BestScore) -> str:
        shown = best.date.isoformat() if best.date else name_of(best.note)
        return self._linker.link(best.note, self._path, shown, table=True)


LONGEST = 24
"""The most characters of a name beside a bar; longer names would leave no room for the bar."""
MOST_BARS = 12
_INSTEAD = str.maketrans({'"': "”", "`": "'", "\\": "/", ";": ",", "#": "＃", "<": "‹", ">": "›", "{": "(", "}": ")"})
"""Characters that would end a text, begin another kind of text, or be read as an entity, a tag or a directive."""


def mermaid_text(text: str, most: int = LONGEST) -> str:
    """Return any text as a quoted text for Mermaid, cut to `limit` characters; "?" if empty, which Mermaid rejects."""
    safe = clean(clean(text).translate(_INSTEAD)).replace("%%", "% %").replace("%%", "% %")
    shown = safe if len(safe) <= most else f"{safe[: most - 1].rstrip()}…"
    return f'"{shown or "?"}"'


def bars(title: str, axis: str, values: Sequence[tuple[str, int]]) -> str:
    """Return a bar chart of counts, the first value on top; "" if there are fewer than two values or all are 0."""
    shown = values[:MOST_BARS]
    highest = max((count for _, count in shown), default=0)
    if len(shown) < 2 or highest == 0:
        return ""
    names = ", ".join(mermaid_text(name) for name, _ in _distinct(shown))
    return _fenced(
        "xychart-beta horizontal",
        f"title {mermaid_text(title, 60)}",
        f"x-axis [{names}]",
        f"y-axis {mermaid_text(axis, 60)} 0 --> {ceil(highest)}",
        f"bar [{', '.join(str(count) for _, count in shown)}]",
    )


def pie(title: str, values: Sequence[tuple[str, int]]) -> str:
    """Return a pie chart of counts above 0; "" if there are fewer than two."""
    shown = [(name, count) for name, count in values if count > 0]
    if len(shown) < 2:
        return ""
    # the title stands without quotes, up to the end of its line
    heading = mermaid_text(title, 60).strip('"')
    slices = (f"{mermaid_text(name, 40)} : {count}" for name, count in _distinct(shown, 40))
    return _fenced("pie showData", f"title {heading}", *slices)


def _distinct(values: Sequence[tuple[str, int]], most: int = LONGEST) -> list[tuple[str, int]]:
    """Number names that look alike once quoted, since Mermaid merges equal names."""
    seen: dict[str, int] = {}
    found: list[tuple[str, int]] = []
    for name, count in values:
        shown = mermaid_text(name, most)
        seen[shown] = seen.get(shown, 0) + 1
        found.append((f"{seen[shown]}. {name}" if seen[shown] > 1 else name, count))
    return found


def _fenced(first: str, *lines: str) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"```mermaid\n{first}\n{body}\n```"


def per_cent(share: float) -> str:
    """Return a share as a percentage, `42 %` for 0.42; only 0 and 1 become `0 %` and `100 %`."""
    rounded = round(100 * share)
    if rounded in {0, 100} and share not in {0, 1}:
        rounded = 1 if rounded == 0 else 99
    return f"{rounded} %"


def win_rate(player: PlayerRecord) -> str:
    """Return the share of games won, a dash for a player without games that could be lost."""
    return per_cent(player.rate) if player.contests else _NONE


def score_text(value: float) -> str:
    """Return a score without a trailing `.0`."""
    return str(int(value)) if value == int(value) else str(value)


def seats(fewest_and_most: tuple[int, int]) -> str:
    """Return a range of seats, `2 to 4`, or `3` if both numbers are equal."""
    fewest, most = fewest_and_most
    return str(most) if fewest == most else f"{fewest} to {most}"
