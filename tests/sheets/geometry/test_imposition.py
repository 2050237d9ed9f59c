"""P1 and P2: the places of cards, bleeds and marks, for every size, paper and way to print backs."""

from itertools import combinations, pairwise, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counts import count
from tests.sheets.geometry.turning import box_behind, print_place
from vaultkit.errors import UsageError
from vaultkit.sheets.imposition import (
    MARK_GAP_UM,
    OUTER_BLEED_UM,
    RULER_LENGTH_UM,
    SheetPlan,
    plan_margins,
    plan_sheet,
)
from vaultkit.sheets.paper import Box, Correction, Duplex, Flip, ReadingPlan, Size, bounding_box, load_stock
from vaultkit.theme.lengths import MM, parse_length

STOCK = load_stock()
FEW = settings(max_examples=count(50, 2_000))
BLEEDS = (None, 1500, 3175)
TABLE = {
    "a4": {
        "poker": (9, 9, 8),
        "bridge": (10, 9, 9),
        "tarot": (4, 4, 4),
        "mini": (18, 18, 12),
        "euro": (9, 9, 8),
        "jumbo": (4, 4, 3),
        "index": (4, 4, 4),
    },
    "letter": {
        "poker": (9, 8, 6),
        "bridge": (9, 8, 8),
        "tarot": (4, 4, 4),
        "mini": (18, 16, 12),
        "euro": (8, 8, 8),
        "jumbo": (3, 2, 2),
        "index": (4, 4, 4),
    },
}
NAMED = [(paper, card) for paper, cards in TABLE.items() for card in cards]
plans = st.builds(
    lambda pair, bleed, duplex, margin: plan_sheet(
        STOCK.paper(pair[0]), STOCK.card(pair[1]), bleed=bleed, duplex=duplex, margin=margin
    ),
    st.sampled_from(NAMED),
    st.sampled_from(BLEEDS),
    st.sampled_from(Duplex),
    st.integers(3 * MM, 6 * MM),
)
lengths = st.integers(30 * MM, 130 * MM)
any_plans = st.builds(
    lambda width, height, card, bleed, duplex: plan_sheet(
        Size("paper", width, height), Size("card", *card), bleed=bleed, duplex=duplex
    ),
    st.integers(320 * MM, 500 * MM),
    st.integers(320 * MM, 500 * MM),
    st.tuples(lengths, lengths),
    st.none() | st.integers(0, 5 * MM),
    st.sampled_from(Duplex),
)


@pytest.mark.parametrize(("paper", "card"), NAMED)
def test_p1_number_of_cards_per_page(paper: str, card: str) -> None:
    found = tuple(
        plan_sheet(STOCK.paper(paper), STOCK.card(card), margin=4300, bleed=bleed).per_sheet for bleed in BLEEDS
    )
    assert found == TABLE[paper][card]


def test_p1_landscape_is_used_only_if_it_holds_more_cards() -> None:
    a4 = STOCK.paper("a4")
    assert not plan_sheet(a4, STOCK.card("poker")).paper.is_landscape
    assert not plan_sheet(a4, STOCK.card("tarot")).paper.is_landscape
    assert plan_sheet(a4, STOCK.card("bridge")).paper.is_landscape
    assert plan_sheet(a4, STOCK.card("poker"), bleed=3175).paper.is_landscape


def is_apart(one: Box, other: Box) -> bool:
    return one.right <= other.x or other.right <= one.x or one.top <= other.y or other.top <= one.y


@pytest.mark.slow
@FEW
@given(plans | any_plans)
def test_p1_nothing_overlaps_or_leaves_the_paper(plan: SheetPlan) -> None:
    on_page = [*plan.slots, *(plan.back_slots if plan.fold else ())]
    bleeds = [*plan.front_bleeds(plan.per_sheet), *(plan.back_bleeds if plan.fold else ())]
    assert len(plan.slots) == plan.per_sheet == len(set(plan.slots))
    assert plan.paper.box.holds(plan.bleed)
    assert plan.bleed.holds(plan.trim)
    assert all(plan.trim.holds(slot) for slot in on_page)
    assert all(plan.paper.box.holds(bleed) for bleed in (*plan.front_bleeds(plan.per_sheet), *plan.back_bleeds))
    assert all(bleed.holds(slot) for bleed, slot in zip(bleeds, on_page, strict=True))
    assert all(is_apart(one, other) for one, other in combinations(bleeds, 2))


