"""The strip of facts on a card: its values stand in columns, in as few rows as they need."""

import pytest

from vaultkit.sheets.cards.card_parts import FactStrip
from vaultkit.sheets.text.flowables import DrawingFlowable
from vaultkit.theme.model import CLASSIC


@pytest.mark.parametrize(
    ("widths", "columns", "rows"),
    [
        ((92, 88, 30, 62, 55, 60, 120), 2, 5), ((19, 19, 19, 19, 19, 19), 6, 1), ((40, 40, 40), 3, 1), ((60, 60), 2, 1),
        ((300, 20, 20), 2, 2), ((20,), 2, 1),
    ],
)  # fmt: skip
def test_values_stand_in_the_fewest_columns_that_need_no_more_rows(
    widths: tuple[int, ...], columns: int, rows: int
) -> None:
    strip = FactStrip([(width, DrawingFlowable(width, 10, lambda: None)) for width in widths], CLASSIC)
    strip.canv = None
    strip.wrap(160.0, 400.0)
    assert len(strip._rows) == rows
    step = (160.0 - 6.0 + 7.0) / columns
    lefts = [left / step for row in strip._rows for left, _, _ in row]
    assert lefts == pytest.approx([round(left) for left in lefts])
    assert all(left + width <= 154.01 for row in strip._rows for left, width, _ in row)
