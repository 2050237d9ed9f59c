"""Whether the numbers of a suit can have been won as several sheets have it: each card exists once."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from vaultkit.games.words import Seat

NUMBERS = range(1, 10)
ALL = sum(NUMBERS)
"""45, the most that a suit's numbers give (DC-33)."""


class Share(NamedTuple):
    """One player's share of a suit: the total, and the numbers themselves where they are known."""

    total: int
    numbers: frozenset[int] | None = None


@cache
def _sets() -> Mapping[int, tuple[frozenset[int], ...]]:
    """The sets of numbers that give each total, those of few cards first."""
    found: dict[int, list[frozenset[int]]] = {total: [] for total in range(ALL + 1)}
    for size in range(len(NUMBERS) + 1):
        for numbers in combinations(NUMBERS, size):
            found[sum(numbers)].append(frozenset(numbers))
    return {total: tuple(sets) for total, sets in found.items()}


def divisible(shares: Iterable[Share]) -> bool:
    """Whether 1 to 9 can be shared out so, no number twice."""
    return _divisible(sorted(shares, key=lambda share: share.total, reverse=True), frozenset(NUMBERS))


def _divisible(shares: Sequence[Share], free: frozenset[int]) -> bool:
    if not shares:
        return True
    share, *others = shares
    sets = _sets().get(share.total, ()) if share.numbers is None else (share.numbers,)
    return any(numbers <= free and _divisible(others, free - numbers) for numbers in sets)


def conflict(shares: Mapping[Seat, Share]) -> tuple[Seat, ...]:
    """The smallest group of seats whose shares cannot all be true, the first of its size; none if all can be."""
    if divisible(shares.values()):
        return ()
    groups = (group for size in range(1, len(shares) + 1) for group in combinations(sorted(shares), size))
    return next(group for group in groups if not divisible(shares[seat] for seat in group))
