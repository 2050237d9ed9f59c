"""Answer what the games' makers claim about their balance, and keep the tables of docs/balance.md up to date.

Usage: python scripts/balance.py [QUESTION ...] [--games N] [--jobs N] [--seed N] [--write]
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean, quantiles

from vaultkit.cards.deck import known_deck
from vaultkit.games.registry import rules
from vaultkit.session.balance import Rate, roles_of
from vaultkit.session.deck_of_destiny import SurvivalReport, simulate_encounters
from vaultkit.session.options import settle
from vaultkit.session.playout import Lineup, Playout
from vaultkit.session.seeded_choices import seeds
from vaultkit.session.simulate import run, simulate
from vaultkit.vault.index.worker_pool import count_processors

PAGE = Path(__file__).resolve().parents[1] / "docs" / "balance.md"
Row = tuple[str, ...]


@dataclass(frozen=True)
class Games:
    """The number of games for each line of a table, the seed of the first one, and the number of processes."""

    count: int
    seed: int
    jobs: int

    def lineup(self, game_id: str, strategies: Sequence[str], given: Mapping[str, object] | None = None) -> Lineup:
        """Return a lineup of bots for a game; options that are not `given` have their defaults."""
        game = rules(game_id)
        options = settle(game, given or {})
        deck = known_deck(game.deck_for(options))
        assert deck is not None, "every game is played with a known deck by default"
        return Lineup(game, deck, tuple(strategies), options)

    def play(self, game_id: str, strategies: Sequence[str], given: Mapping[str, object] | None = None) -> list[Playout]:
        """Play `count` games with one lineup of bots and return them."""
        lineup = self.lineup(game_id, strategies, given)
        return list(simulate(lineup, seeds(self.seed, self.count), self.jobs))

    def roles(
        self, game_id: str, strategies: Sequence[str], given: Mapping[str, object] | None = None
    ) -> dict[str, Rate]:
        """Return how often each role won; a role is, for example, a temple or the dealer."""
        return dict(roles_of(self.play(game_id, strategies, given)))


def said(rate: Rate) -> str:
    """Format a share in percent with its 95 % confidence interval."""
    low, high = rate.ci95
    return f"{rate.share:.1%} ({low:.1%} to {high:.1%})"


def citadel(games: Games) -> Iterator[Row]:
    """Yield the rows of a table that shows who wins co-op Dragon Citadel, by the number of players."""
    yield "Players", "The party wins", "The dealer wins", "The Seer ends it"
    for players in range(2, 8):
        played = games.play("dragon-citadel", ["greedy"] * players, {"min_players": 2})
        ends = Counter(game.outcome.kind for game in played)
        yield str(players), *(said(Rate(ends[kind], len(played))) for kind in ("party", "dealer", "seer"))


def temples(games: Games) -> Iterator[Row]:
    """Yield the rows of a table that compares the temples of Turn of Fate; a shared win is split among its winners."""
    yield "Moons against Wyrms", "Suns against Leaves", "The first mover wins"
    roles = games.roles("turn-of-fate", ["greedy"] * 2)
    moons, suns = (
        f"{one} {said(roles[one])}, {other} {roles[other].share:.1%}, {roles[one].trials} games"
        for one, other in (("Moons", "Wyrms"), ("Suns", "Leaves"))
    )
    yield moons, suns, said(roles["moves first"])


def prophecies(games: Games) -> Iterator[Row]:
    """Yield the rows of a table that compares scores in Propheta with the highest score that a deal allows."""
    yield "Seats", "Bots", "Most there can be", "On average", "One deal in a hundred", "Best seen"
    for seats in (2, 3, 4):
        for strategy in ("random", "greedy"):
            played = games.play("propheta", [strategy] * seats)
            scores = [game.outcome.score(seat) or 0 for game in played for seat in range(seats)]
            best, most = f"{quantiles(scores, n=100)[-1]:.0f}", "27" if seats == 4 else "36"
            yield str(seats), strategy, most, f"{fmean(scores):.1f}", best, str(max(scores))


def seats_of_the_gambit(games: Games) -> Iterator[Row]:
    """Yield the rows of a table of wins in Prophet's Gambit by seat, from the dealer's left round to the dealer."""
    yield "Seats", "Hands compared by", "Fair", "Left of the dealer", "The others, in order", "The dealer"
    for seats in (3, 4, 5):
        for compared in ("ranks", "category-only"):
            roles = games.roles("prophets-gambit", ["greedy"] * seats, {"dealer": 0, "tie_compare": compared})
            left, *others, dealer = roles.values()
            between = ", ".join(f"{one.share:.1%}" for one in others)
            yield str(seats), compared, f"{1 / seats:.1%}", said(left), between, said(dealer)


ECONOMIES: tuple[Mapping[str, object], ...] = (
    {},
    {"empty": "draw-one"},
    {"reward": 5},
    {"keep_on_win": "yes", "reward": 2, "empty": "draw-one"},
)
ENCOUNTERS = 20


def inventories(games: Games) -> Iterator[Row]:
    """Yield the rows of a table that shows how long a character's inventory lasts in Deck of Destiny.

    The number of simulated characters is a tenth of the number of games.
    """
    yield "Options", "Strength", f"Won of {ENCOUNTERS}", "Own cards after 5", "after 10", f"after {ENCOUNTERS}"
    for given, strength in product(ECONOMIES, (1, 3, 5)):
        lineup = games.lineup("deck-of-destiny", ["greedy"], {**given, "strength": strength})
        play = partial(simulate_encounters, encounters=ENCOUNTERS)
        lasting = SurvivalReport.from_series(
            run(play, lineup, seeds(games.seed, games.count // 10), games.jobs), ENCOUNTERS
        )
        alive = [f"{lasting.alive[number - 1]:.0%}" for number in (5, 10, ENCOUNTERS)]
        options = ", ".join(f"{key}={value}" for key, value in given.items()) or "the defaults"
        yield options, str(strength), f"{lasting.won:.1f}", *alive


QUESTIONS: dict[str, Callable[[Games], Iterator[Row]]] = {
    "citadel": citadel,
    "temples": temples,
    "prophecies": prophecies,
    "gambit": seats_of_the_gambit,
    "inventories": inventories,
}


def table(rows: Sequence[Row]) -> str:
    """Format rows as a Markdown table; the first row is its head."""
    lines = [rows[0], tuple("---" for _ in rows[0]), *rows[1:]]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def keep(question: str, text: str) -> None:
    """Replace the table between the marks of a question in docs/balance.md. Exits if the page has no such marks."""
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition(f"<!-- {question} -->\n")
    _, end, after = rest.partition(f"<!-- /{question} -->")
    if not end:
        raise SystemExit(f"{PAGE.name} has no place for '{question}'.")
    PAGE.write_text(f"{before}{begin}{text}{end}{after}", encoding="utf-8")


def main() -> int:
    """Play the games of each question, print its table, and with --write put the table into docs/balance.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=f"of {', '.join(QUESTIONS)}; without any, all")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=count_processors())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="keep the tables in docs/balance.md")
    given = parser.parse_args()
    if unknown := set(given.questions) - set(QUESTIONS):
        parser.error(f"There is no question {', '.join(sorted(unknown))}; questions: {', '.join(QUESTIONS)}")
    for question in given.questions or QUESTIONS:
        text = table(list(QUESTIONS[question](Games(given.games, given.seed, given.jobs))))
        print(text, flush=True)
        if given.write:
            keep(question, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
