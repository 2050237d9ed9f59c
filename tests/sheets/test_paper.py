import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.errors import InvalidError, UsageError
from vaultkit.sheets.geometry.imposition import BLEED, MARK_GAP, RULER, grid
from vaultkit.sheets.geometry.paper import MM, Size, load_stock, parse_length

STOCK = load_stock()


@pytest.mark.parametrize(
    ("text", "micrometres"),
    [("63mm", 63_000), ("2.5in", 63_500), (" 8.5 in ", 215_900), ("1cm", 10_000), ("72pt", 25_400)],
)
def test_a_length_is_a_whole_number_of_micrometres(text: str, micrometres: int) -> None:
    assert parse_length(text) == micrometres


@pytest.mark.parametrize("text", ["", "63", "mm", "-3mm", "1e3mm", "63 px", "٣mm", "6,3mm"])
def test_a_length_that_is_none_is_an_error_that_shows_how(text: str) -> None:
    with pytest.raises(InvalidError) as caught:
        parse_length(text, "paper.toml")
    assert "63mm" in caught.value.hint


def test_an_unknown_paper_lists_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        STOCK.paper("a44")
    assert "a4, letter" in caught.value.hint


@pytest.mark.parametrize(
    ("paper", "card", "count"),
    [
        ("a4", "poker", 9),
        ("a4", "bridge", 9),
        ("a4", "tarot", 4),
        ("a4", "mini", 16),
        ("a4", "euro", 9),
        ("letter", "poker", 9),
    ],
)
def test_p1_cards_a_sheet(paper: str, card: str, count: int) -> None:
    assert grid(STOCK.paper(paper), STOCK.card(card)).per_sheet == count


@given(
    st.integers(150 * MM, 500 * MM),
    st.integers(150 * MM, 500 * MM),
    st.integers(30 * MM, 130 * MM),
    st.integers(30 * MM, 130 * MM),
)
def test_p1_the_plan_of_any_sheet_is_sound(width: int, height: int, card_width: int, card_height: int) -> None:
    plan = grid(Size("paper", width, height), Size("card", card_width, card_height))
    assert plan.paper.box.holds(plan.bleed)
    assert plan.bleed.holds(plan.trim)
    assert all(plan.trim.holds(slot) for slot in plan.slots)
    assert sum(slot.width * slot.height for slot in plan.slots) == plan.trim.width * plan.trim.height
    for mark in plan.marks:
        inner_x, inner_y = (mark.x2, mark.y2) if 0 in {mark.x1, mark.y1} else (mark.x1, mark.y1)
        assert not (
            plan.bleed.x - MARK_GAP < inner_x < plan.bleed.right + MARK_GAP
            and plan.bleed.y - MARK_GAP < inner_y < plan.bleed.top + MARK_GAP
        )
        edges = {mark.x1 == 0, mark.y1 == 0, mark.x2 == width, mark.y2 == height}
        assert True in edges


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_p3_the_ruler_is_50_mm_and_outside_the_bleed(paper: str) -> None:
    plan = grid(STOCK.paper(paper), STOCK.card("poker"))
    assert plan.ruler.y2 - plan.ruler.y1 == RULER == 50 * MM
    assert 4300 < plan.ruler.x1 < plan.trim.x - BLEED - MARK_GAP


def test_a_card_larger_than_the_paper_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        grid(STOCK.card("mini"), STOCK.card("poker"))
