"""`vaultkit simulate GAME`: many games between bots, and what they say of the game's balance."""

import os
import secrets
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer

from vaultkit.bots import registry as bots
from vaultkit.campaign import balance_note
from vaultkit.campaign.log import check_target
from vaultkit.cli.common import JsonOption, SetOption, VaultOption, Workspace, now
from vaultkit.cli.output import block, columns, document, say, talk, terminal
from vaultkit.cli.table import GameTable
from vaultkit.errors import UsageError
from vaultkit.games.base import AnyGame
from vaultkit.session.balance import Balance, Figures, MomentReport, Rate, SeatReport
from vaultkit.session.options import changes, settle
from vaultkit.session.playout import Match, Playout
from vaultkit.session.seats import SeatSpec, parse_seats
from vaultkit.session.simulate import processors, seeds
from vaultkit.session.simulate import simulate as play_games

MOST_GAMES, MOST_JOBS = 1_000_000, 64
SHOWN = 20
"""Rows of moments on the screen; JSON has them all."""

GamesOption = Annotated[int, typer.Option("--games", min=1, max=MOST_GAMES, help="How many games to play.")]
SeatsOption = Annotated[
    str,
    typer.Option("--seats", help="A strategy for each seat, such as greedy,random; or how many greedy bots sit down."),
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="A number that settles all shuffles and all play.")]
JobsOption = Annotated[
    int | None, typer.Option("--jobs", min=1, max=MOST_JOBS, help="Processes; the games are the same with any number.")
]
WriteOption = Annotated[bool, typer.Option("--write", help="Keep the report as a note; without it nothing is written.")]


@dataclass(frozen=True)
class Simulation:
    """What was played, and what came of it. `seconds` is how long it took."""

    table: GameTable
    match: Match
    seats: tuple[SeatSpec, ...]
    seed: int
    balance: Balance
    seconds: float

    @property
    def card_names(self) -> dict[str, str]:
        return {card.id: card.title for card in self.match.deck}


def simulate(
    game: Annotated[str, typer.Argument(help="A game, by its id or title.")],
    games: GamesOption = 1000,
    seats: SeatsOption = "",
    seed: SeedOption = None,
    jobs: JobsOption = None,
    option: SetOption = None,
    write: WriteOption = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play many games, and report how balanced a game is.

    The same seed gives the same report. --write shows what changes in the note of the report, and writes it.
    """
    table = GameTable.of(Workspace.open(vault), game, option or [])
    options = settle(table.game, table.options(option or []))
    match, specs = _match(table, options, seats)
    if write:
        check_target(table.workspace.vault, table.workspace.settings, "")
    chosen = secrets.randbelow(10**6) if seed is None else seed
    began = time.monotonic()
    played = list(_watched(play_games(match, seeds(chosen, games), jobs or processors()), games))
    done = Simulation(table, match, specs, chosen, Balance.of(match, played), time.monotonic() - began)
    if as_json:
        document(as_document(done))
    else:
        _tell(done)
    if write:
        _write(done, as_json)


def _match(table: GameTable, options: Mapping[str, Any], said: str) -> tuple[Match, tuple[SeatSpec, ...]]:
    """The match that `--seats` describes; without it as few greedy bots as the game takes under these options."""
    if said.strip():
        return _seated(table, options, _strategies(said))
    fewest, most = table.info.seats
    for count in range(fewest, most):
        with suppress(UsageError):
            return _seated(table, options, ("greedy",) * count)
    return _seated(table, options, ("greedy",) * most)


def _seated(
    table: GameTable, options: Mapping[str, Any], strategies: tuple[str, ...]
) -> tuple[Match, tuple[SeatSpec, ...]]:
    """Raises UsageError for a strategy that does not exist, and a number of seats that cannot play."""
    seats = parse_seats((f"bot:{strategy}" for strategy in strategies), bots.names())
    match = Match(table.game, table.deck_note.deck, tuple(spec.strategy or "" for spec in seats), options)
    bots.check_strategies(match.strategies, table.game)
    match.start()
    return match, seats


def _strategies(said: str) -> tuple[str, ...]:
    """`3` is three greedy bots; else one strategy a seat, with or without `bot:`."""
    if said.strip().isdecimal():
        return ("greedy",) * min(int(said), 100)
    words = [word.strip().removeprefix("bot:") for word in said.split(",")]
    return tuple(filter(None, words))


def _watched(games: Iterator[Playout], total: int) -> Iterable[Playout]:
    """The games as they come, with a bar on a terminal."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield from games
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    parts = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*parts, console=terminal(stderr=True), transient=True) as bar:
        yield from bar.track(games, total=total)


