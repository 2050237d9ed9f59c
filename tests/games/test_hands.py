"""The values of hands, by the order of poker and by those of Prophet's Gambit."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from vaultkit.games.hands import (
    POKER_ORDER,
    TAROKKA_ORDER,
    TAROKKA_RARITY_ORDER,
    CardGroup,
    Category,
    HandOrder,
    HandRanking,
)

WHEEL = (14, 5, 4, 3, 2)
FRENCH_RANKS = dict(zip("23456789TJQKA", range(2, 15), strict=True))
FRENCH = HandRanking(
    HandOrder(POKER_ORDER, WHEEL), {f"{r}{s}": (n, s) for r, n in FRENCH_RANKS.items() for s in "cdhs"}
)
TAROKKA_RANKS = {**{str(number): number for number in range(1, 10)}, "M": 10}
FACES = {f"{r}{s}": (n, s) for r, n in TAROKKA_RANKS.items() for s in "wtcg"}


def tarokka(categories: tuple[Category, ...] = TAROKKA_ORDER, **more: object) -> HandRanking:
    return HandRanking(HandOrder(categories, **more), FACES)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hand", "category", "ranks"),
    [
        ("As Ks Qs Js Ts", Category.STRAIGHT_FLUSH, (14, 13, 12, 11, 10)),
        ("5c 4c 3c 2c Ac", Category.STRAIGHT_FLUSH, (5, 4, 3, 2, 14)),
        ("9s 9c 9d 9h 2s", Category.FOUR, (9, 9, 9, 9, 2)),
        ("3s 3c 3d As Ac", Category.FULL_HOUSE, (3, 3, 3, 14, 14)),
        ("2h 9h Kh 4h 5h", Category.FLUSH, (13, 9, 5, 4, 2)),
        ("5d 6c 7c 8c 9c", Category.STRAIGHT, (9, 8, 7, 6, 5)),
        ("As 2c 3c 4c 5c", Category.STRAIGHT, (5, 4, 3, 2, 14)),
        ("Qs Kc Ac 2c 3c", Category.HIGH_CARD, (14, 13, 12, 3, 2)),
        ("4s 4c 4d 9s Kc", Category.TRIPLE, (4, 4, 4, 13, 9)),
        ("2s 2c Kd Kc As", Category.TWO_PAIRS, (13, 13, 2, 2, 14)),
        ("9s 9c Ts 8c 7d", Category.PAIR, (9, 9, 10, 8, 7)),
    ],
)
def test_dd_16_hands_of_poker(hand: str, category: Category, ranks: tuple[int, ...]) -> None:
    value = FRENCH.value(hand.split())
    assert (value.category, value.ranks) == (category, ranks)


def test_dd_16_a_wheel_is_the_lowest_straight() -> None:
    straights = [FRENCH.value(hand.split()) for hand in ("As 2c 3c 4c 5c", "2s 3c 4c 5c 6d", "Ts Jc Qc Kc Ad")]
    assert straights == sorted(straights) and len(set(straights)) == 3


def test_dd_16_suits_do_not_matter_between_equal_hands() -> None:
    assert FRENCH.value(["As", "Kc", "9d", "8d", "2d"]) == FRENCH.value(["Ah", "Kd", "9c", "8s", "2s"])


def test_dd_s3_best_hand_takes_a_card_of_the_board() -> None:
    found = FRENCH.find_best(
        (CardGroup(["As", "Ks", "Qs", "Js", "Ts"]), CardGroup(["2c", "3d", "4h", "7c", "9d"], least=1))
    )
    assert found is not None
    assert (found[0].category, found[0].ranks) == (Category.STRAIGHT, (13, 12, 11, 10, 9))
    assert "9d" in found[1]


def categories_of(ranking: HandRanking, groups: Sequence[CardGroup], size: int = 5) -> set[Category]:
    return {category for category in ranking.order.categories if ranking.can_make(category, groups, size)}


def test_best_and_categories_of_too_few_cards() -> None:
    assert FRENCH.find_best((CardGroup(("As", "Ks")),)) is None
    assert categories_of(FRENCH, (CardGroup(("As", "Ks")),)) == set()


def test_dd_9_all_categories_possible_for_given_cards() -> None:
    groups = (CardGroup(("Ac", "As")), CardGroup(["Ah", "Kc", "Kd", "Kh", "2c"], least=1))
    found = categories_of(FRENCH, groups)
    assert found == {Category.FULL_HOUSE, Category.TRIPLE, Category.TWO_PAIRS}


def every_hand(groups: Sequence[CardGroup], size: int) -> Iterator[tuple[str, ...]]:
    """Yield, by brute force, every choice of `size` cards that takes enough of each group."""
    owner = {card: at for at, group in enumerate(groups) for card in group.cards}
    for hand in combinations(owner, size):
        taken = Counter(owner[card] for card in hand)
        if all(taken[at] >= group.least for at, group in enumerate(groups)):
            yield hand


# Few ranks and suits, so that all kinds of hands come up; some cards have equal faces.
FEW = {f"{suit}{copy}{rank}": (rank, suit) for rank in range(1, 8) for suit in "xy" for copy in "ab"}
WHEELS = ((), (7, 4, 3, 2, 1), (7, 3, 2, 1), (6, 4, 3, 2, 1), (5, 4, 3, 2, 1))


@st.composite
def orders(draw: st.DrawFn) -> HandOrder:
    categories = draw(st.sampled_from((POKER_ORDER, TAROKKA_ORDER)) | st.permutations(POKER_ORDER).map(tuple))
    outside = draw(st.frozensets(st.integers(1, 7), max_size=2))
    return HandOrder(categories, draw(st.sampled_from(WHEELS)), outside, draw(st.integers(3, 5)))


@st.composite
def tables(draw: st.DrawFn) -> list[CardGroup]:
    cards = draw(st.lists(st.sampled_from(sorted(FEW)), min_size=1, max_size=9, unique=True))
    ends = sorted(draw(st.lists(st.integers(0, len(cards)), max_size=2)))
    least = st.sampled_from((0, 0, 1, 1, 2, 3))
    starts = zip([0, *ends], [*ends, len(cards)], strict=True)
    return [CardGroup(cards[start:end], draw(least)) for start, end in starts]


@pytest.mark.slow
@settings(max_examples=count(50, 2_000))
@given(orders(), tables(), st.sampled_from((3, 4, 5, 5, 5, 6)))
def test_dd_5_dd_16_best_of_many_matches_a_full_search(order: HandOrder, groups: list[CardGroup], size: int) -> None:
    ranking = HandRanking(order, FEW)
    legal = {frozenset(hand): ranking.value(hand) for hand in every_hand(groups, size)}
    found = ranking.find_best(groups, size)
    assert categories_of(ranking, groups, size) == {value.category for value in legal.values()}
    if found is None:
        assert not legal
    else:
        value, hand = found
        assert legal[frozenset(hand)] == value == max(legal.values())
        assert tuple(FEW[card][0] for card in hand) == value.ranks


@pytest.mark.slow
@given(st.permutations(list(FRENCH.faces)), st.integers(1, 4), st.integers(0, 1), st.integers(0, 1))
def test_dd_16_best_hand_of_a_board_and_some_cards(cards: list[str], own: int, least: int, least_own: int) -> None:
    groups = (CardGroup(cards[:own], least_own), CardGroup(cards[own : own + 5], least))
    found = FRENCH.find_best(groups)
    assert found is not None
    assert found[0] == FRENCH.value(found[1]) == max(map(FRENCH.value, every_hand(groups, 5)))
    assert FRENCH.find_best(groups) == found


def test_dd_5_more_required_cards_than_available() -> None:
    assert FRENCH.find_best((CardGroup(("As", "Ks", "Qs", "Js", "Ts")), CardGroup((), least=1))) is None
    assert FRENCH.find_best((CardGroup(("As", "Ks", "Qs"), least=3), CardGroup(("Js", "Ts", "9s"), least=3))) is None
    assert not FRENCH.can_make(Category.HIGH_CARD, (CardGroup(("As", "Ks", "Qs", "Js", "9c"), least=6),))


def test_dd_16_the_higher_of_two_flushes() -> None:
    low, high = ("Ks", "9s", "7s", "3s", "2s"), ("Ah", "Qh", "8h", "6h", "4h")
    for groups in ((low, high), (high, low)):
        found = FRENCH.find_best([CardGroup(cards) for cards in groups])
        assert found is not None and found[1] == high


def test_equal_hands_prefer_the_cards_shared_by_all() -> None:
    found = FRENCH.find_best((CardGroup(("9h", "8h")), CardGroup(("5s", "6d", "7c", "8s", "9s"), least=1)))
    assert found is not None and found[1] == ("9s", "8s", "7c", "6d", "5s")


def test_dd_9_same_cards_may_make_a_requested_hand_only_as_a_better_one() -> None:
    straight_flush = (CardGroup(("As", "Ks", "Qs", "Js", "Ts")),)
    assert FRENCH.can_make(Category.STRAIGHT_FLUSH, straight_flush)
    for category in (Category.FLUSH, Category.STRAIGHT, Category.HIGH_CARD):
        assert not FRENCH.can_make(category, straight_flush)
    assert FRENCH.can_make(Category.STRAIGHT, (CardGroup(("As", "Ks", "Qs", "Js", "Ts", "Th")),))


@pytest.mark.slow
@given(st.permutations(list(FACES)), st.integers(1, 5))
def test_the_order_of_the_cards_does_not_matter(cards: list[str], size: int) -> None:
    assert tarokka().value(cards[:size]) == tarokka().value(cards[:size][::-1])


def frequencies(ranking: HandRanking) -> Counter[Category]:
    """Return the number of five-card hands of each category, counted by ranks; all suits are equally long."""
    order, suited = ranking.order, Counter[Category]()
    ranks = sorted({rank for rank, _ in ranking.faces.values()}, reverse=True)
    names = {face: card for card, face in ranking.faces.items()}
    suits = sorted({suit for _, suit in ranking.faces.values()})
    for chosen in combinations_with_replacement(ranks, 5):
        counts = Counter(chosen)
        if max(counts.values()) > 4:
            continue
        ways = prod(comb(4, count) for count in counts.values())
        if len(counts) == 5:
            one_suit = ranking.value([names[rank, suits[0]] for rank in chosen])
            suited[one_suit.category] += 4
            ways -= 4
        given_out: Counter[int] = Counter()
        mixed = []
        for place, rank in enumerate(chosen):
            mixed.append(names[rank, suits[(given_out[rank] + (place == 0 and len(counts) == 5)) % 4]])
            given_out[rank] += 1
        suited[ranking.value(mixed).category] += ways
    assert order.min_line_cards == 5
    return suited


def test_pg_37_rarity_of_the_five_card_hands_of_the_tarokka() -> None:
    found = frequencies(tarokka())
    assert sum(found.values()) == 658_008
    assert [found[category] for category in TAROKKA_RARITY_ORDER[:5]] == [24, 360, 984, 2160, 6120]
    assert list(TAROKKA_RARITY_ORDER[:8]) == sorted(TAROKKA_RARITY_ORDER[:8], key=found.__getitem__)


@pytest.mark.slow
def test_dd_16_rarity_of_the_poker_hands() -> None:
    found = frequencies(FRENCH)
    expected = [40, 624, 3744, 5108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540]
    assert [found[category] for category in POKER_ORDER] == expected


def test_pg_36_four_cards_make_groups_only() -> None:
    for hand, category in (("5w 6w 7w 8w", Category.HIGH_CARD), ("5w 5c 5g 5t", Category.FOUR)):
        assert tarokka().value(hand.split()).category == category
    assert tarokka().value(["5w", "5c", "6w", "6g"]).category == Category.TWO_PAIRS


@pytest.mark.parametrize(
    ("hand", "category"),
    [
        ("5w 6w 7w 8w", Category.STRAIGHT_FLUSH),
        ("5w 6w 7w 8c", Category.STRAIGHT),
        ("5w 6w 7w 9w", Category.FLUSH),
        ("5w 5c 5g 9w", Category.TRIPLE),
    ],
)
def test_pg_36_four_card_hands_with_scaled_sequences(hand: str, category: Category) -> None:
    assert tarokka(min_line_cards=4).value(hand.split()).category == category


def test_pg_37_default_order_ranks_guild_below_village() -> None:
    guild, village = ["1w", "3w", "5w", "7w", "9w"], ["1w", "2w", "3c", "4g", "5w"]
    assert tarokka().value(guild) < tarokka().value(village)
    assert tarokka(TAROKKA_RARITY_ORDER).value(guild) > tarokka(TAROKKA_RARITY_ORDER).value(village)


def test_pg_3_ranks_outside_of_sequences() -> None:
    hand = ["6w", "7t", "8c", "9g", "Mw"]
    assert tarokka().value(hand).category == Category.STRAIGHT
    assert tarokka(unordered_ranks=frozenset({10})).value(hand).category == Category.HIGH_CARD
