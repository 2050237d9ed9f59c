"""What stands in the margins of a sheet of cards: a ruler to check the scale by, and a few words."""

from dataclasses import dataclass

from vaultkit.sheets.geometry.imposition import MARK_GAP, PRINTABLE, Line, SheetPlan
from vaultkit.sheets.geometry.paper import MM

RULER = 50 * MM
TICK = 2 * MM
"""The longest tick of the ruler."""
_AIR = 2 * MM
"""White between words and the nearest crop mark."""


@dataclass(frozen=True)
class Strip:
    """Room for one line of small words, from its lower left corner on; `upright` runs up the page."""

    x: int
    y: int
    length: int
    upright: bool


@dataclass(frozen=True)
class Margins:
    """The ruler, where the words beside it stand, and where the name of the sheet does, opposite."""

    ruler: Line
    words: Strip
    name: Strip


def margins(plan: SheetPlan) -> Margins:
    """Ruler and words at the sides, or below and above the cards where there is more room."""
    cells = _cells(plan, upright=True), _cells(plan, upright=False)
    upright = plan.bleed.x >= plan.bleed.y
    starts, size = cells[0] if upright else cells[1]
    level = _level(plan.bleed.x, plan.trim.x) if upright else _level(plan.bleed.y, plan.trim.y)
    end = plan.paper.width if upright else plan.paper.height
    middle = len(starts) // 2
    first = starts[middle] + (size - RULER) // 2
    words = _Room(starts[middle - 1] + _AIR, size - 2 * _AIR)
    if len(starts) == 1:
        first, words = starts[0] + _AIR, _Room(starts[0] + RULER + 2 * _AIR, size - RULER - 3 * _AIR)
    ruler = Line(level, first, level, first + RULER) if upright else Line(first, level, first + RULER, level)
    name = _Room(starts[middle] + _AIR, size - 2 * _AIR)
    return Margins(ruler, words.strip(level, upright), name.strip(end - level - TICK, upright))


@dataclass(frozen=True)
class _Room:
    start: int
    length: int

    def strip(self, level: int, upright: bool) -> Strip:
        return Strip(level, self.start, self.length, True) if upright else Strip(self.start, level, self.length, False)


def _cells(plan: SheetPlan, *, upright: bool) -> tuple[list[int], int]:
    """Where along the margin the cards begin, between whose crop marks things can stand, and how long they are."""
    slots = plan.slots if plan.fold is None else (*plan.slots, *plan.back_slots)
    starts = sorted({slot.y if upright else slot.x for slot in slots})
    return starts, plan.card.height if upright else plan.card.width


def _level(bleed: int, trim: int) -> int:
    """How far from the edge: midway between what is printable and the bleed, but never over a card."""
    inner = bleed - MARK_GAP
    return max((PRINTABLE + inner - TICK) // 2, min(PRINTABLE, trim - TICK - MARK_GAP))
