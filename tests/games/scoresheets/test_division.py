"""DC-33: the totals of a suit that several players can have at once."""

from itertools import combinations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from vaultkit.games.dragon_citadel.scoresheet import MAX_SUIT_TOTAL, SUIT_NUMBERS, possible_sets
from vaultkit.games.shares import find_conflict, have_disjoint_sets

owners = st.lists(st.integers(0, 4), min_size=9, max_size=9)
"""The owner of each number; 4 means nobody."""
totals = st.lists(st.integers(0, 20), max_size=4)


def divide_suit(by: list[int]) -> list[frozenset[int]]:
    return [frozenset(number for number in SUIT_NUMBERS if by[number - 1] == owner) for owner in range(4)]


@given(owners, st.lists(st.booleans(), min_size=4, max_size=4))
def test_possible_deal_is_never_questioned(by: list[int], named: list[bool]) -> None:
    hands = divide_suit(by)
    shares = [possible_sets(sum(hand), tuple(hand) if known else ()) for hand, known in zip(hands, named, strict=True)]
    assert have_disjoint_sets(shares)
    assert find_conflict(dict(enumerate(shares))) == ()


def is_divisible_brute(wanted: list[int]) -> bool:
    """Return whether any way to give the nine numbers to the players, or to nobody, has these sums."""
    return any(
        all(
            sum(n for n, by in zip(SUIT_NUMBERS, deal, strict=True) if by == owner) == total
            for owner, total in enumerate(wanted)
        )
        for deal in product(range(len(wanted) + 1), repeat=9)
    )


@settings(max_examples=count(30, 1_000))
@given(st.lists(st.integers(0, 24), max_size=2))
def test_division_search_agrees_with_brute_force(wanted: list[int]) -> None:
    assert have_disjoint_sets([*map(possible_sets, wanted)]) is is_divisible_brute(wanted)


def test_division_search_agrees_with_brute_force_for_all_pairs_and_threes() -> None:
    """The search agrees with brute force for all totals up to 7 of two and three players."""
    real = {tuple(sorted(_sums(deal, 3))) for deal in product(range(3 + 1), repeat=6)}
    tried = [wanted for wanted in product(range(8), repeat=3) if wanted == tuple(sorted(wanted))]
    for wanted in tried:
        assert have_disjoint_sets([*map(possible_sets, wanted)]) is (tuple(wanted) in _possible_totals(real, wanted))


def _sums(deal: tuple[int, ...], owners: int) -> list[int]:
    return [sum(number for number, by in enumerate(deal, 1) if by == owner) for owner in range(owners)]


def _possible_totals(real: set[tuple[int, ...]], wanted: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return the possible totals up to 7.

    Totals up to 6 need only numbers up to 6, and a 7 may be the number 7 itself, once.
    """
    if 7 not in wanted:
        return real
    less = tuple(sorted((*wanted[:-1], 0)))
    return real | ({wanted} if less in real else set())


@given(totals)
def test_the_conflict_is_the_smallest_group(wanted: list[int]) -> None:
    shares = {seat: possible_sets(total) for seat, total in enumerate(wanted)}
    group = find_conflict(shares)
    assert bool(group) is not have_disjoint_sets(shares.values())
    smaller = (some for size in range(len(group)) for some in combinations(sorted(shares), size))
    assert all(have_disjoint_sets([shares[seat] for seat in some]) for some in smaller)
    assert not group or not have_disjoint_sets([shares[seat] for seat in group])


def test_every_total_up_to_45_is_possible_for_one_player() -> None:
    assert MAX_SUIT_TOTAL == 45
    assert all(have_disjoint_sets([possible_sets(total)]) for total in range(MAX_SUIT_TOTAL + 1))
    assert not have_disjoint_sets([possible_sets(MAX_SUIT_TOTAL + 1)]) and not have_disjoint_sets([possible_sets(-1)])