def as_document(done: Simulation) -> dict[str, Any]:
    """The report as the command-line contract has it. Rates are shares of 1; intervals are `[low, high]`."""
    balance = done.balance
    seats = zip(done.seats, balance.seats, strict=True)
    return {
        "game": done.table.info.id,
        "games": balance.games,
        "seed": done.seed,
        "options": changes(done.match.game, done.match.options),
        "seats": [_seat(spec, report) for spec, report in seats],
        "outcomes": dict(balance.outcomes),
        "shared": balance.shared,
        "length": _spread(balance.length),
        "moments": [_moment(one) for one in balance.moments],
        "games_per_second": round(balance.games / done.seconds, 1) if done.seconds else None,
    }


def _seat(spec: SeatSpec, report: SeatReport) -> dict[str, Any]:
    score = _spread(report.score) if report.score else None
    return {"name": spec.name, "bot": report.strategy, **_rate(report.wins), "score": score}


def _moment(moment: MomentReport) -> dict[str, Any]:
    return {"kind": moment.kind, "card": moment.card or None, **_rate(moment.wins, "games")}


def _rate(rate: Rate, trials: str = "") -> dict[str, Any]:
    said = {"wins": rate.hits, "win_rate": round(rate.share, 4), "ci95": [round(end, 4) for end in rate.ci95]}
    return {trials: rate.trials, **said} if trials else said


def _spread(spread: Figures) -> dict[str, float]:
    return {"mean": round(spread.mean, 2), "median": spread.median, "min": spread.least, "max": spread.most}


def _in_words(balance: Balance, game: AnyGame) -> Balance:
    """The same with words for the kinds of outcome, which are stable ids."""
    return replace(balance, outcomes=tuple((game.ending(kind), number) for kind, number in balance.outcomes))


def _tell(done: Simulation) -> None:
    balance = done.balance
    rows = ((spec.name, *_told(one.wins), _scores(one)) for spec, one in zip(done.seats, balance.seats, strict=True))
    columns(["seat", "won", "rate", "95 % interval", "score"], rows)
    outcomes = _in_words(balance, done.match.game).outcomes
    columns(["outcome", "games", "share"], ((k, n, f"{100 * n / balance.games:.1f} %") for k, n in outcomes))
    if balance.moments:
        columns(["moment", "card", "games", "won", "95 % interval"], _moments(balance.moments, done.card_names))
    length = balance.length
    say(f"A game took {length.mean:.1f} decisions on average, {length.least} to {length.most}.")
    if balance.shared:
        say(f"Games with several winners, counted as won for each: {balance.shared}.")
    talk(f"{balance.games} games in {done.seconds:.1f} s; the same again with --seed {done.seed}.")


def _moments(moments: Sequence[MomentReport], names: Mapping[str, str]) -> Iterator[tuple[object, ...]]:
    for one in moments[:SHOWN]:
        _, rate, interval = _told(one.wins)
        yield one.kind.replace("-", " "), names.get(one.card, one.card), one.wins.trials, rate, interval


def _told(rate: Rate) -> tuple[int, str, str]:
    low, high = rate.ci95
    return rate.hits, f"{100 * rate.share:.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"


def _scores(report: SeatReport) -> str:
    score = report.score
    return f"{score.mean:.1f} ({score.least} to {score.most})" if score else ""


def _write(done: Simulation, as_json: bool) -> None:
    workspace, match = done.table.workspace, done.match
    told = balance_note.told(
        _in_words(done.balance, match.game),
        game=done.table.info.id,
        title=done.table.info.title,
        seats=done.seats,
        seed=done.seed,
        options=changes(match.game, match.options),
        card_names=done.card_names,
    )
    folder = workspace.settings.campaign.folder.replace("\\", "/").strip("/")
    writer, path = balance_note.plan(workspace.vault, folder, told, now())
    if not as_json:
        block(writer.diff())
    written = writer.commit()
    talk(f"Written: {path}" if written else f"The report in {path} says this already.")
