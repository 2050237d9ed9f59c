"""Statistics formatted for a note: names are linked, and all text is escaped for its place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from vaultkit.campaign.stats.game_list import CardCount
from vaultkit.campaign.stats.statistics import (
    MAX_CARD_ROWS,
    MAX_PAIR_ROWS,
    BestScore,
    GamePlayed,
    Pair,
    PlayerRecord,
    Statistics,
    best_by_game,
)
from vaultkit.compendium.words import ENGLISH, VaultWords
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.writing import marked_region
from vaultkit.vault.writing.escape import clean_line, escape_markdown
from vaultkit.vault.writing.link_style import Linker

NAME = "stats"
"""The name of the region between the note's markers."""
MAX_LEADERS, MAX_OPTIONS = 3, 5
_NONE = "–"
_COUNTS = ("games", "won", "together", "streak", "longest", "matches", "matches_won")
"""The numbers of a player that the template may use as they are."""


@dataclass(frozen=True)
class StatsPage:
    """Statistics formatted for the note at the vault path `path`; `base` is the path of the list that it embeds."""

    statistics: Statistics
    path: str
    base: str
    linker: Linker
    words: VaultWords = ENGLISH

    def context(self) -> Mapping[str, object]:
        """Return the values that the note's template may use."""
        statistics, words = self.statistics, self.words
        days = sorted({day for game in statistics.games for day in game.days})
        embedded = self.linker.link(self.base, self.path)
        return {
            "begin": marked_region.begin_marker(NAME),
            "end": marked_region.end_marker(NAME),
            "sessions": statistics.sessions,
            "matches": statistics.matches,
            "first": days[0].isoformat() if days else "",
            "last": days[-1].isoformat() if days else "",
            "base": f"!{embedded}" if embedded.startswith("[") else "",
            "players": [self._player_values(player) for player in statistics.players],
            "bests": self._best_values(statistics.players),
            "games": [self._game_values(game) for game in statistics.games],
            "pairs": [self._pair_values(pair) for pair in statistics.pairs[:MAX_PAIR_ROWS]],
            "more_pairs": max(0, len(statistics.pairs) - MAX_PAIR_ROWS),
            "cards": [self._card_values(card) for card in statistics.cards[:MAX_CARD_ROWS]],
            "more_cards": max(0, len(statistics.cards) - MAX_CARD_ROWS),
            "wins_chart": bar_chart(
                words("Games won"), words("Games"), [(record.name, record.won) for record in statistics.players]
            ),
            "games_chart": pie_chart(words("Games played"), [(game.title, game.sessions) for game in statistics.games]),
        }

    def _player_values(self, player: PlayerRecord) -> dict[str, object]:
        """Return the record of a player for the template."""
        return {
            "name": self._link_name(player.name, player.note),
            **{count: getattr(player, count) for count in _COUNTS},
            "rate": win_rate(player),
            "last": player.last.isoformat() if player.last else _NONE,
        }

    def _best_values(self, players: Sequence[PlayerRecord]) -> list[dict[str, Any]]:
        """Return the best scores in each game, the best first."""
        return [
            {
                "game": escape_markdown(best.title),
                "name": self._link_name(player.name, player.note),
                "score": score_text(best.score),
                "when": self._date_link(best),
            }
            for best, player in best_by_game(players)
        ]

    def _game_values(self, game: GamePlayed) -> dict[str, object]:
        """Return the statistics of a game for the template, with a chart of the outcomes."""
        outcomes = [(self.words(game.ending(kind)), count) for kind, count in game.outcomes]
        leaders = [f"{self._link_name(leader.name, leader.note)} ({won})" for leader, won in game.leaders[:MAX_LEADERS]]
        omitted_leaders = len(game.leaders) - len(leaders)
        if omitted_leaders:
            leaders.append(self.words("{count} more", count=omitted_leaders))
        best, best_text = game.best, _NONE
        if best:
            best_text = f"{score_text(best.score)}, {escape_markdown(best.player)}, {self._date_link(best)}"
        return {
            "title": escape_markdown(game.title),
            "sessions": game.sessions,
            "matches": game.matches,
            "together": game.together,
            "seats": self.words.translate(format_seats(game.seats)),
            "average": _NONE if game.average is None else score_text(round(game.average, 1)),
            "best": best_text,
            "leaders": ", ".join(leaders) or _NONE,
            "outcomes": [(escape_markdown(words), count) for words, count in outcomes],
            "options": [f"{escape_markdown(option)} ({count})" for option, count in game.options[:MAX_OPTIONS]],
            "chart": pie_chart(self.words("How it ended"), outcomes),
        }

    def _pair_values(self, pair: Pair) -> dict[str, object]:
        """Return the record of two people for the template."""
        first_link, second_link = map(self._link_name, pair.names, pair.notes)
        counts = {"games": pair.games, "won": pair.won, "lost": pair.lost, "level": pair.level}
        return {"one": first_link, "other": second_link, **counts}

    def _card_values(self, counted: CardCount) -> dict[str, object]:
        """Return a card and the games that it decided for the template."""
        card = counted.card
        link = self.linker.link(card.note, self.path, card.name, card.subpath, table=True)
        where = ", ".join(f"{escape_markdown(title)} ({games})" for title, games in counted.by_game)
        return {"link": link, "games": counted.games, "where": where}

    def _link_name(self, name: str, note: str) -> str:
        return self.linker.link(note, self.path, name, table=True)

    def _date_link(self, best: BestScore) -> str:
        label = best.date.isoformat() if best.date else name_of(best.note)
        return self.linker.link(best.note, self.path, label, table=True)


