"""A game's balance, as many games between bots show it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median

from vaultkit.games.words import Seat
from vaultkit.grouping import group
from vaultkit.session.playout import Lineup, Playout

Z95 = 1.959964
"""The 97.5 % point of the normal distribution."""
FEWEST = 10
"""A moment that came up less often is left out. The number grows above 1,000 games, and shrinks below 100."""
OTHERS = "others"
"""Stands for all cards that are too rare for a line of their own."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `trials`; a win that is shared out is part of one."""

    hits: float
    trials: int

    @property
    def share(self) -> float:
        return self.hits / self.trials if self.trials else 0.0

    @property
    def ci95(self) -> tuple[float, float]:
        """Wilson's 95 % interval, which is right for few trials and for shares near 0 and 1 too."""
        if not self.trials:
            return 0.0, 1.0
        n, p, zz = self.trials, self.share, Z95 * Z95
        middle = (p + zz / (2 * n)) / (1 + zz / n)
        reach = Z95 * sqrt(p * (1 - p) / n + zz / (4 * n * n)) / (1 + zz / n)
        return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class Figures:
    """Where a number lies over many games."""

    mean: float
    median: float
    least: int
    most: int

    @classmethod
    def of(cls, numbers: Sequence[int]) -> "Figures":
        """The spread of one number or more."""
        return cls(fmean(numbers), float(median(numbers)), min(numbers), max(numbers))


@dataclass(frozen=True, slots=True)
class SeatReport:
    """How a seat fared. Wins that rivals share are shared out; `score` is None in games without one."""

    strategy: str
    wins: Rate
    score: Figures | None


@dataclass(frozen=True, slots=True)
class MomentReport:
    """How often a seat did such a thing, with the card or, where `card` is "", with any; rare cards are `OTHERS`.

    `wins` are the games won by a seat that did it, of all games in which one did; two seats count as two games.
    """

    kind: str
    card: str
    wins: Rate


@dataclass(frozen=True, slots=True)
class Balance:
    """A balance report. `shared` are the games with several winners; `length` counts decisions with a choice.

    `together` says that games are won or lost by all; `roles` are what seats may be besides their places.
    """

    games: int
    seats: tuple[SeatReport, ...]
    outcomes: tuple[tuple[str, int], ...]
    shared: int
    length: Figures
    moments: tuple[MomentReport, ...]
    roles: tuple[tuple[str, Rate], ...] = ()
    together: bool = False

    @classmethod
    def of(cls, lineup: Lineup, played: Iterable[Playout]) -> "Balance":
        """The report on one game or more."""
        games = list(played)
        kinds = Counter(game.outcome.kind for game in games)
        return cls(
            games=len(games),
            seats=tuple(_seat(strategy, seat, games) for seat, strategy in enumerate(lineup.strategies)),
            outcomes=tuple(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
            shared=sum(len(game.outcome.winners) > 1 for game in games),
            length=Figures.of([game.decisions for game in games]),
            moments=_moments(games),
            roles=roles_of(games),
            together=any(game.together for game in games),
        )


def _seat(strategy: str, seat: Seat, games: Sequence[Playout]) -> SeatReport:
    wins = sum(game.share(seat) for game in games)
    scores = [int(score) for game in games if (score := game.outcome.score(seat)) is not None]
    return SeatReport(strategy, Rate(wins, len(games)), Figures.of(scores) if scores else None)


def roles_of(games: Sequence[Playout]) -> tuple[tuple[str, Rate], ...]:
    """Each role with what the seats that had it won."""
    shares = group((role, game.share(seat)) for game in games for role, seat in game.roles.items())
    return tuple((role, Rate(sum(won), len(won))) for role, won in shares.items())


def _moments(games: Sequence[Playout]) -> tuple[MomentReport, ...]:
    """Kind by kind, each as a whole and then with its cards, those first that decide most, and rare ones together."""
    fewest = max(min(FEWEST, len(games) // 10), len(games) // 100)
    seen, won = _count(games)
    found = {moment: Rate(won[moment], seen[moment]) for moment in seen}
    return tuple(report for kind in sorted({kind for kind, _ in found}) for report in _of_kind(kind, found, fewest))


def _count(games: Sequence[Playout]) -> tuple[Counter[tuple[str, str]], dict[tuple[str, str], float]]:
    """How often each kind of moment came up with each card, and with any, and how often its seat won the game."""
    seen: Counter[tuple[str, str]] = Counter()
    won: dict[tuple[str, str], float] = defaultdict(float)
    for game in games:
        for kind, card, seat in {moment for one in game.moments for moment in (one, one._replace(card=""))}:
            seen[kind, card] += 1
            won[kind, card] += game.share(seat)
    return seen, won


def _of_kind(kind: str, found: Mapping[tuple[str, str], Rate], fewest: int) -> Iterator[MomentReport]:
    whole = found[kind, ""]
    cards = {card: rate for (other, card), rate in found.items() if other == kind and card}
    rare = [card for card in cards if cards[card].trials < fewest]
    if whole.trials < fewest:
        return
    if len(cards) != 1 or whole not in cards.values():  # else the card is all that there is to say
        yield MomentReport(kind, "", whole)
    if len(rare) > 1:
        together = Rate(sum(cards[card].hits for card in rare), sum(cards[card].trials for card in rare))
        cards = {card: cards[card] for card in cards if card not in rare} | {OTHERS: together}
    last = {OTHERS, *rare}
    for card in sorted(cards, key=lambda card: (card in last, -abs(cards[card].share - whole.share), card)):
        yield MomentReport(kind, card, cards[card])
