"""Cards on a sheet: one immutable plan from which page, preview and tests are drawn."""

from dataclasses import dataclass
from functools import cached_property

from vaultkit.errors import UsageError
from vaultkit.sheets.geometry.paper import MM, Box, Size

MARGIN = 5 * MM
"""What a printer is trusted to leave white at the paper's edge."""
BLEED = 3 * MM
MARK_GAP = MM // 2
"""White between the bleed and a crop mark."""
RULER = 50 * MM


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line in micrometres."""

    x1: int
    y1: int
    x2: int
    y2: int


@dataclass(frozen=True)
class SheetPlan:
    """Cards butted together in a centred grid: neighbours share one cut, so a guillotine needs few strokes."""

    paper: Size
    card: Size
    columns: int
    rows: int

    @property
    def per_sheet(self) -> int:
        return self.columns * self.rows

    @cached_property
    def trim(self) -> Box:
        """All cards together."""
        width, height = self.columns * self.card.width, self.rows * self.card.height
        return Box((self.paper.width - width) // 2, (self.paper.height - height) // 2, width, height)

    @cached_property
    def bleed(self) -> Box:
        return self.trim.inset(-min(BLEED, self.trim.x, self.trim.y))

    @cached_property
    def slots(self) -> tuple[Box, ...]:
        """The cards' places, from the upper left, row by row."""
        return tuple(
            Box(self.trim.x + column * self.card.width, self.trim.y + row * self.card.height, *self._card_size)
            for row in reversed(range(self.rows))
            for column in range(self.columns)
        )

    @property
    def _card_size(self) -> tuple[int, int]:
        return self.card.width, self.card.height

    @cached_property
    def marks(self) -> tuple[Line, ...]:
        """Crop marks: at every cut, from outside the bleed to the paper's edge, never over a card."""
        low, high = self.bleed.y - MARK_GAP, self.bleed.top + MARK_GAP
        left, right = self.bleed.x - MARK_GAP, self.bleed.right + MARK_GAP
        marks = []
        for x in (self.trim.x + n * self.card.width for n in range(self.columns + 1)):
            marks += [Line(x, 0, x, low), Line(x, high, x, self.paper.height)]
        for y in (self.trim.y + n * self.card.height for n in range(self.rows + 1)):
            marks += [Line(0, y, left, y), Line(right, y, self.paper.width, y)]
        return tuple(marks)

    @cached_property
    def ruler(self) -> Line:
        """An upright line of exactly 50 mm in the left margin, half way between two crop marks where it can be."""
        x = (self.bleed.x - MARK_GAP + min(MARGIN, self.bleed.x - MARK_GAP)) // 2
        middle = self.trim.y + (self.rows // 2) * self.card.height + self.card.height // 2
        return Line(x, middle - RULER // 2, x, middle + RULER // 2)


def grid(paper: Size, card: Size, *, margin: int = MARGIN) -> SheetPlan:
    """As many upright cards as `paper` holds inside its margin."""
    columns, rows = (paper.width - 2 * margin) // card.width, (paper.height - 2 * margin) // card.height
    if columns < 1 or rows < 1:
        raise UsageError(f"A {card.name} card does not fit on {paper.name} paper.", hint="Choose a larger paper.")
    return SheetPlan(paper, card, columns, rows)
