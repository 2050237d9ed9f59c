"""The values of hands of cards: categories and ranks as in poker, for any ranks and suits."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import chain, combinations, pairwise, product
from operator import itemgetter
from typing import NamedTuple

from vaultkit.text import group


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


POKER_ORDER = tuple(Category)
"""The order of categories in poker, strongest first (DD-16)."""

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
"""The names of the categories for hands of Tarokka cards, strongest first."""

CATEGORY_MEANINGS = {
    Category.STRAIGHT_FLUSH: "a row of one suit",
    Category.FOUR: "four alike",
    Category.FULL_HOUSE: "three and two alike",
    Category.STRAIGHT: "a row",
    Category.FLUSH: "one suit",
}
"""The meanings of categories of hands whose names do not say them."""


def explain_name(category: Category, names: Mapping[Category, str]) -> str:
    """Return the name of a category with its meaning, unless the name says it: `Family (a row of one suit)`."""
    name, meaning = names[category], CATEGORY_MEANINGS.get(category)
    return f"{name} ({meaning})" if meaning and " of a kind" not in name else name


def describe_order(categories: Iterable[Category], names: Mapping[Category, str]) -> str:
    """Return a sentence about an order of categories, strongest first, with the meanings of their names."""
    return f"From the strongest hand: {', '.join(explain_name(category, names) for category in categories)}."


FIVE_CARD_CATEGORIES = (Category.STRAIGHT_FLUSH, Category.STRAIGHT, Category.FLUSH, Category.FULL_HOUSE)
"""The categories of hands that need five cards, all but the full house unless four in a row or of a suit count."""

TAROKKA_ORDER = tuple(TAROKKA_NAMES)
"""The order of categories in the rules of Prophet's Gambit, strongest first (PG-37)."""

TAROKKA_RARITY_ORDER = (*TAROKKA_ORDER[:2], Category.FLUSH, Category.FULL_HOUSE, Category.STRAIGHT, *TAROKKA_ORDER[5:])
"""The order of categories in Prophet's Gambit by how rare they are among 40 cards, rarest first (PG-37)."""


class HandValue(NamedTuple):
    """The value of a hand; the greater wins, and equal hands have equal values.

    `strength` is the place of the category, 0 for the weakest. `ranks` are the cards' ranks, those that occur most
    often first, and of these the highest first: a pair of 9s with 10, 8 and 7 is (9, 9, 10, 8, 7). The
    sequence A-5-4-3-2, a wheel, counts from its second card, as 5-4-3-2-A.
    """

    strength: int
    ranks: tuple[int, ...]
    category: Category


@dataclass(frozen=True, slots=True)
class HandOrder:
    """An order by which hands compare. `categories` go from the strongest to the weakest.

    `wheel` holds the ranks, highest first, of the one hand that becomes a sequence when its first card is put last
    (A-5-4-3-2); it is empty if there is none. Cards of the ranks `unordered_ranks` are in no other sequence. Hands of
    fewer than `min_line_cards` cards count neither as a straight nor as a flush.
    """

    categories: tuple[Category, ...] = POKER_ORDER
    wheel: tuple[int, ...] = ()
    unordered_ranks: frozenset[int] = frozenset()
    min_line_cards: int = 5

    def is_sequence(self, ranks: tuple[int, ...]) -> bool:
        """Return whether ranks, highest first, are in numerical order."""
        if ranks == self.wheel:
            return True
        in_order = all(high == low + 1 for high, low in pairwise(ranks))
        return in_order and self.unordered_ranks.isdisjoint(ranks)

    def strength(self, category: Category) -> int:
        """Return the index of a category, counted from the weakest."""
        return len(self.categories) - 1 - self.categories.index(category)


@dataclass(frozen=True, slots=True)
class CardGroup:
    """A group of cards to choose from: a hand must use at least `least` of them."""

    cards: Sequence[str]
    least: int = 0


