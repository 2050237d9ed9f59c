"""Statistics without a screen: rows for a pipe, and sentences for screen readers."""

from collections.abc import Iterator, Sequence

from vaultkit.campaign.stats.games import GamePlayed
from vaultkit.campaign.stats.pairs import Pair
from vaultkit.campaign.stats.statistics import Statistics
from vaultkit.campaign.stats.words import number, per_cent, seats
from vaultkit.cli.output import count

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
    yield f"{count(told.sessions, 'game')}."
    for one in told.players:
        together = f", {one.together} of them together" if one.together else ""
        last = f", last on {one.last}" if one.last else ""
        yield f"{one.name}: {count(one.games, 'game')}, {one.won} won ({per_cent(one.rate)}){together}{last}."
        if one.longest > 1:
            yield f"{one.name}: {one.longest} wins in a row at most, {one.streak or 'none'} now."
        for best in one.bests:
            on = f" on {best.date}" if best.date else ""
            yield f"{one.name}: best score in {best.title} {number(best.score)}{on}."
    for game in told.games:
        yield f"{game.title}: {count(game.sessions, 'game')}, {seats(game.seats)} at the table."
        for kind, times in game.outcomes:
            yield f"{game.title}: {game.ending(kind)}, {count(times, 'time')}."
        if game.options:
            yield f"{game.title}: house rules {', '.join(f'{option} ({times})' for option, times in game.options)}."
        if game.leaders:
            yield f"{game.title}: {leaders(game)} won most."
    yield from map(_against, told.pairs)
    for card in told.cards:
        yield f"{card.card.name}: decided {count(card.games, 'game')}: {where(card.by_game)}."


def _against(pair: Pair) -> str:
    one, other = pair.names
    return f"{one} against {other}: {count(pair.games, 'game')}, {pair.won} to {pair.lost}, {pair.level} level."


def leaders(game: GamePlayed) -> str:
    """Who won most, with how often."""
    named = ", ".join(f"{one.name} ({won})" for one, won in game.leaders[:2])
    return f"{named}, {len(game.leaders) - 2} more" if len(game.leaders) > 2 else named


def where(by_game: Sequence[tuple[str, int]]) -> str:
    """The games that a card decided, with how often where there are several."""
    return ", ".join(f"{title} ({games})" if len(by_game) > 1 else title for title, games in by_game)
