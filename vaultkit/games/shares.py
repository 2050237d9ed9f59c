"""Unique things divided among owners, such as the cards of a suit: the totals that are possible together."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeVar

from vaultkit.text import group

Thing = TypeVar("Thing", bound=Hashable)
Owner = TypeVar("Owner", bound=Hashable)
Share = Sequence[frozenset[Thing]]
"""The sets of things that one owner may have, such as all sets with a given total; each thing exists once."""


def group_subsets(
    things: Collection[Thing], total: Callable[[frozenset[Thing]], Hashable]
) -> Mapping[Any, Share[Thing]]:
    """Return all subsets of the things, including the empty one, grouped by the value that `total` gives them."""
    subsets = (frozenset(subset) for size in range(len(things) + 1) for subset in combinations(things, size))
    return group((total(subset), subset) for subset in subsets)


def have_disjoint_sets(shares: Collection[Share[Thing]], used: frozenset[Thing] = frozenset()) -> bool:
    """Return whether a set can be chosen from each share so that they overlap neither each other nor `used`.

    The search is exhaustive.
    """
    if not shares:
        return True
    smallest_share, *other_shares = sorted(shares, key=len)
    return any(used.isdisjoint(things) and have_disjoint_sets(other_shares, used | things) for things in smallest_share)


def find_conflict(shares: Mapping[Owner, Share[Thing]]) -> tuple[Owner, ...]:
    """Return the smallest group of owners whose shares are not possible together; () if there is none."""
    groups = (owners for size in range(1, len(shares) + 1) for owners in combinations(shares, size))
    return next((owners for owners in groups if not have_disjoint_sets([shares[owner] for owner in owners])), ())
