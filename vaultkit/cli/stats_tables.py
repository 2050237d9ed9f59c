"""Statistics as tables with bars on a terminal, as rows for a pipe, or as sentences."""

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from vaultkit.cli.output import print_result, print_table, terminal
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.text import format_count

if TYPE_CHECKING:
    from vaultkit.campaign.stats.statistics import GamePlayed, Pair, PlayerRecord, Statistics

Cells = Sequence[object]


def pipe_rows(statistics: "Statistics") -> Iterator[Cells]:
    """Yield all statistics as rows for a pipe. The first column names the kind of the row."""
    from vaultkit.campaign.stats.stats_page import score_text, seats

    for player in statistics.players:
        yield "player", player.name, *record(player)
    for player in statistics.players:
        for best in player.bests:
            yield "best", player.name, best.title, score_text(best.score), best.date or "", best.note
    for game in statistics.games:
        yield "game", game.title, game.sessions, game.together, seats(game.seats), average(game), leaders(game)
        for kind, times in game.outcomes:
            yield "outcome", game.title, game.ending(kind), times
        for option, times in game.options:
            yield "option", game.title, option, times
    yield from (
        ("match", player.name, player.matches, player.matches_won) for player in statistics.players if player.matches
    )
    for pair in statistics.pairs:
        yield "pair", *meetings(pair)
    for card in statistics.cards:
        yield "card", card.card.name, card.games, decided_games(card.by_game)


def sentences(statistics: "Statistics") -> Iterator[str]:
    """Yield all statistics as sentences with one fact each."""
    from vaultkit.campaign.stats.stats_page import score_text, seats, win_rate

    yield f"{format_count(statistics.sessions, 'game')}."
    for player in statistics.players:
        together = f", {player.together} of them together" if player.together else ""
        last = f", last on {player.last}" if player.last else ""
        alone = f", {player.alone} alone" if player.alone else ""
        games = format_count(player.games, "game")
        yield f"{player.name}: {games}, {player.won} won ({win_rate(player)}){together}{alone}{last}."
        if player.matches:
            yield f"{player.name}: matches won, {player.matches_won} of {player.matches}."
        if player.longest > 1:
            yield f"{player.name}: {player.longest} wins in a row at most, {player.streak or 'none'} now."
        for best in player.bests:
            on = f" on {best.date}" if best.date else ""
            yield f"{player.name}: best score in {best.title} {score_text(best.score)}{on}."
    for game in statistics.games:
        yield f"{game.title}: {format_count(game.sessions, 'game')}, {seats(game.seats)} at the table."
        for kind, times in game.outcomes:
            yield f"{game.title}: {game.ending(kind)}, {format_count(times, 'time')}."
        if game.options:
            yield f"{game.title}: house rules {', '.join(f'{option} ({times})' for option, times in game.options)}."
        if game.leaders:
            yield f"{game.title}: {leaders(game)} won most."
    yield from map(_pair_sentence, statistics.pairs)
    for card in statistics.cards:
        yield f"{card.card.name}: decided {format_count(card.games, 'game')}: {decided_games(card.by_game)}."


def _pair_sentence(pair: "Pair") -> str:
    player, other = pair.names
    return (
        f"{player} against {other}: {format_count(pair.games, 'game')}, {pair.won} to {pair.lost}, {pair.level} level."
    )


def record(player: "PlayerRecord") -> Cells:
    """Return the cells of a player: the numbers of games and wins, and the day of the last game."""
    from vaultkit.campaign.stats.stats_page import win_rate

    return player.games, player.won, player.together, win_rate(player), player.streak, player.longest, player.last or ""


def meetings(pair: "Pair") -> Cells:
    """Return the cells of a pair: both names, the games, and those that the first player won, lost and tied."""
    return *pair.names, pair.games, pair.won, pair.lost, pair.level


def average(game: "GamePlayed") -> str:
    """Return the average score of a game as text, "" if there is none."""
    from vaultkit.campaign.stats.stats_page import score_text

    return "" if game.average is None else score_text(round(game.average, 1))


def leaders(game: "GamePlayed") -> str:
    """Return, as text, the first two of the players who won most, with their wins, and the number of the others."""
    names = ", ".join(f"{player.name} ({won})" for player, won in game.leaders[:2])
    return f"{names}, {len(game.leaders) - 2} more" if len(game.leaders) > 2 else names


def decided_games(by_game: Sequence[tuple[str, int]]) -> str:
    """Return, as text, the titles of the games that a card decided.

    If there are several titles, each is followed by the number of decided games.
    """
    return ", ".join(f"{title} ({games})" if len(by_game) > 1 else title for title, games in by_game)


MIN_BAR_WIDTH, MAX_BAR_WIDTH = 8, 30
"""The minimum and maximum width of a bar, in columns."""
NARROW_BAR_WIDTH = 5
"""The width of a bar in a narrow leaderboard, in columns, which leaves readable headings for nine other columns."""
_WIDE_LAYOUT_MIN_WIDTH = 100
_WHOLE = frozenset({"on", "last", "last played", "seats"})
"""The names of columns that are never wrapped, besides columns of numbers and of bars."""
_NUMBERS = frozenset({
    "games", "played", "won", "together", "rate", "in a row", "streak", "longest", "lost", "level", "score", "average",
})  # fmt: skip