@pytest.mark.slow
@FEW
@given(plans | any_plans, st.integers(0, 12 * MM))
def test_p1_cards_and_their_own_bleeds_stay_out_of_the_margin(plan: SheetPlan, margin: int) -> None:
    try:
        plan = plan_sheet(plan.paper, plan.card, margin=margin, bleed=plan.card_bleed, duplex=plan.duplex)
    except UsageError:
        return
    printable = plan.paper.box.inset(margin)
    places = plan.slots if plan.card_bleed is None else plan.front_bleeds(plan.per_sheet)
    assert all(printable.holds(place) for place in places)


@pytest.mark.slow
@FEW
@given(plans | any_plans)
def test_p1_marks_are_outside_the_bleed_and_extend_to_the_edge_or_the_fold(plan: SheetPlan) -> None:
    edges_x, edges_y = {0, plan.paper.width}, {0, plan.paper.height}
    if plan.fold and plan.flip is Flip.BOOK:
        edges_x.add(plan.fold.x1)
    elif plan.fold:
        edges_y.add(plan.fold.y1)
    cuts_x = {x for slot in plan.slots for x in (slot.x, slot.right)}
    cuts_y = {y for slot in plan.slots for y in (slot.y, slot.top)}
    around = [
        bleed.inset(-MARK_GAP_UM)
        for bleed in (*plan.front_bleeds(plan.per_sheet), *(plan.back_bleeds if plan.fold else ()))
    ]
    for mark in plan.marks:
        place = Box(min(mark.x1, mark.x2), min(mark.y1, mark.y2), abs(mark.x2 - mark.x1), abs(mark.y2 - mark.y1))
        assert all(is_apart(place, bleed) for bleed in around)
        assert {mark.x1, mark.x2} & edges_x if mark.y1 == mark.y2 else {mark.y1, mark.y2} & edges_y
    assert {mark.x1 for mark in plan.marks if mark.x1 == mark.x2} == cuts_x
    assert {mark.y1 for mark in plan.marks if mark.y1 == mark.y2} == cuts_y


@pytest.mark.parametrize(("paper", "card"), NAMED)
def test_p1_every_mark_is_visible(paper: str, card: str) -> None:
    for bleed, duplex in product(BLEEDS, Duplex):
        plan = plan_sheet(STOCK.paper(paper), STOCK.card(card), bleed=bleed, duplex=duplex)
        seen = plan.paper.box.inset(4300)
        for mark in plan.marks:
            left, right = sorted((mark.x1, mark.x2))
            low, high = sorted((mark.y1, mark.y2))
            assert min(right, seen.right) - max(left, seen.x) + min(high, seen.top) - max(low, seen.y) >= 300


def test_p1_only_the_outer_edge_has_bleed_between_adjoining_cards() -> None:
    plan = plan_sheet(STOCK.paper("a4"), STOCK.card("poker"))
    middle, corner = plan.front_bleeds(plan.per_sheet)[4], plan.front_bleeds(plan.per_sheet)[0]
    assert middle == plan.slots[4]
    assert (corner.x, corner.top) == (plan.slots[0].x - OUTER_BLEED_UM, plan.slots[0].top + OUTER_BLEED_UM)
    assert (corner.right, corner.y) == (plan.slots[0].right, plan.slots[0].y)