@dataclass(frozen=True, eq=False, slots=True)
class HandRanking:
    """The ranks, suits and order by which hands are compared.

    `faces` maps each card to its rank, of which the higher is better, and its suit. `further_suits` maps cards with
    several suits to their further suits: such a card counts for a flush in each of its suits.
    """

    order: HandOrder
    faces: Mapping[str, tuple[int, str]]
    further_suits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def suits(self, card: str) -> tuple[str, ...]:
        """Return all suits of a card."""
        return self.faces[card][1], *self.further_suits.get(card, ())

    def value(self, cards: Iterable[str]) -> HandValue:
        """Return the value of a hand, in which all cards are used."""
        hand = tuple(cards)
        ranks, suits = zip(*(self.faces[card] for card in hand), strict=True)
        one_suit = len(set(suits)) == 1
        if self.further_suits and not one_suit:
            one_suit = bool(set.intersection(*(set(self.suits(card)) for card in hand)))
        return _evaluate(self.order, tuple(sorted(ranks, reverse=True)), one_suit)

    def find_best(self, groups: Sequence[CardGroup], size: int = 5) -> tuple[HandValue, tuple[str, ...]] | None:
        """Return the best hand of `size` cards out of `groups` and its value; None if there is no hand.

        Its cards are in the order in which they count. Of equal hands, one with few cards of the first group is taken.
        """
        hand_search = self._search(groups, size)
        for category in self.order.categories:
            best_hands = [first for hands in hand_search.hands(category) if (first := next(hands, None))]
            if best_hands:
                ranks, hand = max(best_hands, key=itemgetter(0))
                return HandValue(self.order.strength(category), ranks, category), hand
        return None

    def can_make(self, category: Category, groups: Sequence[CardGroup], size: int = 5) -> bool:
        """Return whether some hand of `size` cards out of `groups` is of this category, and of no stronger one."""
        hands = chain.from_iterable(self._search(groups, size).hands(category))
        return any(self.value(hand).category is category for _, hand in hands)

    def _search(self, groups: Sequence[CardGroup], size: int) -> "_HandSearch":
        """Return the search for hands of `size` cards out of `groups`."""
        # The last group, which all players share, goes first, so that of equal cards the shared ones are taken.
        cards = [card for group in reversed(groups) for card in group.cards]
        needs = tuple((frozenset(group.cards), group.least) for group in groups if group.least)
        return _HandSearch(self, size, _pool_by_rank(cards, self.faces), needs)


Pool = Mapping[int, Sequence[str]]
"""Cards by their rank, the highest first."""

Shape = tuple[tuple[int, int], ...]
"""The sizes of the groups of equal rank in a hand, each with how many groups have it.

Two pairs and another card are ((2, 2), (1, 1)): size 2 twice, and size 1 once.
"""

RankedHand = tuple[tuple[int, ...], tuple[str, ...]]
"""The ranks of a hand, as they count in `HandValue`, and its cards in the same order."""


@dataclass(frozen=True, slots=True)
class _HandSearch:
    """A search for hands of `size` cards out of `pool` with enough cards of each group in `needs`.

    Ranks are chosen before cards, the best first, so that few hands are built in vain.
    """

    ranking: HandRanking
    size: int
    pool: Pool
    needs: tuple[tuple[frozenset[str], int], ...]

    def hands(self, category: Category) -> Iterator[Iterator[RankedHand]]:
        """Yield iterators of hands that are of `category` or a stronger one. Each begins with its best hand."""
        one_suit = category is Category.FLUSH or category is Category.STRAIGHT_FLUSH
        in_order = category is Category.STRAIGHT or category is Category.STRAIGHT_FLUSH
        if (one_suit or in_order) and self.size < self.ranking.order.min_line_cards:
            return
        for pool in self._suit_pools() if one_suit else (self.pool,):
            if in_order:
                yield self._build_hands(((1, self.size),), self._sequences(pool), pool)
                continue
            for shape in _shapes(self.size, category):
                yield self._build_hands(shape, _choose_ranks(shape, pool), pool)

    def _suit_pools(self) -> Iterator[Pool]:
        """Yield the cards, by rank, of each suit that has enough of them for a hand."""
        cards = (card for equals in self.pool.values() for card in equals)
        for suited in group((suit, card) for card in cards for suit in self.ranking.suits(card)).values():
            if len(suited) >= self.size:
                yield _pool_by_rank(suited, self.ranking.faces)

    def _sequences(self, pool: Pool) -> list[tuple[int, ...]]:
        """Return the ranks of every sequence, the best first, in the order in which they count."""
        wheel, outside = self.ranking.order.wheel, self.ranking.order.unordered_ranks
        ranks = tuple(rank for rank in pool if rank not in outside)
        spans = (ranks[start : start + self.size] for start in range(len(ranks) - self.size + 1))
        runs = [span for span in spans if span[0] - span[-1] == self.size - 1 and span != wheel]
        if len(wheel) == self.size and pool.keys() >= set(wheel):
            runs.append((*wheel[1:], wheel[0]))
        return sorted(runs, reverse=True)

    def _build_hands(self, shape: Shape, rank_choices: Iterable[tuple[int, ...]], pool: Pool) -> Iterator[RankedHand]:
        """Yield the hands of a shape from the cards of `pool`.

        Each item of `rank_choices` gives every group its rank.
        """
        counts = [count for count, times in shape for _ in range(times)]
        for ranks in rank_choices:
            parts = (combinations(pool[rank], count) for rank, count in zip(ranks, counts, strict=True))
            for card_groups in product(*parts):
                hand = tuple(chain.from_iterable(card_groups))
                if all(len(cards.intersection(hand)) >= least for cards, least in self.needs):
                    yield tuple(self.ranking.faces[card][0] for card in hand), hand


