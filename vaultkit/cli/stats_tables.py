"""Statistics on a terminal: tables with bars."""

import os
import sys
from collections.abc import Iterator, Sequence

from vaultkit.campaign.stats.page import number, per_cent, seats
from vaultkit.campaign.stats.statistics import (
    MOST_CARDS,
    MOST_PAIRS,
    GamePlayed,
    Pair,
    Player,
    Statistics,
    best_by_game,
)
from vaultkit.cli.output import columns, say, terminal
from vaultkit.play.plain import safe
from vaultkit.wording import counted

Cells = Sequence[object]


def rows(told: Statistics) -> Iterator[Cells]:
    """Everything as rows for a pipe, each with what it is about in its first column."""
    for one in told.players:
        last = one.last or ""
        yield "player", one.name, one.games, one.won, one.together, per_cent(one.rate), one.streak, one.longest, last
    for one in told.players:
        for best in one.bests:
            yield "best", one.name, best.title, number(best.score), best.date or "", best.note
    for game in told.games:
        average = "" if game.average is None else number(round(game.average, 1))
        yield "game", game.title, game.sessions, game.together, seats(game.seats), average, leaders(game)
        for kind, times in game.outcomes:
            yield "outcome", game.title, game.ending(kind), times
        for option, times in game.options:
            yield "option", game.title, option, times
    for pair in told.pairs:
        yield "pair", *pair.names, pair.games, pair.won, pair.lost, pair.level
    for card in told.cards:
        yield "card", card.card.name, card.games, where(card.by_game)


def facts(told: Statistics) -> Iterator[str]:
    """Everything in sentences, one fact a line."""
    yield f"{counted(told.sessions, 'game')}."
    for one in told.players:
        together = f", {one.together} of them together" if one.together else ""
        last = f", last on {one.last}" if one.last else ""
        yield f"{one.name}: {counted(one.games, 'game')}, {one.won} won ({per_cent(one.rate)}){together}{last}."
        if one.longest > 1:
            yield f"{one.name}: {one.longest} wins in a row at most, {one.streak or 'none'} now."
        for best in one.bests:
            on = f" on {best.date}" if best.date else ""
            yield f"{one.name}: best score in {best.title} {number(best.score)}{on}."
    for game in told.games:
        yield f"{game.title}: {counted(game.sessions, 'game')}, {seats(game.seats)} at the table."
        for kind, times in game.outcomes:
            yield f"{game.title}: {game.ending(kind)}, {counted(times, 'time')}."
        if game.options:
            yield f"{game.title}: house rules {', '.join(f'{option} ({times})' for option, times in game.options)}."
        if game.leaders:
            yield f"{game.title}: {leaders(game)} won most."
    yield from map(_against, told.pairs)
    for card in told.cards:
        yield f"{card.card.name}: decided {counted(card.games, 'game')}: {where(card.by_game)}."


def _against(pair: Pair) -> str:
    one, other = pair.names
    return f"{one} against {other}: {counted(pair.games, 'game')}, {pair.won} to {pair.lost}, {pair.level} level."


def leaders(game: GamePlayed) -> str:
    """Who won most, with how often."""
    named = ", ".join(f"{one.name} ({won})" for one, won in game.leaders[:2])
    return f"{named}, {len(game.leaders) - 2} more" if len(game.leaders) > 2 else named


def where(by_game: Sequence[tuple[str, int]]) -> str:
    """The games that a card decided, with how often where there are several."""
    return ", ".join(f"{title} ({games})" if len(by_game) > 1 else title for title, games in by_game)


NARROWEST, WIDEST = 8, 30
"""Columns of a bar."""
NARROW_LEADERBOARD = 5
"""Columns of a bar beside nine others, so that these keep headings that can be read."""


def tell(told: Statistics, *, plain: bool) -> None:
    """The leaderboard, then the games, best scores, pairs and cards."""
    if plain:
        for line in facts(told):
            say(line)
    elif not sys.stdout.isatty():
        columns((), rows(told))
    else:
        _draw(told)


def _draw(told: Statistics) -> None:
    if told.players:
        _heading(f"Leaderboard, {counted(told.sessions, 'game')}")
        _leaderboard(told.players)
    _heading("Games")
    _games(told.games)
    bests = list(_bests(told.players))
    if bests:
        _heading("Best scores")
        _table(("game", "player", "score", "on"), bests, {2}, len(bests))
    if told.pairs:
        _heading("Head to head")
        pairs = [(*pair.names, pair.games, pair.won, pair.lost, pair.level) for pair in told.pairs]
        _table(("player", "against", "games", "won", "lost", "level"), pairs[:MOST_PAIRS], {2, 3, 4, 5}, len(pairs))
    if told.cards:
        _heading("Cards that decided games")
        most = told.cards[0].games
        cards = [
            (one.card.name, one.games, bar(one.games / most, _bar_width()), where(one.by_game)) for one in told.cards
        ]
        _table(("card", "games", "", "which"), cards[:MOST_CARDS], {1}, len(cards), bars=2)


