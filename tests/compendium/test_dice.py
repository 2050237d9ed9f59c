from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.compendium.tables.dice import MAX_DICE, MAX_SIDES, OPEN_SPAN_DISTANCE, Dice, Span, Term, parse_spans
from vaultkit.errors import UsageError

TERMS = st.builds(
    lambda count, sides, keep, negative: Term(count, sides, keep if abs(keep) <= count else 0, negative),
    st.integers(1, 20),
    st.integers(1, MAX_SIDES),
    st.integers(-20, 20),
    st.booleans(),
)
DICE = st.builds(Dice, st.lists(TERMS, max_size=5).map(tuple), st.integers(-1000, 1000))


@pytest.mark.parametrize(
    ("text", "written", "lowest", "highest"),
    [
        ("d20", "d20", 1, 20),
        ("1d100", "d100", 1, 100),
        ("d%", "d100", 1, 100),
        ("2d6+1", "2d6+1", 3, 13),
        ("d8 + d12", "d8+d12", 2, 20),
        ("3d6 – 2", "3d6-2", 1, 16),
        ("1+2D6", "2d6+1", 3, 13),
        ("4d6kh3", "4d6kh3", 3, 18),
        ("2d20k", "2d20kh1", 1, 20),
        ("2d20kl1", "2d20kl1", 1, 20),
        ("-d4", "-d4", -4, -1),
        ("7", "7", 7, 7),
        ("d66", "d66", 11, 66),
        ("1d66", "1d66", 1, 66),
    ],
)
def test_common_dice_notations_are_read(text: str, written: str, lowest: int, highest: int) -> None:
    dice = Dice.parse(text)
    assert (str(dice), dice.lowest, dice.highest) == (written, lowest, highest)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "d",
            "2d",
            "d0",
            "0d6",
            "2d6+",
            "2d6 3",
            "d6d6",
            "d66+1",
            "banana",
            "²d6",
            "4d6kh5",
            "4d6kh0",
            "kh1",
        ),
        *(f"{MAX_DICE + 1}d6", f"d{MAX_SIDES + 1}", "600d6+600d6", "d6+9999999", "9" * 5000, "d6" * 5000),
    ],
)
def test_invalid_dice_are_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        Dice.parse(text)
    assert caught.value.hint
    assert len(caught.value.message) < 120


@pytest.mark.slow
@given(DICE)
def test_formatted_dice_can_be_parsed(dice: Dice) -> None:
    assert Dice.parse(str(dice)) == dice


@given(st.text("0123456789dkhl%+- ", max_size=12))
def test_any_text_is_dice_that_read_back_the_same_or_a_clear_error(text: str) -> None:
    try:
        dice = Dice.parse(text)
    except UsageError:
        return
    assert Dice.parse(str(dice)) == dice


@pytest.mark.slow
@given(DICE, st.integers())
def test_roll_is_within_the_dice_and_reproducible(dice: Dice, seed: int) -> None:
    number = dice.roll(Random(str(seed)))
    assert dice.lowest <= number <= dice.highest
    assert number == dice.roll(Random(str(seed)))


@pytest.mark.parametrize("text", ["d4", "2d3+1", "d66", "4d2kh1", "d4-d4"])
def test_exactly_the_possible_numbers_are_rolled(text: str) -> None:
    dice, rng = Dice.parse(text), Random("all")
    possible = {number for first, last in dice.spans for number in range(first, last + 1)}
    assert {dice.roll(rng) for _ in range(1500)} == possible


def test_best_or_worst_dice_are_selected() -> None:
    for seed in "abcdefgh":
        one_by_one = Random(seed)
        shown = sorted(Dice.parse("d6").roll(one_by_one) for _ in range(4))
        assert Dice.parse("4d6kh3").roll(Random(seed)) == sum(shown[1:])
        assert Dice.parse("4d6kl1").roll(Random(seed)) == shown[0]


def test_largest_roll_is_computed_in_time() -> None:
    assert Dice.parse(f"{MAX_DICE}d{MAX_SIDES}").roll(Random("x")) >= MAX_DICE


@pytest.mark.parametrize(
    ("label", "read"),
    [
        ("1", ((1, 1),)),
        ("**07**", ((7, 7),)),
        ("01-05", ((1, 5),)),
        ("1–3", ((1, 3),)),
        ("1 — 3", ((1, 3),)),
        ("1\\-3", ((1, 3),)),
        ("1 to 3", ((1, 3),)),
        ("96-00", ((96, 100),)),
        ("00", ((100, 100),)),
        ("00-04", ((1, 4), (100, 100))),
        ("1, 4", ((1, 1), (4, 4))),
        ("2 or 12", ((2, 2), (12, 12))),
        ("7+", ((7, OPEN_SPAN_DISTANCE),)),
        ("7 or higher", ((7, OPEN_SPAN_DISTANCE),)),
        (">= 7", ((7, OPEN_SPAN_DISTANCE),)),
        ("> 6", ((7, OPEN_SPAN_DISTANCE),)),
        ("≤ 3", ((-OPEN_SPAN_DISTANCE, 3),)),
        ("< 4", ((-OPEN_SPAN_DISTANCE, 3),)),
        ("3 or less", ((-OPEN_SPAN_DISTANCE, 3),)),
        ("6-", ((-OPEN_SPAN_DISTANCE, 6),)),
        ("-1", ((-1, -1),)),
        ("-2–-1", ((-2, -1),)),
    ],
)
def test_numbers_of_a_row_are_read(label: str, read: tuple[Span, ...]) -> None:
    assert parse_spans(label, Dice.parse("d100")) == read


@pytest.mark.parametrize("label", ["", "x", "5-3", "1-", "-", "1-2-3", "a 1", "1d6", "①", "9" * 50, "-" * 50_000])
def test_invalid_row_numbers_are_refused(label: str) -> None:
    assert parse_spans(label, Dice.parse("d100")) in ((), ((-OPEN_SPAN_DISTANCE, 1),))


def test_zero_is_the_highest_face_of_a_ten_sided_die_only() -> None:
    assert parse_spans("0", Dice.parse("d10")) == ((10, 10),)
    assert parse_spans("8-0", Dice.parse("d10")) == ((8, 10),)
    assert parse_spans("0", Dice.parse("d6-1")) == ((0, 0),)
    assert parse_spans("00", Dice.parse("d20")) == ((0, 0),)


@pytest.mark.slow
@given(st.text(max_size=20), DICE)
def test_any_label_is_read_or_ignored(label: str, dice: Dice) -> None:
    assert all(first <= last for first, last in parse_spans(label, dice))
