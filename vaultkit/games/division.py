"""Whether things of which there is one each can be shared out as score sheets say: an exact search.

A share is known by the sets of things that it may be: all those of its total, for example.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeVar

from vaultkit.grouping import group

Thing = TypeVar("Thing", bound=Hashable)
Owner = TypeVar("Owner", bound=Hashable)
Share = Sequence[frozenset[Thing]]


def sets_by(things: Collection[Thing], total: Callable[[frozenset[Thing]], Hashable]) -> Mapping[Any, Share[Thing]]:
    """All sets of some of the things by their total."""
    sets = (frozenset(some) for size in range(len(things) + 1) for some in combinations(things, size))
    return group((total(some), some) for some in sets)


def is_divisible(shares: Iterable[Share[Thing]]) -> bool:
    """Whether each share can be one of its sets, and no thing in two of them."""
    return _is_divisible(sorted(shares, key=len), frozenset())


def _is_divisible(shares: Sequence[Share[Thing]], taken: frozenset[Thing]) -> bool:
    if not shares:
        return True
    share, *others = shares
    return any(taken.isdisjoint(things) and _is_divisible(others, taken | things) for things in share)


def conflict(shares: Mapping[Owner, Share[Thing]]) -> tuple[Owner, ...]:
    """The smallest group whose shares cannot all be true, the first of its size; none if all can be."""
    groups = (group for size in range(1, len(shares) + 1) for group in combinations(shares, size))
    return next((group for group in groups if not is_divisible(shares[owner] for owner in group)), ())
