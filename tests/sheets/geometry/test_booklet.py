"""Booklets whose pages are in order after the paper is folded, computed here in numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from vaultkit.errors import UsageError
from vaultkit.sheets.paper import Box, Size
from vaultkit.sheets.rules.booklet import BookletPlan, Edge, Fold, Placement, plan_booklet

A4, LETTER = Size("a4", 210_000, 297_000), Size("letter", 215_900, 279_400)
FOLDS: tuple[Fold, ...] = ("half", "quarter")
FLIPS: tuple[Edge, ...] = ("long", "short")
PLANS = [BookletPlan(paper, fold, flip) for paper in (A4, LETTER) for fold in FOLDS for flip in FLIPS]
plans = some.sampled_from(PLANS)
pages = some.integers(1, 200)


def box_behind(plan: BookletPlan, placement: Placement) -> tuple[Box, bool]:
    """Return a back placement's box as seen through the paper from the front, and whether it is upside down.

    The flip edge is one of the upright paper, which lies on its side if the sheet is wider than high.
    """
    sheet, box = plan.sheet, placement.box
    lying = sheet.width > sheet.height
    upright_axis = (plan.chosen_flip == "long") != lying
    if upright_axis:
        return Box(sheet.width - box.right, box.y, box.width, box.height), placement.is_rotated
    return Box(box.x, sheet.height - box.top, box.width, box.height), not placement.is_rotated


def folios(plan: BookletPlan, count: int) -> list[dict[tuple[str, str], int]]:
    """Return the folded sheets from the outermost to the innermost: pages by side and by half of the front."""
    sides = plan.arrange_sides(count)
    piles: list[list[dict[tuple[str, str], int]]] = [[], []]
    for front, back in zip(sides[::2], sides[1::2], strict=True):
        cut: list[dict[tuple[str, str], int]] = [{}, {}]
        placed = [("front", one.page, one.box, one.is_rotated) for one in front]
        placed += [("back", one.page, *box_behind(plan, one)) for one in back]
        for side, page, box, on_its_head in placed:
            assert not on_its_head
            lower = plan.fold == "quarter" and box.y < plan.page.height
            cut[lower][side, "left" if box.x < plan.page.width else "right"] = page
        for pile, piece in zip(piles, cut, strict=True):
            pile.extend([piece] if piece else [])
    return [*piles[0], *piles[1]]


@pytest.mark.slow
@given(plans, pages)
def test_folded_pages_are_in_reading_order(plan: BookletPlan, count: int) -> None:
    stack = folios(plan, count)
    read = [page for piece in stack for page in (piece["front", "right"], piece["back", "right"])]
    read += [page for piece in reversed(stack) for page in (piece["back", "left"], piece["front", "left"])]
    assert read == list(range(1, plan.count_sheets(count) * plan.per_sheet + 1))


@pytest.mark.slow
@given(plans, pages)
def test_booklet_uses_the_fewest_sheets_with_every_page_in_its_own_place(plan: BookletPlan, count: int) -> None:
    assert count <= plan.count_sheets(count) * plan.per_sheet < count + plan.per_sheet
    for side in plan.arrange_sides(count):
        boxes = [one.box for one in side]
        assert all(plan.sheet.box.holds(box) for box in boxes)
        apart = all(
            a.right <= b.x or b.right <= a.x or a.top <= b.y or b.top <= a.y for a in boxes for b in boxes if a != b
        )
        assert apart
        assert len(set(boxes)) == len(boxes)


@pytest.mark.parametrize("plan", PLANS)
def test_folds_and_cuts_are_between_the_pages(plan: BookletPlan) -> None:
    boxes = [one.box for one in plan.arrange_sides(1)[0]]
    edges = {(box.x, "fold") for box in boxes} | {(box.y, "cut") for box in boxes}
    assert plan.marks
    for mark in plan.marks:
        assert ((mark.x1 if mark.kind == "fold" else mark.y1), mark.kind) in edges


def test_booklet_sizes_have_names() -> None:
    assert plan_booklet("A5", A4).page.width == 148_500
    assert plan_booklet("a6", A4).page.height == 148_500
    assert plan_booklet("half-letter", LETTER).page.width == 139_700
    with pytest.raises(UsageError) as caught:
        plan_booklet("a6", LETTER)
    assert "half-letter" in caught.value.hint