def show_statistics(statistics: "Statistics", *, plain: bool) -> None:
    """Print the leaderboard, then the games, best scores, pairs and cards.

    `plain` prints sentences instead; into a pipe, rows with tabs are printed.
    """
    if plain:
        for line in sentences(statistics):
            print_result(line)
    elif not sys.stdout.isatty():
        print_table((), pipe_rows(statistics))
    else:
        _draw(statistics)


def _draw(statistics: "Statistics") -> None:
    from vaultkit.campaign.stats.statistics import MAX_CARD_ROWS, MAX_PAIR_ROWS, best_by_game
    from vaultkit.campaign.stats.stats_page import score_text

    if statistics.players:
        _leaderboard(statistics)
    matches = [(entry.name, entry.matches, entry.matches_won) for entry in statistics.players if entry.matches]
    _table("Matches", ("player", "matches", "won"), matches)
    _games(statistics.games)
    bests = [
        (best.title, entry.name, score_text(best.score), best.date or "")
        for best, entry in best_by_game(statistics.players)
    ]
    _table("Best scores", ("game", "player", "score", "on"), _blank_repeated_titles(bests))
    head = ("player", "against", "games", "won", "lost", "level")
    _table("Head to head", head, list(map(meetings, statistics.pairs)), MAX_PAIR_ROWS)
    most = max((entry.games for entry in statistics.cards), default=1)
    cards = [
        (entry.card.name, entry.games, bar(entry.games / most, _bar_width()), decided_games(entry.by_game))
        for entry in statistics.cards
    ]
    _table("Cards that decided games", ("card", "games", "", "which"), cards, MAX_CARD_ROWS)


def _leaderboard(statistics: "Statistics") -> None:
    most = max((player.won for player in statistics.players), default=0) or 1
    wide = terminal().width >= _WIDE_LAYOUT_MIN_WIDTH
    bar_width = _bar_width() if wide else NARROW_BAR_WIDTH
    last = ("in a row", "longest", "last played") if wide else ("streak", "longest", "last")
    table = [
        (player_record.name, bar(player_record.won / most, bar_width), *record(player_record))
        for player_record in statistics.players
    ]
    head = ("player", "", "games", "won", "together", "rate", *last)
    _table(f"Leaderboard, {format_count(statistics.sessions, 'game')}", head, table)


def _games(games: "Sequence[GamePlayed]") -> None:
    from vaultkit.campaign.stats.stats_page import seats

    most, width = max((game.sessions for game in games), default=1), _bar_width()
    table = [
        (
            game_played.title,
            bar(game_played.sessions / most, width),
            game_played.sessions,
            seats(game_played.seats),
            average(game_played),
            leaders(game_played),
        )
        for game_played in games
    ]
    _table("Games", ("game", "", "played", "seats", "average", "who leads"), table)
    endings = [(game.title, game.ending(kind), times) for game in games for kind, times in game.outcomes]
    highest = max((times for *_, times in endings), default=1)
    drawn = [(*rest, times, bar(times / highest, width)) for *rest, times in endings]
    _table("How games end", ("game", "outcome", "games", ""), _blank_repeated_titles(drawn))
    rules = [(game.title, option, times) for game in games for option, times in game.options]
    _table("House rules", ("game", "option", "games"), _blank_repeated_titles(rules))


def _blank_repeated_titles(pipe_rows: Sequence[Cells]) -> list[Cells]:
    """Return the rows with the title of the game blank where it is the title of the previous row."""
    titles = [None, *(row[0] for row in pipe_rows)]
    return [("" if title == row[0] else row[0], *row[1:]) for title, row in zip(titles, pipe_rows, strict=False)]


def bar(share: float, width: int) -> str:
    """Return a bar that fills a share of `width` columns. A share above 0 is never shown as empty."""
    least = 1 if share > 0 else 0
    if not _has_blocks():
        return "#" * max(round(share * width), least)
    eighths = max(round(share * width * 8), least)
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]


def _has_blocks() -> bool:
    """Return whether the terminal can show the block characters of bars."""
    if os.environ.get("TERM") == "dumb":
        return False
    try:
        "█▏".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _bar_width() -> int:
    return max(MIN_BAR_WIDTH, min(MAX_BAR_WIDTH, (terminal().width - 64) // 2))


def _table(title: str, head: Sequence[str], rows: Sequence[Cells], limit: int | None = None) -> None:
    """Print a table with a title and at most `limit` rows, or nothing if there are no rows.

    A column without a name contains bars.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return
    table = Table(box=box.SIMPLE_HEAD if _has_blocks() else box.ASCII2, pad_edge=False, padding=(0, 1, 0, 0))
    for name in head:
        whole = not name or name in _NUMBERS or name in _WHOLE
        justify: Literal["left", "right"] = "right" if name in _NUMBERS else "left"
        table.add_column(name, overflow="fold", style="" if name else "cyan", justify=justify, no_wrap=whole)
    for row in rows[:limit]:
        table.add_row(*(Text(strip_controls(str(cell))) for cell in row))
    console = terminal()
    console.print(Text(title, style="bold"))
    console.print(table)
    if not _has_blocks():
        console.print()
    if limit and len(rows) > limit:
        console.print(Text(f"and {len(rows) - limit} more; --json has them all\n"))
