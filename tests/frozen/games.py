"""Whole games under every option, played at random and by bots: what is told of each, as a digest and its end."""

from collections.abc import Iterator

from tests.frozen.commands import PLAN
from tests.frozen.running import digest
from tests.games.conformance import cases_of, deck_of
from tests.playthroughs.tell import NAMES, Teller
from vaultkit.errors import UsageError
from vaultkit.games.options import resolve
from vaultkit.games.registry import GAMES, rules
from vaultkit.session.playout import Lineup, play_out

SEEDS = (1, 2)
BOTS = ("greedy", "random", "easy")


def names() -> tuple[str, ...]:
    return tuple(GAMES)


def told(game: str) -> str:
    return "\n".join(_lines(game)) + "\n"


def _lines(game: str) -> Iterator[str]:
    for case in cases_of(rules(game)):
        given = ", ".join(f"{key}={value}" for key, value in case.given.items())
        first, last = case.game.seats[0], min(case.game.seats[1], len(NAMES))
        for seed in SEEDS:
            for seats in sorted({first, last} if seed == SEEDS[0] else {(first + last) // 2}):
                try:
                    story = list(Teller(case.game, seats, seed, **case.given).story())
                except UsageError:
                    continue  # a dealer at seat 4 needs five
                end, whole = next(line for line in story if line.startswith("The end")), digest("\n".join(story))
                yield f"{given}; {seats} seats: {len(story)} lines, sha256 {whole}. {end}"
    yield from _by_bots(game)


def _by_bots(game: str) -> Iterator[str]:
    """Games with the usual rules: a change of what bots do, or of luck, is one of these."""
    played = rules(game)
    options = resolve(played.options, {}, played.title)
    strategies = tuple(BOTS[seat % len(BOTS)] for seat in range(len(PLAN["bots"][game])))
    for seed in SEEDS:
        lineup = Lineup(played, deck_of(played, {}), strategies, options)
        found = play_out(lineup, lineup.make_bots(), seed)
        outcome = found.outcome
        yield f"{strategies}, seed {seed}: {found.decisions} decisions"
        yield f"  {outcome.kind}, {outcome.ranks}, {outcome.scores}"
