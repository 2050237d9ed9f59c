"""Statistics as tables with bars on a terminal, as rows for a pipe, or as sentences."""

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from vaultkit.cli.output import columns, say, terminal
from vaultkit.play.plain import safe
from vaultkit.wording import counted

if TYPE_CHECKING:
    from vaultkit.campaign.stats.statistics import GamePlayed, Pair, PlayerRecord, Statistics

Cells = Sequence[object]


def pipe_rows(statistics: "Statistics") -> Iterator[Cells]:
    """Yield all statistics as rows for a pipe. The first column names the kind of the row."""
    from vaultkit.campaign.stats.stats_page import score_text, seats

    for one in statistics.players:
        yield "player", one.name, *record(one)
    for one in statistics.players:
        for best in one.bests:
            yield "best", one.name, best.title, score_text(best.score), best.date or "", best.note
    for game in statistics.games:
        yield "game", game.title, game.sessions, game.together, seats(game.seats), average(game), leaders(game)
        for kind, times in game.outcomes:
            yield "outcome", game.title, game.ending(kind), times
        for option, times in game.options:
            yield "option", game.title, option, times
    yield from (("match", one.name, one.matches, one.matches_won) for one in statistics.players if one.matches)
    for pair in statistics.pairs:
        yield "pair", *meetings(pair)
    for card in statistics.cards:
        yield "card", card.card.name, card.games, where(card.by_game)


def sentences(statistics: "Statistics") -> Iterator[str]:
    """Yield all statistics as sentences with one fact each."""
    from vaultkit.campaign.stats.stats_page import score_text, seats, win_rate

    yield f"{counted(statistics.sessions, 'game')}."
    for one in statistics.players:
        together = f", {one.together} of them together" if one.together else ""
        last = f", last on {one.last}" if one.last else ""
        alone = f", {one.alone} alone" if one.alone else ""
        yield f"{one.name}: {counted(one.games, 'game')}, {one.won} won ({win_rate(one)}){together}{alone}{last}."
        if one.matches:
            yield f"{one.name}: matches won, {one.matches_won} of {one.matches}."
        if one.longest > 1:
            yield f"{one.name}: {one.longest} wins in a row at most, {one.streak or 'none'} now."
        for best in one.bests:
            on = f" on {best.date}" if best.date else ""
            yield f"{one.name}: best score in {best.title} {score_text(best.score)}{on}."
    for game in statistics.games:
        yield f"{game.title}: {counted(game.sessions, 'game')}, {seats(game.seats)} at the table."
        for kind, times in game.outcomes:
            yield f"{game.title}: {game.ending(kind)}, {counted(times, 'time')}."
        if game.options:
            yield f"{game.title}: house rules {', '.join(f'{option} ({times})' for option, times in game.options)}."
        if game.leaders:
            yield f"{game.title}: {leaders(game)} won most."
    yield from map(_against, statistics.pairs)
    for card in statistics.cards:
        yield f"{card.card.name}: decided {counted(card.games, 'game')}: {where(card.by_game)}."


def _against(pair: "Pair") -> str:
    one, other = pair.names
    return f"{one} against {other}: {counted(pair.games, 'game')}, {pair.won} to {pair.lost}, {pair.level} level."


def record(one: "PlayerRecord") -> Cells:
    """Return the numbers of a player, and the day of the last game."""
    from vaultkit.campaign.stats.stats_page import win_rate

    return one.games, one.won, one.together, win_rate(one), one.streak, one.longest, one.last or ""


def meetings(pair: "Pair") -> Cells:
    """Return the names of a pair of players, the number of their games, and who won how many."""
    return *pair.names, pair.games, pair.won, pair.lost, pair.level


def average(game: "GamePlayed") -> str:
    """Return the average score of a game as text, "" if there is none."""
    from vaultkit.campaign.stats.stats_page import score_text

    return "" if game.average is None else score_text(round(game.average, 1))


def leaders(game: "GamePlayed") -> str:
    """Return the names of the players who won most, with the number of their wins."""
    named = ", ".join(f"{one.name} ({won})" for one, won in game.leaders[:2])
    return f"{named}, {len(game.leaders) - 2} more" if len(game.leaders) > 2 else named


def where(by_game: Sequence[tuple[str, int]]) -> str:
    """Return the titles of the games that a card decided.

    If there are several, each is followed by the number of times.
    """
    return ", ".join(f"{title} ({games})" if len(by_game) > 1 else title for title, games in by_game)