MAX_BAR_NAME_CHARS = 24
"""The most characters of a name beside a bar; longer names would leave no room for the bar."""
MAX_BARS_PER_CHART = 12
_REPLACEMENTS = str.maketrans(
    {'"': "”", "`": "'", "\\": "/", ";": ",", "#": "＃", "<": "‹", ">": "›", "{": "(", "}": ")"}
)
"""Characters that would end a text, begin another kind of text, or be read as an entity, a tag or a directive."""


def mermaid_text(text: str, limit: int = MAX_BAR_NAME_CHARS) -> str:
    """Return a text quoted for Mermaid and cut to `limit` characters; "?" for an empty one, which Mermaid rejects."""
    safe = clean_line(clean_line(text).translate(_REPLACEMENTS)).replace("%%", "% %").replace("%%", "% %")
    label = safe if len(safe) <= limit else f"{safe[: limit - 1].rstrip()}…"
    return f'"{label or "?"}"'


def bar_chart(title: str, axis: str, values: Sequence[tuple[str, int]]) -> str:
    """Return a bar chart of counts, the first value on top; "" if there are fewer than two values or all are 0."""
    entries = values[:MAX_BARS_PER_CHART]
    highest = max((count for _, count in entries), default=0)
    if len(entries) < 2 or highest == 0:
        return ""
    names = ", ".join(mermaid_text(name) for name, _ in _number_duplicates(entries))
    return _mermaid_block(
        "xychart-beta horizontal",
        f"title {mermaid_text(title, 60)}",
        f"x-axis [{names}]",
        f"y-axis {mermaid_text(axis, 60)} 0 --> {ceil(highest)}",
        f"bar [{', '.join(str(count) for _, count in entries)}]",
    )


def pie_chart(title: str, values: Sequence[tuple[str, int]]) -> str:
    """Return a pie chart of counts above 0; "" if there are fewer than two."""
    entries = [(name, count) for name, count in values if count > 0]
    if len(entries) < 2:
        return ""
    # the title stands without quotes, up to the end of its line
    heading = mermaid_text(title, 60).strip('"')
    slices = (f"{mermaid_text(name, 40)} : {count}" for name, count in _number_duplicates(entries, 40))
    return _mermaid_block("pie showData", f"title {heading}", *slices)


def _number_duplicates(values: Sequence[tuple[str, int]], limit: int = MAX_BAR_NAME_CHARS) -> list[tuple[str, int]]:
    """Number names that look alike once quoted, since Mermaid merges equal names."""
    label_counts: dict[str, int] = {}
    pairs: list[tuple[str, int]] = []
    for name, count in values:
        label = mermaid_text(name, limit)
        label_counts[label] = label_counts.get(label, 0) + 1
        pairs.append((f"{label_counts[label]}. {name}" if label_counts[label] > 1 else name, count))
    return pairs


def _mermaid_block(header: str, *lines: str) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"```mermaid\n{header}\n{body}\n```"


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


def format_seats(fewest_and_most: tuple[int, int]) -> str:
    """Return the lowest and highest number of seats in words: `2 to 4`, or `3` if both are equal."""
    min_seats, max_seats = fewest_and_most
    return str(max_seats) if min_seats == max_seats else f"{min_seats} to {max_seats}"