def _pool_by_rank(cards: Iterable[str], faces: Mapping[str, tuple[int, str]]) -> Pool:
    """Return cards by their rank, the highest first; cards of equal rank keep their order."""
    pool: dict[int, list[str]] = {}
    for card in sorted(cards, key=lambda card: -faces[card][0]):
        pool.setdefault(faces[card][0], []).append(card)
    return pool


def _choose_ranks(shape: Shape, pool: Pool, used: frozenset[int] = frozenset()) -> Iterator[tuple[int, ...]]:
    """Yield the ranks that the groups of a shape can have with the cards of `pool`, the best first.

    The ranks `used` are not available.
    """
    count, times = shape[0]
    fitting_ranks = [rank for rank, cards in pool.items() if len(cards) >= count and rank not in used]
    if len(shape) == 1:
        yield from combinations(fitting_ranks, times)
        return
    for ranks in combinations(fitting_ranks, times):
        for others in _choose_ranks(shape[1:], pool, used.union(ranks)):
            yield (*ranks, *others)


@lru_cache(maxsize=64)
def _shapes(size: int, category: Category) -> tuple[Shape, ...]:
    """Return the shapes of hands of `size` cards in a category; a flush may have any."""
    partitions = _partitions(size, size)
    allowed = (counts for counts in partitions if category in {Category.FLUSH, _category_by_counts(counts)})
    return tuple(tuple(Counter(counts).items()) for counts in allowed)


def _partitions(size: int, limit: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to split `size` cards into groups of at most `limit`, each with the largest group first."""
    if not size:
        yield ()
    for first in range(min(size, limit), 0, -1):
        for rest in _partitions(size - first, first):
            yield (first, *rest)


@lru_cache(maxsize=1 << 16)
def _evaluate(order: HandOrder, ranks: tuple[int, ...], one_suit: bool) -> HandValue:
    """Return the value of a hand with given ranks, highest first.

    The same hands recur so often that values are cached.
    """
    grouped = tuple(sorted(ranks, key=lambda rank: (-ranks.count(rank), -rank)))
    category = _find_category(order, ranks, one_suit)
    if category in {Category.STRAIGHT, Category.STRAIGHT_FLUSH} and ranks == order.wheel:
        grouped = (*ranks[1:], ranks[0])
    return HandValue(order.strength(category), grouped, category)


def _find_category(order: HandOrder, ranks: tuple[int, ...], one_suit: bool) -> Category:
    """Return the category of a hand that is strongest by `order`; `ranks` are highest first."""
    categories = {_category_by_counts(tuple(sorted(Counter(ranks).values(), reverse=True)))}
    if len(ranks) >= order.min_line_cards:
        sequence = order.is_sequence(ranks)
        if sequence:
            categories.add(Category.STRAIGHT)
        if one_suit:
            categories |= {Category.FLUSH, Category.STRAIGHT_FLUSH} if sequence else {Category.FLUSH}
    return max(categories, key=order.strength)


def _category_by_counts(counts: tuple[int, ...]) -> Category:
    """Return the category of a hand if only equal ranks count, and not sequences and suits.

    `counts` are the sizes of its groups of equal rank, the largest first.
    """
    match counts:
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
