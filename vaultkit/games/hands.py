"""What a hand of cards is worth: categories and ranks as in poker, for any ranks and suits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import NamedTuple


class Category(StrEnum):
    """A kind of hand, by its name in poker."""

    STRAIGHT_FLUSH = "straight flush"
    FOUR = "four of a kind"
    FULL_HOUSE = "full house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    TRIPLE = "three of a kind"
    TWO_PAIRS = "two pairs"
    PAIR = "pair"
    HIGH_CARD = "high card"


POKER = tuple(Category)
"""The order of poker, strongest first (DD-16)."""

_BELOW = (Category.TRIPLE, Category.TWO_PAIRS, Category.PAIR, Category.HIGH_CARD)

TAROKKA = (
    Category.STRAIGHT_FLUSH,
    Category.FOUR,
    Category.FULL_HOUSE,
    Category.STRAIGHT,
    Category.FLUSH,
    *_BELOW,
)
"""The order of Prophet's Gambit as its rules have it (PG-37)."""

TAROKKA_BY_RARITY = (
    Category.STRAIGHT_FLUSH,
    Category.FOUR,
    Category.FLUSH,
    Category.FULL_HOUSE,
    Category.STRAIGHT,
    *_BELOW,
)
"""The same with the rarer hand of 40 cards always on top (PG-37)."""

TAROKKA_NAMES = {
    Category.STRAIGHT_FLUSH: "Family",
    Category.FOUR: "Circle",
    Category.FULL_HOUSE: "Fortune",
    Category.STRAIGHT: "Village",
    Category.FLUSH: "Guild",
    Category.TRIPLE: "Triple",
    Category.TWO_PAIRS: "Two pairs",
    Category.PAIR: "Pair",
    Category.HIGH_CARD: "High card",
}
"""What the Tarokka calls each category."""


class HandValue(NamedTuple):
    """The worth of a hand; the greater wins, and equal hands have equal values.

    `strength` counts categories from the weakest, 0. `ranks` are those of the cards, the largest group first, then
    the highest: a pair of 9s with 10, 8 and 7 is (9, 9, 10, 8, 7). A wheel counts from its second card.
    """

    strength: int
    ranks: tuple[int, ...]
    category: Category


@dataclass(frozen=True, slots=True)
class HandOrder:
    """How hands compare. `categories` go from the strongest to the weakest.

    `wheel` is the one hand, highest rank first, that is a sequence with its first card put last (A-5-4-3-2); empty
    for none. Cards of the ranks `outside` are in no sequence. Hands of fewer than `line` cards cannot be a sequence,
    or count for being of one suit.
    """

    categories: tuple[Category, ...] = POKER
    wheel: tuple[int, ...] = ()
    outside: frozenset[int] = frozenset()
    line: int = 5

    def is_sequence(self, ranks: tuple[int, ...]) -> bool:
        """Whether cards of these ranks, highest first, are in numerical order."""
        if ranks == self.wheel:
            return True
        in_order = all(high == low + 1 for high, low in pairwise(ranks))
        return in_order and self.outside.isdisjoint(ranks)

    def strength(self, category: Category) -> int:
        """The place of a category from the weakest, 0."""
        return len(self.categories) - 1 - self.categories.index(category)


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that a hand may be chosen from, `least` of them or more."""

    cards: Sequence[str]
    least: int = 0


@dataclass(frozen=True, eq=False, slots=True)
class Ranking:
    """The worth of hands of named cards. `faces` holds each card's rank, higher is better, and its suit."""

    order: HandOrder
    faces: Mapping[str, tuple[int, str]]

    def value(self, cards: Iterable[str]) -> HandValue:
        """The worth of these cards as one hand, all of them used."""
        ranks, suits = zip(*(self.faces[card] for card in cards), strict=True)
        return _value(self.order, tuple(sorted(ranks, reverse=True)), len(set(suits)) == 1)

    def best(self, groups: Sequence[Group], size: int = 5) -> tuple[HandValue, tuple[str, ...]] | None:
        """The best hand of `size` cards out of `groups` and its worth, the first of equals; None if there is none."""
        hands = ((self.value(hand), hand) for hand in hands_of(groups, size))
        return max(hands, key=lambda found: found[0], default=None)

    def categories(self, groups: Sequence[Group], size: int = 5) -> frozenset[Category]:
        """Every category that some hand of `size` cards out of `groups` has."""
        return frozenset(self.value(hand).category for hand in hands_of(groups, size))


def hands_of(groups: Sequence[Group], size: int = 5) -> Iterator[tuple[str, ...]]:
    """Every choice of `size` cards that takes enough of each group, each choice once."""
    counts = (range(group.least, min(size, len(group.cards)) + 1) for group in groups)
    for taken in product(*counts):
        if sum(taken) == size:
            parts = (combinations(group.cards, count) for group, count in zip(groups, taken, strict=True))
            for chosen in product(*parts):
                yield tuple(card for part in chosen for card in part)


@lru_cache(maxsize=1 << 16)
def _value(order: HandOrder, ranks: tuple[int, ...], one_suit: bool) -> HandValue:
    """The worth of a hand of these ranks, highest first; hands repeat so often that it is worth keeping."""
    grouped = tuple(sorted(ranks, key=lambda rank: (-ranks.count(rank), -rank)))
    category = _category(order, ranks, one_suit)
    if category in {Category.STRAIGHT, Category.STRAIGHT_FLUSH} and ranks == order.wheel:
        grouped = (*ranks[1:], ranks[0])
    return HandValue(order.strength(category), grouped, category)


def _category(order: HandOrder, ranks: tuple[int, ...], one_suit: bool) -> Category:
    """The strongest category, in this order, that a hand belongs to."""
    found = {_by_groups(ranks)}
    if len(ranks) >= order.line:
        sequence = order.is_sequence(ranks)
        found.update(
            category
            for category, holds in (
                (Category.STRAIGHT, sequence),
                (Category.FLUSH, one_suit),
                (Category.STRAIGHT_FLUSH, sequence and one_suit),
            )
            if holds
        )
    return max(found, key=order.strength)


def _by_groups(ranks: tuple[int, ...]) -> Category:
    """What the hand is by cards of equal rank alone."""
    sizes = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    match sizes:
        case [size, *_] if size >= 4:
            return Category.FOUR
        case [3, second, *_] if second > 1:
            return Category.FULL_HOUSE
        case [3, *_]:
            return Category.TRIPLE
        case [2, 2, *_]:
            return Category.TWO_PAIRS
        case [2, *_]:
            return Category.PAIR
        case _:
            return Category.HIGH_CARD