@pytest.mark.slow
@FEW
@given(plans | any_plans, st.data())
def test_p1_partly_filled_sheet_has_bleed_into_the_empty_places(plan: SheetPlan, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, plan.per_sheet))
    bleeds, backs = plan.front_bleeds(count), plan.back_bleeds_for(count)
    assert len(bleeds) == len(backs) == count
    for boxes, slots in ((bleeds, plan.slots), (backs, plan.back_slots)):
        cards = list(zip(boxes, slots[:count], strict=True))
        assert all(is_apart(bleed, other) for (bleed, slot), (_, other) in permutations(cards, 2) if slot != other)
    assert all(plan.bleed.holds(box) for box in bleeds)
    assert all(bounding_box(plan.back_bleeds).holds(box) for box in backs)
    assert all(part.holds(full) for part, full in zip(bleeds, plan.front_bleeds(plan.per_sheet), strict=False))


@FEW
@given(plans | any_plans, st.data())
def test_p1_every_side_without_a_neighbour_has_bleed(plan: SheetPlan, data: st.DataObject) -> None:
    count, full = data.draw(st.integers(1, plan.per_sheet)), plan.front_bleeds(plan.per_sheet)
    outer = (*bleeds_of(full[0], plan.slots[0])[:2], *bleeds_of(full[-1], plan.slots[-1])[2:])
    assert all(outer) or not plan.card_bleed
    for index, (box, slot) in enumerate(zip(plan.front_bleeds(count), plan.slots[:count], strict=True)):
        row, column = divmod(index, plan.columns)
        at_edge = (column == 0, row == 0, column == plan.columns - 1, row == plan.rows - 1)
        is_alone = (False, False, index + 1 >= count, index + plan.columns >= count)
        inner = [OUTER_BLEED_UM * alone if plan.card_bleed is None else plan.card_bleed for alone in is_alone]
        assert bleeds_of(box, slot) == tuple(outer[side] if at_edge[side] else inner[side] for side in range(4))


def bleeds_of(box: Box, slot: Box) -> tuple[int, int, int, int]:
    """Return the bleed of a card to the left, above, to the right and below."""
    return slot.x - box.x, box.top - slot.top, box.right - slot.right, slot.y - box.y


@FEW
@given(plans | any_plans)
def test_p2_every_back_is_behind_its_own_front(plan: SheetPlan) -> None:
    for slot, back in zip(plan.slots, plan.back_slots, strict=True):
        if plan.duplex is Duplex.NONE:
            assert back == slot
            continue
        assert box_behind(back, plan) == slot
    for bleed, back in zip(plan.back_bleeds, plan.back_slots, strict=True):
        assert bleed.holds(back)


@pytest.mark.parametrize(
    ("duplex", "upright", "sideways"),
    [
        (Duplex.LONG_EDGE, Flip.BOOK, Flip.CALENDAR),
        (Duplex.SHORT_EDGE, Flip.CALENDAR, Flip.BOOK),
        (Duplex.TWO_PASS, Flip.BOOK, Flip.BOOK),
        (Duplex.NONE, None, None),
    ],
)
def test_p2_edge_that_rotates_the_backs(duplex: Duplex, upright: Flip, sideways: Flip) -> None:
    a4 = STOCK.paper("a4")
    assert duplex.flip(a4) is upright
    assert duplex.flip(a4.on_its_side) is sideways


@FEW
@given(plans)
def test_p2_back_is_upside_down_where_the_turn_requires_it(plan: SheetPlan) -> None:
    low, high = plan.slots[0], plan.slots[0].inset(-1)
    if plan.flip is not None:
        above = Box(low.x, high.top, low.width, 1)
        assert plan.flip.has_inverted_back == (box_behind(above, plan).y < box_behind(low, plan).y)


def test_p2_back_position_formulas() -> None:
    slot, paper = Box(10, 20, 63, 88), Size("p", 210, 297)
    assert Flip.BOOK.place_behind(slot, paper) == Box(210 - 10 - 63, 20, 63, 88)
    assert Flip.CALENDAR.place_behind(slot, paper) == Box(10, 297 - 20 - 88, 63, 88)


shifts = st.integers(-3 * MM, 3 * MM)


