"""The worth of hands, by the order of poker and by those of Prophet's Gambit."""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.games.hands import POKER, TAROKKA, TAROKKA_BY_RARITY, Category, Group, HandOrder, Ranking, hands_of

WHEEL = (14, 5, 4, 3, 2)
FRENCH_RANKS = dict(zip("23456789TJQKA", range(2, 15), strict=True))
FRENCH = Ranking(HandOrder(POKER, WHEEL), {f"{r}{s}": (n, s) for r, n in FRENCH_RANKS.items() for s in "cdhs"})
TAROKKA_RANKS = {**{str(number): number for number in range(1, 10)}, "M": 10}
FACES = {f"{r}{s}": (n, s) for r, n in TAROKKA_RANKS.items() for s in "wtcg"}


def tarokka(categories: tuple[Category, ...] = TAROKKA, **more: object) -> Ranking:
    return Ranking(HandOrder(categories, **more), FACES)  # type: ignore[arg-type]


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
    found = FRENCH.best((Group(["As", "Ks", "Qs", "Js", "Ts"]), Group(["2c", "3d", "4h", "7c", "9d"], least=1)))
    assert found is not None
    assert (found[0].category, found[0].ranks) == (Category.STRAIGHT, (13, 12, 11, 10, 9))
    assert "9d" in found[1]


def test_best_and_categories_of_too_few_cards() -> None:
    assert FRENCH.best((Group(("As", "Ks")),)) is None
    assert FRENCH.categories((Group(("As", "Ks")),)) == frozenset()


def test_dd_9_all_categories_that_cards_can_make() -> None:
    groups = (Group(("Ac", "As")), Group(["Ah", "Kc", "Kd", "Kh", "2c"], least=1))
    found = FRENCH.categories(groups)
    assert found == {Category.FULL_HOUSE, Category.TRIPLE, Category.TWO_PAIRS}


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 3), st.integers(0, 3))
def test_hands_of_are_all_that_take_enough_of_each_group(own: int, board: int, least_own: int, least: int) -> None:
    first, second = [f"a{i}" for i in range(own)], [f"b{i}" for i in range(board)]
    found = [frozenset(hand) for hand in hands_of((Group(first, least_own), Group(second, least)))]
    fit = [
        frozenset(hand)
        for hand in combinations((*first, *second), 5)
        if len(set(hand) & set(first)) >= least_own and len(set(hand) & set(second)) >= least
    ]
    assert Counter(found) == Counter(fit)


@given(st.permutations(list(FACES)), st.integers(1, 5))
def test_the_order_of_the_cards_does_not_matter(cards: list[str], size: int) -> None:
    assert tarokka().value(cards[:size]) == tarokka().value(cards[:size][::-1])


@given(st.permutations(list(FRENCH.faces)))
def test_the_best_hand_is_no_worse_than_any_other(cards: list[str]) -> None:
    groups = (Group(cards[:2]), Group(cards[2:7], least=1))
    found = FRENCH.best(groups)
    assert found is not None and found[0] == FRENCH.value(found[1])
    assert all(FRENCH.value(hand) <= found[0] for hand in hands_of(groups))


def frequencies(ranking: Ranking) -> Counter[Category]:
    """How often each category comes in all five-card hands, counted by ranks; four suits of equal length."""
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
    assert order.line == 5
    return suited


def test_pg_37_how_rare_the_five_card_hands_of_the_tarokka_are() -> None:
    found = frequencies(tarokka())
    assert sum(found.values()) == 658_008
    assert [found[category] for category in TAROKKA_BY_RARITY[:5]] == [24, 360, 984, 2160, 6120]
    assert list(TAROKKA_BY_RARITY[:8]) == sorted(TAROKKA_BY_RARITY[:8], key=found.__getitem__)


def test_dd_16_how_rare_the_hands_of_poker_are() -> None:
    found = frequencies(FRENCH)
    expected = [40, 624, 3744, 5108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540]
    assert [found[category] for category in POKER] == expected


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
def test_pg_36_four_cards_scaled(hand: str, category: Category) -> None:
    assert tarokka(line=4).value(hand.split()).category == category


def test_pg_37_seed_order_ranks_guild_below_village() -> None:
    guild, village = ["1w", "3w", "5w", "7w", "9w"], ["1w", "2w", "3c", "4g", "5w"]
    assert tarokka().value(guild) < tarokka().value(village)
    assert tarokka(TAROKKA_BY_RARITY).value(guild) > tarokka(TAROKKA_BY_RARITY).value(village)


def test_pg_3_ranks_outside_of_sequences() -> None:
    hand = ["6w", "7t", "8c", "9g", "Mw"]
    assert tarokka().value(hand).category == Category.STRAIGHT
    assert tarokka(outside=frozenset({10})).value(hand).category == Category.HIGH_CARD
