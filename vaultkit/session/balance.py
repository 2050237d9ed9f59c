"""The balance of a game, measured over many games between bots."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median

from vaultkit.games.messages import Seat
from vaultkit.session.playout import Lineup, Playout
from vaultkit.text import group

Z95 = 1.959964
"""The 97.5th percentile of the normal distribution."""
MIN_MOMENT_COUNT = 10
"""The minimum number of times that a reported moment occurs.

It grows in proportion above 1,000 games, and shrinks below 100.
"""
OTHERS = "others"
"""The name that stands for all cards that are too rare for a line of their own."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate of `hits` in `trials`. A shared win counts as a part of a hit."""

    hits: float
    trials: int

    @property
    def share(self) -> float:
        """The rate as a number from 0 to 1, 0 without trials."""
        return self.hits / self.trials if self.trials else 0.0

    @property
    def ci95(self) -> tuple[float, float]:
        """Wilson's 95 % confidence interval, which is also right for few trials and for shares near 0 and 1."""
        if not self.trials:
            return 0.0, 1.0
        n, p, zz = self.trials, self.share, Z95 * Z95
        middle = (p + zz / (2 * n)) / (1 + zz / n)
        reach = Z95 * sqrt(p * (1 - p) / n + zz / (4 * n * n)) / (1 + zz / n)
        return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class Distribution:
    """The distribution of a number over many games."""

    mean: float
    median: float
    least: int
    most: int

    @classmethod
    def from_numbers(cls, numbers: Sequence[int]) -> "Distribution":
        """Return the distribution of one number or more."""
        return cls(fmean(numbers), float(median(numbers)), min(numbers), max(numbers))


@dataclass(frozen=True, slots=True)
class SeatReport:
    """The results of a seat.

    A win shared by rivals counts as a part of a win for each. `score` is None in games without scores.
    """

    strategy: str
    wins: Rate
    score: Distribution | None


@dataclass(frozen=True, slots=True)
class MomentReport:
    """The frequency and success of one kind of moment.

    `card` is the card of the moment, "" for any card, or `OTHERS` for rare cards. `wins` is the rate of games won by a
    seat that had such a moment; a game in which two seats had one counts twice.
    """

    kind: str
    card: str
    wins: Rate


@dataclass(frozen=True, slots=True)
class Balance:
    """A report on the balance of a game.

    `shared` is the number of games with several winners. `length` counts decisions with a choice. `together` says that
    all players win or lose together; `roles` are the win rates of roles that the rules give to seats.
    """

    games: int
    seats: tuple[SeatReport, ...]
    outcomes: tuple[tuple[str, int], ...]
    shared: int
    length: Distribution
    moments: tuple[MomentReport, ...]
    roles: tuple[tuple[str, Rate], ...] = ()
    together: bool = False

    @classmethod
    def from_games(cls, lineup: Lineup, played: Iterable[Playout]) -> "Balance":
        """Return the report on one game or more."""
        games = list(played)
        kinds = Counter(game.outcome.kind for game in games)
        return cls(
            games=len(games),
            seats=tuple(_seat(strategy, seat, games) for seat, strategy in enumerate(lineup.strategies)),
            outcomes=tuple(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
            shared=sum(len(game.outcome.winners) > 1 for game in games),
            length=Distribution.from_numbers([game.decisions for game in games]),
            moments=_moments(games),
            roles=roles_of(games),
            together=any(game.together for game in games),
        )


def _seat(strategy: str, seat: Seat, games: Sequence[Playout]) -> SeatReport:
    wins = sum(game.share(seat) for game in games)
    scores = [int(score) for game in games if (score := game.outcome.score(seat)) is not None]
    return SeatReport(strategy, Rate(wins, len(games)), Distribution.from_numbers(scores) if scores else None)


def roles_of(games: Sequence[Playout]) -> tuple[tuple[str, Rate], ...]:
    """Return each role with the win rate of the seats that had it."""
    shares = group((role, game.share(seat)) for game in games for role, seat in game.roles.items())
    return tuple((role, Rate(sum(won), len(won))) for role, won in shares.items())


def _moments(games: Sequence[Playout]) -> tuple[MomentReport, ...]:
    """Return a report for each moment, sorted by kind.

    The report on a kind as a whole comes first, then its cards in the order of their effect on winning, and rare cards
    together at the end.
    """
    fewest = max(min(MIN_MOMENT_COUNT, len(games) // 10), len(games) // 100)
    counts, won = _count(games)
    rates = {moment: Rate(won[moment], counts[moment]) for moment in counts}
    return tuple(report for kind in sorted({kind for kind, _ in rates}) for report in _report_kind(kind, rates, fewest))


def _count(games: Sequence[Playout]) -> tuple[Counter[tuple[str, str]], dict[tuple[str, str], float]]:
    """Return how often each kind of moment occurred, by card and for any card "", and how many of its seats won."""
    counts: Counter[tuple[str, str]] = Counter()
    won: dict[tuple[str, str], float] = defaultdict(float)
    for game in games:
        for kind, card, seat in {
            moment for full_moment in game.moments for moment in (full_moment, full_moment._replace(card=""))
        }:
            counts[kind, card] += 1
            won[kind, card] += game.share(seat)
    return counts, won


def _report_kind(kind: str, rates: Mapping[tuple[str, str], Rate], fewest: int) -> Iterator[MomentReport]:
    """Yield the reports on one kind of moment: the whole kind, and then its cards.

    Nothing is yielded for a kind that occurred less than `fewest` times.
    """
    whole = rates[kind, ""]
    cards = {card: rate for (other, card), rate in rates.items() if other == kind and card}
    rare = [card for card in cards if cards[card].trials < fewest]
    if whole.trials < fewest:
        return
    if len(cards) != 1 or whole not in cards.values():  # otherwise the line of the only card says the same
        yield MomentReport(kind, "", whole)
    if len(rare) > 1:
        together = Rate(sum(cards[card].hits for card in rare), sum(cards[card].trials for card in rare))
        cards = {card: cards[card] for card in cards if card not in rare} | {OTHERS: together}
    last = {OTHERS, *rare}
    for card in sorted(cards, key=lambda card: (card in last, -abs(cards[card].share - whole.share), card)):
        yield MomentReport(kind, card, cards[card])