@pytest.mark.slow
@FEW
@given(plans, shifts, shifts, st.floats(-0.5, 0.5), st.floats(0.99, 1.01))
def test_p2_correction_cancels_the_error(plan: SheetPlan, x: int, y: int, angle: float, scale: float) -> None:
    """P2: a correction with the numbers read off a faulty printer undoes its error."""
    correction = Correction(x, y, angle, 1 / scale)
    for slot, back in zip(plan.slots, plan.back_slots, strict=True):
        for corner, wanted in zip(corners(slot), corners(back), strict=True):
            front = print_place(
                Correction(scale=correction.scale).transform_point(corner, plan.paper), plan.paper, scale=scale
            )
            assert front == pytest.approx(corner, abs=1)
            place = print_place(
                correction.transform_point(wanted, plan.paper), plan.paper, scale=scale, x=x, y=y, angle=angle
            )
            assert place == pytest.approx(wanted, abs=50)


def corners(box: Box) -> list[tuple[float, float]]:
    return list(product((box.x, box.right), (box.y, box.top)))


def test_p2_backs_are_corrected_whole_and_fronts_in_scale_alone() -> None:
    correction = Correction(x=500, y=-300, angle=0.5, scale=1.01)
    plan = plan_sheet(STOCK.paper("a4"), STOCK.card("poker"), duplex=Duplex.LONG_EDGE).with_correction(correction)
    assert plan.page_correction(back=True) == correction
    assert plan.page_correction(back=False) == Correction(scale=1.01)


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_columns_and_the_gutters_between_them_fill_the_width_within_the_margins(columns: int) -> None:
    plan = ReadingPlan(STOCK.paper("a4"), columns, side=15 * MM, above=20 * MM, below=10 * MM, gutter=6 * MM)
    assert plan.body == Box(15 * MM, 10 * MM, 180 * MM, 267 * MM)
    boxes = [plan.column(number) for number in range(columns)]
    assert (boxes[0].x, boxes[-1].right) == (plan.body.x, plan.body.right)
    assert [after.x - before.right for before, after in pairwise(boxes)] == [6 * MM] * (columns - 1)
    assert {(box.y, box.height) for box in boxes} == {(plan.body.y, plan.body.height)}


def test_p2_correction_that_moves_cards_off_the_paper_is_an_error() -> None:
    paper, card = STOCK.paper("a4"), STOCK.card("bridge")
    with pytest.raises(UsageError, match="leave the paper"):
        plan_sheet(paper, card).with_correction(Correction(5 * MM, 0, 2.0))
    assert plan_sheet(paper, card).with_correction(Correction(4 * MM)).per_sheet == 10


@pytest.mark.parametrize("wrong", [{"x": 5001}, {"y": -5001}, {"angle": 2.1}, {"scale": 0.9}, {"angle": float("nan")}])
def test_p3_excessive_correction_is_an_error(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Correction(**wrong)  # type: ignore[arg-type]


@FEW
@given(plans)
def test_p3_the_ruler_is_50_mm_and_outside_every_card(plan: SheetPlan) -> None:
    found = plan_margins(plan)
    ruler = found.ruler
    assert abs(ruler.x2 - ruler.x1) + abs(ruler.y2 - ruler.y1) == RULER_LENGTH_UM == 50 * MM
    for strip in (found.words, found.name):
        place = Box(strip.x, strip.y, *((2 * MM, strip.length) if strip.upright else (strip.length, 2 * MM)))
        assert plan.paper.box.holds(place)
        assert is_apart(place, plan.trim)
        assert strip.length > 36 * MM
        assert is_apart(place, Box(ruler.x1, ruler.y1, ruler.x2 - ruler.x1, ruler.y2 - ruler.y1))


def test_a_card_larger_than_the_paper_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="does not fit"):
        plan_sheet(STOCK.card("mini"), STOCK.card("poker"))


@pytest.mark.parametrize("bleed", ["1.5mm", "3.175mm"])
def test_individual_bleeds_separate_the_cards(bleed: str) -> None:
    around = parse_length(bleed)
    plan = plan_sheet(STOCK.paper("a4"), STOCK.card("poker"), bleed=around)
    assert plan.slots[1].x - plan.slots[0].right == 2 * around
