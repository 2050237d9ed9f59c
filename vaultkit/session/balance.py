"""Reports on the balance of a game, measured in many games between bots."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median

from vaultkit.games.messages import Seat
from vaultkit.session.playout import Lineup, Playout
from vaultkit.text import group

Z95 = 1.959964
"""The 97.5th percentile of the standard normal distribution, for 95 % confidence intervals."""
MIN_MOMENT_COUNT = 10
"""The minimum number of times that a moment must occur to be reported in 100 to 1,000 games.

With more games the minimum is 1 % of their number, with fewer games 10 %.
"""
OTHERS = "others"
"""The name of the line for all cards that are too rare for a line of their own."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate: the number of `hits` in a number of `trials`. A shared win counts as a part of a hit."""

    hits: float
    trials: int

    @property
    def share(self) -> float:
        """The hits divided by the trials, from 0 to 1; 0 if there are no trials."""
        return self.hits / self.trials if self.trials else 0.0

    @property
    def ci95(self) -> tuple[float, float]:
        """The lower and the upper end of Wilson's 95 % confidence interval, which also suits few trials."""
        if not self.trials:
            return 0.0, 1.0
        n, p, z_squared = self.trials, self.share, Z95 * Z95
        middle = (p + z_squared / (2 * n)) / (1 + z_squared / n)
        half_width = Z95 * sqrt(p * (1 - p) / n + z_squared / (4 * n * n)) / (1 + z_squared / n)
        return max(0.0, middle - half_width), min(1.0, middle + half_width)


@dataclass(frozen=True, slots=True)
class Distribution:
    """The distribution of a number over many games."""

    mean: float
    median: float
    least: int
    most: int

    @classmethod
    def from_numbers(cls, numbers: Sequence[int]) -> "Distribution":
        """Return the distribution of at least one number."""
        return cls(fmean(numbers), float(median(numbers)), min(numbers), max(numbers))


@dataclass(frozen=True, slots=True)
class SeatReport:
    """The results of a seat in all games.

    A win shared by rivals counts as a part of a win for each. `score` is None in games without scores.
    """

    strategy: str
    wins: Rate
    score: Distribution | None


@dataclass(frozen=True, slots=True)
class MomentReport:
    """The frequency of one kind of moment, and the success of the seats that had one.

    `card` is the card of the moment, "" for all cards, or `OTHERS` for rare cards. `wins` is the rate of games that a
    seat with such a moment won; a game in which two seats had one counts as two trials.
    """

    kind: str
    card: str
    wins: Rate


@dataclass(frozen=True, slots=True)
class Balance:
    """A report on the balance of a game.

    `outcomes` are the kinds of outcomes with their numbers of games, `shared` is the number of games with several
    winners. `length` is the distribution of the number of decisions in a game. `together` says that all players win or
    lose together. `roles` are the win rates of the roles that the rules give to seats.
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
        """Return the report on at least one game."""
        games = list(played)
        kind_counts = Counter(game.outcome.kind for game in games)
        return cls(
            games=len(games),
            seats=tuple(_report_seat(strategy, seat, games) for seat, strategy in enumerate(lineup.strategies)),
            outcomes=tuple(sorted(kind_counts.items(), key=lambda item: (-item[1], item[0]))),
            shared=sum(len(game.outcome.winners) > 1 for game in games),
            length=Distribution.from_numbers([game.decisions for game in games]),
            moments=_report_moments(games),
            roles=roles_of(games),
            together=any(game.together for game in games),
        )


def _report_seat(strategy: str, seat: Seat, games: Sequence[Playout]) -> SeatReport:
    wins = sum(game.share(seat) for game in games)
    scores = [int(score) for game in games if (score := game.outcome.score(seat)) is not None]
    return SeatReport(strategy, Rate(wins, len(games)), Distribution.from_numbers(scores) if scores else None)


def roles_of(games: Sequence[Playout]) -> tuple[tuple[str, Rate], ...]:
    """Return the roles in the games, each with the win rate of the seats that had it."""
    shares = group((role, game.share(seat)) for game in games for role, seat in game.roles.items())
    return tuple((role, Rate(sum(win_shares), len(win_shares))) for role, win_shares in shares.items())


def _report_moments(games: Sequence[Playout]) -> tuple[MomentReport, ...]:
    """Return the reports on all moments that are frequent enough, sorted by kind.

    For each kind, the report on all its cards comes first, then its cards by their effect on winning, and rare cards
    together at the end.
    """
    min_count = max(min(MIN_MOMENT_COUNT, len(games) // 10), len(games) // 100)
    counts, win_shares = _count_moments(games)
    rates = {moment: Rate(win_shares[moment], counts[moment]) for moment in counts}
    kinds = sorted({kind for kind, _ in rates})
    return tuple(report for kind in kinds for report in _report_kind(kind, rates, min_count))


def _count_moments(games: Sequence[Playout]) -> tuple[Counter[tuple[str, str]], dict[tuple[str, str], float]]:
    """Return the counts of moments, and the sums of their seats' shares in wins.

    The keys of both are a kind with a card, and a kind with "" for all cards together.
    """
    counts: Counter[tuple[str, str]] = Counter()
    win_shares: dict[tuple[str, str], float] = defaultdict(float)
    for game in games:
        moments = {moment for full in game.moments for moment in (full, full._replace(card=""))}
        for kind, card, seat in moments:
            counts[kind, card] += 1
            win_shares[kind, card] += game.share(seat)
    return counts, win_shares


def _report_kind(kind: str, rates: Mapping[tuple[str, str], Rate], min_count: int) -> Iterator[MomentReport]:
    """Yield the reports on one kind of moment: on all cards, and then on its cards.

    Nothing is yielded for a kind that occurred less than `min_count` times.
    """
    kind_rate = rates[kind, ""]
    rate_of_card = {card: rate for (moment_kind, card), rate in rates.items() if moment_kind == kind and card}
    rare_cards = [card for card in rate_of_card if rate_of_card[card].trials < min_count]
    if kind_rate.trials < min_count:
        return
    if (
        len(rate_of_card) != 1 or kind_rate not in rate_of_card.values()
    ):  # otherwise the line of the only card says the same
        yield MomentReport(kind, "", kind_rate)
    if len(rare_cards) > 1:
        rare_rates = [rate_of_card[card] for card in rare_cards]
        rare_rate = Rate(sum(rate.hits for rate in rare_rates), sum(rate.trials for rate in rare_rates))
        others = {card: rate for card, rate in rate_of_card.items() if card not in rare_cards}
        rate_of_card = {**others, OTHERS: rare_rate}
    last_cards = {OTHERS, *rare_cards}
    for card in sorted(
        rate_of_card, key=lambda card: (card in last_cards, -abs(rate_of_card[card].share - kind_rate.share), card)
    ):
        yield MomentReport(kind, card, rate_of_card[card])
