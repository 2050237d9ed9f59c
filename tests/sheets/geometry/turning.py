"""Sheets turned over by rotations in space, independently of the code under test."""

import math

from vaultkit.sheets.imposition import SheetPlan
from vaultkit.sheets.paper import Box, Duplex, Size

Place = tuple[float, float]


def behind(back: Box, plan: SheetPlan) -> Box:
    """Return the place on the front behind `back`, a place on the other side or the other half of a folded sheet."""
    first, second = (_turned(corner, plan) for corner in ((back.x, back.y), (back.right, back.top)))
    left, right = sorted((first[0], second[0]))
    low, high = sorted((first[1], second[1]))
    return Box(left, low, right - left, high - low)


def _turned(place: tuple[int, int], plan: SheetPlan) -> tuple[int, int]:
    """Return a place after half a turn of the sheet about the axis along one of its edges or its fold."""
    width, height = plan.paper.width, plan.paper.height
    if plan.fold is not None:
        axis_upright = plan.fold.x1 == plan.fold.x2
    elif plan.duplex is Duplex.TWO_PASS:
        axis_upright = True
    else:
        long_is_upright = height >= width
        axis_upright = long_is_upright == (plan.duplex is Duplex.LONG_EDGE)
    x, y = place[0] - width / 2, place[1] - height / 2
    x, y = (-x, y) if axis_upright else (x, -y)
    return round(x + width / 2), round(y + height / 2)


def printed(
    place: Place, paper: Size, *, scale: float = 1.0, x: float = 0.0, y: float = 0.0, angle: float = 0.0
) -> Place:
    """Return where a printer with these errors puts ink that is meant for `place`."""
    across, up = (place[0] - paper.width / 2) * scale - x, (place[1] - paper.height / 2) * scale - y
    turn = math.radians(-angle)
    across, up = across * math.cos(turn) - up * math.sin(turn), across * math.sin(turn) + up * math.cos(turn)
    return across + paper.width / 2, up + paper.height / 2