def _bests(players: Sequence[Player]) -> Iterator[Cells]:
    """The best scores; rows that follow others of the same game do not name it again."""
    before = ""
    for best, one in best_by_game(players):
        yield "" if best.title == before else best.title, one.name, number(best.score), best.date or ""
        before = best.title


def _leaderboard(players: Sequence[Player]) -> None:
    most = max((player.won for player in players), default=0) or 1
    wide = _width() >= _ROOMY
    bar_width = _bar_width() if wide else NARROW_LEADERBOARD
    head = ("player", "", "games", "won", "together", "rate", "in a row", "longest", "last played")
    table = [
        (
            one.name,
            bar(one.won / most, bar_width),
            one.games,
            one.won,
            one.together,
            per_cent(one.rate),
            one.streak,
            one.longest,
            one.last or "",
        )
        for one in players
    ]
    if not wide:
        head = (*head[:6], "streak", "longest", "last")
    _table(head, table, {2, 3, 4, 5, 6, 7}, len(table), bars=1)


def _games(games: Sequence[GamePlayed]) -> None:
    most = max((game.sessions for game in games), default=1)
    table = [
        (
            game.title,
            bar(game.sessions / most, _bar_width()),
            game.sessions,
            seats(game.seats),
            "" if game.average is None else number(round(game.average, 1)),
            leaders(game),
        )
        for game in games
    ]
    _table(("game", "", "played", "seats", "average", "who leads"), table, {2, 4}, len(table), bars=1)
    endings = [(game.title, game.ending(kind), times) for game in games for kind, times in game.outcomes]
    if endings:
        _heading("How games end")
        highest = max(times for *_, times in endings)
        drawn = [(title, ending, times, bar(times / highest, _bar_width())) for title, ending, times in _once(endings)]
        _table(("game", "outcome", "games", ""), drawn, {2}, len(drawn), bars=3)
    rules = [(game.title, option, times) for game in games for option, times in game.options]
    if rules:
        _heading("House rules")
        _table(("game", "option", "games"), list(_once(rules)), {2}, len(rules))


def _once(rows: Sequence[tuple[str, str, int]]) -> Iterator[tuple[str, str, int]]:
    """Rows that follow others of the same game do not name it again."""
    before = ""
    for title, what, times in rows:
        yield "" if title == before else title, what, times
        before = title


def bar(share: float, width: int) -> str:
    """A bar of a share of `width` columns; more than nothing is never shown as nothing."""
    eighths = round(share * width * 8)
    if share > 0:
        eighths = max(eighths, 1)
    if not _has_blocks():
        return "#" * max(round(share * width), 1 if share > 0 else 0)
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]


def _has_blocks() -> bool:
    """Whether the terminal has the characters of bars."""
    if os.environ.get("TERM") == "dumb":
        return False
    try:
        "█▏".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


_ROOMY = 100


def _width() -> int:
    return terminal().width


def _bar_width() -> int:
    return max(NARROWEST, min(WIDEST, (_width() - 64) // 2))


_WHOLE = frozenset({"on", "last", "last played", "seats"})
"""Columns that are never broken, as those of numbers and bars."""


def _heading(text: str) -> None:
    from rich.text import Text

    terminal().print(Text(text, style="bold"))


def _table(head: Sequence[str], rows: Sequence[Cells], right: set[int], total: int, bars: int | None = None) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD if _has_blocks() else box.ASCII2, pad_edge=False, padding=(0, 1, 0, 0))
    for place, name in enumerate(head):
        is_bar, is_number = place == bars, place in right
        whole = is_bar or is_number or name in _WHOLE
        style = "cyan" if is_bar else ""
        table.add_column(name, overflow="fold", style=style, justify="right" if is_number else "left", no_wrap=whole)
    for row in rows:
        table.add_row(*(Text(safe(str(cell))) for cell in row))
    console = terminal()
    console.print(table)
    if not _has_blocks():
        console.print()
    if total > len(rows):
        console.print(Text(f"and {total - len(rows)} more; --json has them all\n"))
