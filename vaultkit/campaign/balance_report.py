"""Balance reports on many games between bots: the lineup of bots, and the report as JSON."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from vaultkit.bots import registry as bots
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.errors import UsageError
from vaultkit.games.options import Value
from vaultkit.session.balance import Balance, Distribution, MomentReport, Rate, SeatReport
from vaultkit.session.options import changes
from vaultkit.session.playout import Lineup
from vaultkit.session.seats import SeatSpec, parse_seats
from vaultkit.text import parse_whole_number

_MAX_BOT_SEATS = 100


def lineup_of(game: GameNotes, options: Mapping[str, Value], strategies: str) -> tuple[Lineup, tuple[SeatSpec, ...]]:
    """Return the lineup of bots and their seats.

    `strategies` is a number of greedy bots, such as `3`, or a strategy for each seat, separated by commas; "" means as
    few greedy bots as can play.

    Raises UsageError for an unknown strategy, or a number of seats that cannot play.
    """
    min_seats, max_seats = game.info.seats
    bot_count = parse_whole_number(strategies.strip())
    if bot_count is not None:
        min_seats = max_seats = min(bot_count, _MAX_BOT_SEATS)
    elif strategies.strip():
        strategy_words = (word.strip().removeprefix("bot:") for word in strategies.split(","))
        return _create_lineup(game, options, tuple(filter(None, strategy_words)))
    for seat_count in range(min_seats, max_seats):
        with suppress(UsageError):
            return _create_lineup(game, options, ("greedy",) * seat_count)
    return _create_lineup(game, options, ("greedy",) * max_seats)


def _create_lineup(
    game: GameNotes, options: Mapping[str, Value], strategies: tuple[str, ...]
) -> tuple[Lineup, tuple[SeatSpec, ...]]:
    seats = parse_seats((f"bot:{strategy}" for strategy in strategies), bots.names())
    game.game.check_seats(len(seats), hint="Give one strategy for each seat, such as: --seats greedy,random")
    lineup = Lineup(game.game, game.deck_note.deck, tuple(spec.strategy or "" for spec in seats), options)
    bots.check_strategies(lineup.strategies, game.game)
    lineup.make_start_state()
    return lineup, seats


@dataclass(frozen=True)
class BalanceReport:
    """The games that one lineup played with a `seed`, and their balance."""

    game: GameNotes
    lineup: Lineup
    seats: tuple[SeatSpec, ...]
    seed: int
    balance: Balance

    @property
    def outcomes(self) -> tuple[tuple[str, int], ...]:
        """The kinds of outcome in words, each with its number of games."""
        return tuple((self.lineup.game.ending(kind), number) for kind, number in self.balance.outcomes)

    @property
    def moments(self) -> tuple[tuple[str, str, Rate], ...]:
        """The kind and card of each moment in words, with the rate of games won after it."""
        names = {card.id: card.title for card in self.lineup.deck}
        moments = self.balance.moments
        return tuple((item.kind.replace("-", " "), names.get(item.card, item.card), item.wins) for item in moments)

    def as_document(self, seconds: float) -> dict[str, Any]:
        """Return the report in the JSON form of the command-line contract.

        Rates are shares of 1; intervals are `[low, high]`; `seconds` is how long all games took.
        """
        balance = self.balance
        return {
            "game": self.game.info.id,
            "games": balance.games,
            "seed": self.seed,
            "options": changes(self.lineup.game, self.lineup.options),
            "seats": [_seat_document(spec, report) for spec, report in zip(self.seats, balance.seats, strict=True)],
            "roles": [{"role": role, "games": wins.trials, **_rate_document(wins)} for role, wins in balance.roles],
            "outcomes": dict(balance.outcomes),
            "shared": balance.shared,
            "length": _distribution_document(balance.length),
            "moments": list(map(_moment_document, balance.moments)),
            "games_per_second": round(balance.games / seconds, 1) if seconds else None,
        }


def format_wins(rate: Rate) -> str:
    """Format the number of games won, in which a shared win counts as a part: `31`, `30.5`."""
    return f"{rate.hits:.1f}".removesuffix(".0")


def _seat_document(spec: SeatSpec, report: SeatReport) -> dict[str, Any]:
    score = _distribution_document(report.score) if report.score else None
    return {"name": spec.name, "bot": report.strategy, **_rate_document(report.wins), "score": score}


def _moment_document(moment: MomentReport) -> dict[str, Any]:
    wins = {"games": moment.wins.trials, **_rate_document(moment.wins)}
    return {"kind": moment.kind, "card": moment.card or None, **wins}


def _rate_document(rate: Rate) -> dict[str, Any]:
    interval = [round(end, 4) for end in rate.ci95]
    return {"wins": float(format_wins(rate)), "win_rate": round(rate.share, 4), "ci95": interval}


def _distribution_document(spread: Distribution) -> dict[str, float]:
    return {"mean": round(spread.mean, 2), "median": spread.median, "min": spread.least, "max": spread.most}
