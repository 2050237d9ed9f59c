"""Layout of cards on a sheet: card places, crop marks, and a ruler in the margin. All lengths are in micrometres."""

from dataclasses import dataclass, replace
from functools import cached_property

from vaultkit.errors import UsageError
from vaultkit.sheets.paper import NO_CORRECTION, Box, Correction, Duplex, Flip, Segment, Size
from vaultkit.theme.lengths import MM

DEFAULT_MARGIN_UM = 5 * MM
"""The blank margin at the edge of the paper."""
UNPRINTABLE_MARGIN_UM = 4300
"""The distance from the edge within which hardly any printer can print."""
OUTER_BLEED_UM = 3 * MM
"""The bleed of the outermost cards on sheets where cards are butted together."""
CARD_BLEED_UM = 3175
"""The bleed of each card on sheets where every card has its own: 1/8 inch, as print shops require."""
MARK_GAP_UM = MM // 2
"""The gap between the bleed and a crop mark."""
_MIN_MARK_LENGTH_UM = MM
FOLD_GAP_UM = 6 * MM
"""The distance from the fold to the nearest cut, if cards are butted: room for a bleed and a crop mark."""


@dataclass(frozen=True)
class SheetPlan:
    """The layout of upright cards in columns and rows on a `paper` in the orientation in which it is printed.

    If `card_bleed` is None, cards are butted together: neighbours share a cut, and only the outermost cards have a
    bleed. Otherwise each card has its own bleed of `card_bleed` micrometres. Backs are on the other side, turned over
    as `flip` says, or, for `Duplex.FOLD`, on the other half of the same side. The boxes are uncorrected: `correction`
    is applied to a whole page of backs, and its scale alone to a page of fronts.
    """

    paper: Size
    card: Size
    columns: int
    rows: int
    card_bleed: int | None = None
    duplex: Duplex = Duplex.NONE
    flip: Flip | None = None
    correction: Correction = NO_CORRECTION

    @property
    def per_sheet(self) -> int:
        return self.columns * self.rows

    @property
    def fold(self) -> Segment | None:
        """The line to fold along, from edge to edge of the paper."""
        if self.duplex is not Duplex.FOLD:
            return None
        if self.flip is Flip.BOOK:
            return Segment(self.paper.width // 2, 0, self.paper.width // 2, self.paper.height)
        return Segment(0, self.paper.height // 2, self.paper.width, self.paper.height // 2)

    @cached_property
    def fronts(self) -> Box:
        """The box around all fronts, from cut to cut."""
        gap = 2 * (self.card_bleed or 0)
        width = self.columns * (self.card.width + gap) - gap
        height = self.rows * (self.card.height + gap) - gap
        x, y = (self.paper.width - width) // 2, (self.paper.height - height) // 2
        if self.fold is not None and self.flip is Flip.BOOK:
            x = self.paper.width // 2 - fold_distance(self.card_bleed) - width
        elif self.fold is not None:
            y = self.paper.height // 2 + fold_distance(self.card_bleed)
        return Box(x, y, width, height)

    @cached_property
    def trim(self) -> Box:
        """The box around all cards on a page with fronts, from cut to cut, including backs beyond the fold."""
        return self._with_folded(self.fronts)

    @cached_property
    def bleed(self) -> Box:
        """The box around all cards on a page with fronts, including their bleed and backs beyond the fold."""
        return self._with_folded(_expand_box(self.fronts, *self._outer_bleed))

    @cached_property
    def slots(self) -> tuple[Box, ...]:
        """The boxes of the fronts from cut to cut, row by row from the upper left."""
        column_step, row_step = (size + 2 * (self.card_bleed or 0) for size in (self.card.width, self.card.height))
        return tuple(
            Box(self.fronts.x + column * column_step, self.fronts.y + row * row_step, self.card.width, self.card.height)
            for row in reversed(range(self.rows))
            for column in range(self.columns)
        )

    def front_bleeds(self, count: int) -> tuple[Box, ...]:
        """Return the box of each of `count` fronts with its bleed, which never covers a neighbour."""
        return tuple(self._bleed_box(index, count, self._outer_bleed) for index in range(count))

    @cached_property
    def back_slots(self) -> tuple[Box, ...]:
        """The box of the back of each front, in the coordinates of the page with the back."""
        return tuple(self._place_behind(slot) for slot in self.slots)

    @cached_property
    def back_bleeds(self) -> tuple[Box, ...]:
        """The box of each back with its bleed on a full sheet."""
        return self.back_bleeds_for(self.per_sheet)

    def back_bleeds_for(self, count: int) -> tuple[Box, ...]:
        """Return the box of each of `count` backs with its bleed.

        The outermost backs on pages of their own have a larger bleed than fronts, because there are no crop marks.
        """
        outer_bleed = self._outer_bleed if self.fold else self._limit_bleed(0)
        return tuple(self._place_behind(self._bleed_box(index, count, outer_bleed)) for index in range(count))

    @cached_property
    def marks(self) -> tuple[Segment, ...]:
        """The crop marks at every cut, which reach from outside the bleed to the edge of the paper or to the fold."""
        front_area = self._front_area
        bleed = _expand_box(self.fronts, *self._outer_bleed)
        low, high = bleed.y - MARK_GAP_UM, bleed.top + MARK_GAP_UM
        left, right = bleed.x - MARK_GAP_UM, bleed.right + MARK_GAP_UM
        marks = []
        for x in sorted({x for slot in self.slots for x in (slot.x, slot.right)}):
            marks += [Segment(x, front_area.y, x, low), Segment(x, high, x, front_area.top)]
        for y in sorted({y for slot in self.slots for y in (slot.y, slot.top)}):
            marks += [Segment(front_area.x, y, left, y), Segment(right, y, front_area.right, y)]
        return tuple(marks)

    def page_correction(self, *, back: bool) -> Correction:
        """Return the correction of a page with backs, or of one with fronts if `back` is false."""
        return self.correction if back else Correction(scale=self.correction.scale)

    def with_correction(self, correction: Correction) -> "SheetPlan":
        """Return a copy of the plan with a correction. Raises UsageError if a card would then leave the paper."""
        plan = replace(self, correction=correction)
        for back in (False, True):
            if not plan.paper.box.holds(plan.page_correction(back=back).bounds(plan.trim, plan.paper)):
                raise UsageError("With this correction cards leave the paper.", hint="Choose a larger --margin.")
        return plan

    @cached_property
    def _front_area(self) -> Box:
        """The part of the paper on which fronts are placed."""
        if self.fold is None:
            return self.paper.box
        if self.flip is Flip.BOOK:
            return Box(0, 0, self.paper.width // 2, self.paper.height)
        return Box(0, self.paper.height // 2, self.paper.width, self.paper.height - self.paper.height // 2)

    @property
    def _outer_bleed(self) -> tuple[int, int]:
        """The horizontal and vertical bleed of the outermost fronts, smaller where crop marks need the space."""
        return self._limit_bleed(UNPRINTABLE_MARGIN_UM + MARK_GAP_UM + _MIN_MARK_LENGTH_UM)

    def _limit_bleed(self, reserved: int) -> tuple[int, int]:
        """Return the horizontal and vertical bleed of the outermost cards.

        `reserved` is the part of the margins to keep free, in micrometres.
        """
        if self.card_bleed is not None:
            return self.card_bleed, self.card_bleed
        rooms = self.fronts.x, min(self.fronts.y, self.paper.height - self.fronts.top)
        across, up = (min(OUTER_BLEED_UM, max(0, room - reserved)) for room in rooms)
        return across, up

    def _bleed_box(self, index: int, count: int, outer_bleed: tuple[int, int]) -> Box:
        """Return the box with bleed of the card with an index, on a sheet with `count` cards.

        `outer_bleed` is the horizontal and vertical bleed of the outermost cards.
        """
        slot = self.slots[index]
        if self.card_bleed is not None:
            return slot.inset(-self.card_bleed)
        row, column = divmod(index, self.columns)
        left = outer_bleed[0] if column == 0 else 0
        right_bleed, lower_bleed = (OUTER_BLEED_UM if index + step >= count else 0 for step in (1, self.columns))
        right = outer_bleed[0] if column == self.columns - 1 else right_bleed
        above = outer_bleed[1] if row == 0 else 0
        below = outer_bleed[1] if row == self.rows - 1 else lower_bleed
        return Box(slot.x - left, slot.y - below, slot.width + left + right, slot.height + above + below)

    def _place_behind(self, box: Box) -> Box:
        return box if self.flip is None else self.flip.place_behind(box, self.paper)

    def _with_folded(self, box: Box) -> Box:
        return box if self.fold is None else box.union(self._place_behind(box))


def fold_distance(card_bleed: int | None) -> int:
    """Return the distance from the fold to the nearest cut."""
    return max(FOLD_GAP_UM, (card_bleed or 0) + FOLD_GAP_UM - OUTER_BLEED_UM)


def _expand_box(box: Box, horizontal: int, vertical: int) -> Box:
    return Box(box.x - horizontal, box.y - vertical, box.width + 2 * horizontal, box.height + 2 * vertical)


RULER_LENGTH_UM = 50 * MM
TICK_LENGTH_UM = 2 * MM
"""The longest tick of the ruler."""
_TEXT_GAP_UM = 2 * MM
"""The gap between the text in a margin and the nearest crop mark."""


@dataclass(frozen=True)
class MarginLine:
    """The place of a line of small text: its lower left corner and its length; `upright` text runs up the page."""

    x: int
    y: int
    length: int
    upright: bool


@dataclass(frozen=True)
class Margins:
    """The contents of the margins: a ruler, text (`words`) beside it, and the sheet's name in the opposite margin."""

    ruler: Segment
    words: MarginLine
    name: MarginLine


def plan_margins(plan: SheetPlan) -> Margins:
    """Return the contents of the margins at the sides of the cards, or below and above them if there is more room."""
    upright = plan.bleed.x >= plan.bleed.y
    slots = plan.slots if plan.fold is None else (*plan.slots, *plan.back_slots)
    starts = sorted({slot.y if upright else slot.x for slot in slots})
    card_length = plan.card.height if upright else plan.card.width
    ruler_level = _ruler_distance(plan.bleed.x, plan.trim.x) if upright else _ruler_distance(plan.bleed.y, plan.trim.y)
    name_level = (plan.paper.width if upright else plan.paper.height) - ruler_level - TICK_LENGTH_UM

    def place(start: int, level: int) -> tuple[int, int]:
        return (level, start) if upright else (start, level)

    middle = len(starts) // 2
    ruler_start = starts[middle] + (card_length - RULER_LENGTH_UM) // 2
    text_start, text_length = starts[middle - 1] + _TEXT_GAP_UM, card_length - 2 * _TEXT_GAP_UM
    if len(starts) == 1:
        ruler_start = starts[0] + _TEXT_GAP_UM
        text_start += RULER_LENGTH_UM + _TEXT_GAP_UM
        text_length -= RULER_LENGTH_UM + _TEXT_GAP_UM
    ruler = Segment(*place(ruler_start, ruler_level), *place(ruler_start + RULER_LENGTH_UM, ruler_level))
    words = MarginLine(*place(text_start, ruler_level), text_length, upright)
    name_start, name_length = starts[middle] + _TEXT_GAP_UM, card_length - 2 * _TEXT_GAP_UM
    return Margins(ruler, words, MarginLine(*place(name_start, name_level), name_length, upright))


def _ruler_distance(bleed: int, trim: int) -> int:
    """Return the distance of the ruler from the edge of the paper.

    It is midway between the unprintable margin and the bleed, and never within a card.
    """
    mark_edge = bleed - MARK_GAP_UM
    room = trim - TICK_LENGTH_UM - MARK_GAP_UM
    return max((UNPRINTABLE_MARGIN_UM + mark_edge - TICK_LENGTH_UM) // 2, min(UNPRINTABLE_MARGIN_UM, room))


def plan_sheet(
    paper: Size, card: Size, *, margin: int = DEFAULT_MARGIN_UM, bleed: int | None = None, duplex: Duplex = Duplex.NONE
) -> SheetPlan:
    """Return the plan with the most cards within the margin of `paper`, which may be turned by 90 degrees.

    Raises UsageError if no card fits.
    """
    plans = [
        _plan_oriented_sheet(oriented_paper, card, flip, margin=margin, bleed=bleed, duplex=duplex)
        for oriented_paper in (paper, paper.on_its_side)
        for flip in (Flip if duplex is Duplex.FOLD else (duplex.flip(oriented_paper),))
    ]
    best = max(plans, key=lambda plan: plan.per_sheet)
    if min(best.columns, best.rows) < 1:
        hint = "Choose a larger paper, a smaller margin or a smaller bleed."
        raise UsageError(f"A {card.name} card does not fit on {paper.name} paper.", hint=hint)
    return best


def _plan_oriented_sheet(
    paper: Size, card: Size, flip: Flip | None, *, margin: int, bleed: int | None, duplex: Duplex
) -> SheetPlan:
    """Return the plan with the most cards on a paper that is not turned; it has no columns and rows if no card fits."""
    card_bleed = bleed or 0
    width, height = paper.width - 2 * margin, paper.height - 2 * margin
    if duplex is Duplex.FOLD and flip is Flip.BOOK:
        width = paper.width // 2 - margin - fold_distance(bleed) + card_bleed
    elif duplex is Duplex.FOLD:
        height = paper.height // 2 - margin - fold_distance(bleed) + card_bleed
    columns, rows = max(0, width // (card.width + 2 * card_bleed)), max(0, height // (card.height + 2 * card_bleed))
    return SheetPlan(paper, card, columns if rows else 0, rows if columns else 0, bleed, duplex, flip)
