"""Measure how strong the bots are, and keep the table of docs/bots.md up to date.

Each strategy plays one seat against a field of greedy bots, once in every seat of the same deal; the deal counts once,
with the mean of its games. Where all play together against the game, the strategy plays every seat.

Usage: python scripts/ladder.py [GAME ...] [--deals N] [--jobs N] [--seed N] [--rungs random,greedy,...] [--write]
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from tests.bots.peeking import make_peeking_game
from vaultkit.cards.deck import known_deck
from vaultkit.games.messages import Seat
from vaultkit.games.registry import GAMES, rules
from vaultkit.session.balance import Z95, Rate
from vaultkit.session.options import settle
from vaultkit.session.playout import Lineup
from vaultkit.session.seeded_choices import seeds
from vaultkit.session.simulate import simulate
from vaultkit.vault.index.worker_pool import count_processors

PAGE = Path(__file__).resolve().parents[1] / "docs" / "bots.md"
BEGIN, END = "<!-- ladder -->", "<!-- /ladder -->"
RUNGS = ("random", "greedy", "easy", "hard", "search:1000", "peek:100")
FIELD = "greedy"
PEEK = "peek:"
"""The prefix of a strategy that cheats: it searches the true position, which shows what hidden cards are worth."""


@dataclass(frozen=True)
class Case:
    """A game with its number of seats and its options; `together` means that all seats win or lose together."""

    game: str
    seats: int
    options: Mapping[str, object] = field(default_factory=dict)
    together: bool = False

    @property
    def name(self) -> str:
        """The name of the case in the table: the game's title, the number of seats, and the options."""
        said = [f"{self.seats} seats" if self.seats > 1 else "1 seat", *map(str, self.options.values())]
        return f"{GAMES[self.game].title} ({', '.join(said)})"


CASES = (
    Case("propheta", 2),
    Case("turn-of-fate", 2),
    Case("prophets-gambit", 3),
    Case("dragon-citadel", 3, {"mode": "competitive"}),
    Case("dragon-citadel", 3, {"mode": "coop"}, together=True),
    Case("deck-of-destiny", 1, together=True),
)


@dataclass(frozen=True)
class Deals:
    """The number of deals, the seed of the first one, and the number of processes."""

    count: int
    seed: int
    jobs: int


@dataclass(frozen=True)
class Strength:
    """The share of games won, with its 95 % interval over deals."""

    share: float
    low: float
    high: float

    @classmethod
    def of(cls, deals: Sequence[float]) -> "Strength":
        """Return the mean share of wins and its interval, from one share for each deal."""
        mean = fmean(deals)
        spread = stdev(deals) if len(deals) > 1 else 0.0
        if not spread or set(deals) <= {0.0, 1.0}:
            return cls(mean, *Rate(round(mean * len(deals)), len(deals)).ci95)
        reach = Z95 * spread / sqrt(len(deals))
        return cls(mean, max(0.0, mean - reach), min(1.0, mean + reach))

    def __str__(self) -> str:
        return f"{self.share:.2f} ({self.low:.2f} to {self.high:.2f})"


def strength(case: Case, strategy: str, deals: Deals) -> Strength:
    """Measure a strategy: play each deal once for every seat that the strategy can take."""
    tables = [(strategy,) * case.seats] if case.together else [*_rotations(strategy, case.seats)]
    won = [[*_shares(case, table, seat, deals)] for seat, table in enumerate(tables)]
    return Strength.of([fmean(shares) for shares in zip(*won, strict=True)])


def _rotations(strategy: str, seats: int) -> Iterator[tuple[str, ...]]:
    """Yield lineups with the strategy in seat 0, then in seat 1 and so on; FIELD plays all other seats."""
    for seat in range(seats):
        yield tuple(strategy if at == seat else FIELD for at in range(seats))


def _shares(case: Case, strategies: tuple[str, ...], seat: Seat, deals: Deals) -> Iterator[float]:
    game = rules(case.game)
    options = settle(game, case.options)
    if any(strategy.startswith(PEEK) for strategy in strategies):
        game, strategies = make_peeking_game(game), tuple(strategy.replace(PEEK, "search:") for strategy in strategies)
    deck = known_deck(game.deck_for(options))
    assert deck is not None, "every game is played with a known deck by default"
    lineup = Lineup(game, deck, strategies, options)
    for played in simulate(lineup, seeds(deals.seed, deals.count), deals.jobs):
        yield played.share(seat)


def cell(case: Case, rung: str, deals: Deals) -> str:
    """Return the table cell for one strategy in one game."""
    if rung == FIELD and not case.together:
        return f"{1 / case.seats:.2f}, all being equal"
    return f"{strength(case, rung, deals)}, {deals.count} deals"


def kept() -> dict[str, dict[str, str]]:
    """Return the cells of the table in docs/bots.md, by game and then by strategy; {} without a table."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    lines = [line.strip("| ").split(" | ") for line in text.partition(BEGIN)[2].partition(END)[0].strip().splitlines()]
    if not lines:
        return {}
    return {row[0]: dict(zip(lines[0][2:], row[2:], strict=True)) for row in lines[2:]}


def keep(table: Mapping[str, Mapping[str, str]]) -> None:
    """Write the table into docs/bots.md; the text around the table stays."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else f"# How strong the bots are\n\n{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    head = f"| Game | Fair share | {' | '.join(RUNGS)} |\n|---|---:|{'---|' * len(RUNGS)}\n"
    lines = [f"| {' | '.join(row(case, table[case.name]))} |\n" for case in CASES if case.name in table]
    PAGE.write_text(f"{before}{BEGIN}\n{head}{''.join(lines)}{END}{rest.partition(END)[2]}", encoding="utf-8")


def row(case: Case, cells: Mapping[str, str]) -> list[str]:
    """Return a row of the table: the game, the fair share of wins, and a cell for each strategy."""
    fair = "–" if case.together else f"{1 / case.seats:.2f}"
    return [case.name, fair, *(cells.get(rung, "–") for rung in RUNGS)]


def main() -> int:
    """Measure each strategy in each game, print the results, and with --write put them into docs/bots.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="the games' ids; without any, all")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=count_processors())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rungs", default=",".join(RUNGS))
    parser.add_argument("--write", action="store_true", help="keep the table in docs/bots.md")
    said = parser.parse_args()
    if unknown := set(said.games) - set(GAMES):
        parser.error(f"There is no game {', '.join(sorted(unknown))}; games: {', '.join(GAMES)}")
    deals = Deals(said.deals, said.seed, said.jobs)
    for case, rung in product(CASES, said.rungs.split(",")):
        if not said.games or case.game in said.games:
            found = cell(case, rung, deals)
            print(f"{case.name}, {rung}: {found}", flush=True)
            if said.write:
                table = kept()
                keep(table | {case.name: table.get(case.name, {}) | {rung: found}})
    return 0


if __name__ == "__main__":
    sys.exit(main())
