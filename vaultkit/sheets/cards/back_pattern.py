"""Where the signs of a drawn back stand."""

from collections.abc import Iterator

from vaultkit.sheets.cards.back_design import BackDesign
from vaultkit.sheets.geometry.paper import Box, Size, points

_ROW = 0.866
"""The distance of rows over that of signs in a row, in a pattern in which all neighbours are equally far."""

Place = tuple[float, float, str]


def signs_of(design: BackDesign, card: Size, bleed: Box, scale: float) -> Iterator[Place]:
    """Half of a back's signs: the middle of each in points from the card's, and its name.

    They are in rows above the middle, each moved by half a step, and in the right half of the middle row;
    turned round they are the other half. None is cut by the frame or comes under the medallion.
    """
    pattern = design.pattern
    size = points(pattern.size) * scale
    area = card.box.inset(round(pattern.inset * scale)) if pattern.inset else bleed
    inside = size * 0.85 if pattern.inset else 0.0
    columns, step = _even(points(area.width) / 2 - inside, points(pattern.step) * scale)
    rows, rise = _even(points(area.height) / 2 - inside, points(pattern.step) * scale * _ROW)
    medallion = points(design.medallion.radius) * scale + size * 0.7 if design.medallion else 0.0
    for row in range(rows + 1):
        for column in range(-columns, columns + 1 - row % 2):
            across, up = (column + row % 2 / 2) * step, row * rise
            if (row or across > 0) and across**2 + up**2 >= medallion**2:
                yield across, up, pattern.signs[(int(abs(across) / step) + row) % len(pattern.signs)]


def _even(room: float, step: float) -> tuple[int, float]:
    """How many steps of about this length there are in the room, and the length that fills it."""
    count = max(1, round(room / step))
    return count, max(room, step / 2) / count