NARROWEST, WIDEST = 8, 30
"""The minimum and maximum width of a bar, in columns."""
NARROW_LEADERBOARD = 5
"""The width of a bar in a narrow leaderboard, in columns, which leaves readable headings for nine other columns."""
_ROOMY = 100
_WHOLE = frozenset({"on", "last", "last played", "seats"})
"""Columns that are never wrapped. Columns of numbers and of bars are not wrapped either."""
_NUMBERS = frozenset({
    "games", "played", "won", "together", "rate", "in a row", "streak", "longest", "lost", "level", "score", "average",
})  # fmt: skip


def show_statistics(statistics: "Statistics", *, plain: bool) -> None:
    """Print the leaderboard, then the games, best scores, pairs and cards.

    `plain` prints sentences instead; into a pipe, rows with tabs are printed.
    """
    if plain:
        for line in sentences(statistics):
            say(line)
    elif not sys.stdout.isatty():
        columns((), pipe_rows(statistics))
    else:
        _draw(statistics)


def _draw(statistics: "Statistics") -> None:
    from vaultkit.campaign.stats.statistics import MOST_CARDS, MOST_PAIRS, best_by_game
    from vaultkit.campaign.stats.stats_page import score_text

    if statistics.players:
        _leaderboard(statistics)
    matches = [(one.name, one.matches, one.matches_won) for one in statistics.players if one.matches]
    _table("Matches", ("player", "matches", "won"), matches)
    _games(statistics.games)
    bests = [
        (best.title, one.name, score_text(best.score), best.date or "")
        for best, one in best_by_game(statistics.players)
    ]
    _table("Best scores", ("game", "player", "score", "on"), _once(bests))
    head = ("player", "against", "games", "won", "lost", "level")
    _table("Head to head", head, list(map(meetings, statistics.pairs)), MOST_PAIRS)
    most = max((one.games for one in statistics.cards), default=1)
    cards = [
        (one.card.name, one.games, bar(one.games / most, _bar_width()), where(one.by_game)) for one in statistics.cards
    ]
    _table("Cards that decided games", ("card", "games", "", "which"), cards, MOST_CARDS)


def _leaderboard(statistics: "Statistics") -> None:
    most = max((player.won for player in statistics.players), default=0) or 1
    wide = terminal().width >= _ROOMY
    bar_width = _bar_width() if wide else NARROW_LEADERBOARD
    last = ("in a row", "longest", "last played") if wide else ("streak", "longest", "last")
    table = [(one.name, bar(one.won / most, bar_width), *record(one)) for one in statistics.players]
    head = ("player", "", "games", "won", "together", "rate", *last)
    _table(f"Leaderboard, {counted(statistics.sessions, 'game')}", head, table)


def _games(games: "Sequence[GamePlayed]") -> None:
    from vaultkit.campaign.stats.stats_page import seats

    most, width = max((game.sessions for game in games), default=1), _bar_width()
    table = [
        (one.title, bar(one.sessions / most, width), one.sessions, seats(one.seats), average(one), leaders(one))
        for one in games
    ]
    _table("Games", ("game", "", "played", "seats", "average", "who leads"), table)
    endings = [(game.title, game.ending(kind), times) for game in games for kind, times in game.outcomes]
    highest = max((times for *_, times in endings), default=1)
    drawn = [(*rest, times, bar(times / highest, width)) for *rest, times in endings]
    _table("How games end", ("game", "outcome", "games", ""), _once(drawn))
    rules = [(game.title, option, times) for game in games for option, times in game.options]
    _table("House rules", ("game", "option", "games"), _once(rules))


def _once(pipe_rows: Sequence[Cells]) -> list[Cells]:
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
    return max(NARROWEST, min(WIDEST, (terminal().width - 64) // 2))


def _table(title: str, head: Sequence[str], rows: Sequence[Cells], most: int | None = None) -> None:
    """Print a table with a title and at most `max_rows` rows, or nothing if there are no rows.

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
    for row in rows[:most]:
        table.add_row(*(Text(safe(str(cell))) for cell in row))
    console = terminal()
    console.print(Text(title, style="bold"))
    console.print(table)
    if not _has_blocks():
        console.print()
    if most and len(rows) > most:
        console.print(Text(f"and {len(rows) - most} more; --json has them all\n"))
