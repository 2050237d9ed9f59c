"""Layout of blocks on pages with balanced columns; some blocks are kept together or span all columns."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from vaultkit.errors import InvalidError
from vaultkit.sheets.geometry.paper import ReadingPlan
from vaultkit.sheets.text.blocks import Block, PlacedBlock, keep_sections, opens_section, widen_headings
from vaultkit.theme.lengths import points
from vaultkit.theme.reportlab_private import row_heights

Columns = list[list[PlacedBlock]]
_HEIGHT_STEP_PT = 9.0
_SPAN_GAP_PT = 10.0
"""The space in points between text in columns and blocks that span them."""
_BOX_GAP_PT = 7.0
_MIN_FIRST_COLUMN_HEIGHT_PT = 300.0
"""The height in points below which text in the first of several empty columns is set across all columns instead."""
_MIN_COLUMN_HEIGHT_RATIO = 0.5
"""The least height of the shorter of two columns relative to the longer one, if the second begins with a section."""
_MAX_EXTRA_HEIGHT_PT = 60.0
"""The points by which columns may be longer than necessary so that the last one is not the longest."""
_ROUNDING_TOLERANCE_PT = 0.01
_MIN_ROWS_BEFORE_BREAK = 3
"""The number of rows, including the head, up to which a table is not broken yet."""


class TextColumn(msgspec.Struct, frozen=True):
    """A column to fill with blocks, in points.

    A `fresh` column begins at the top of a page, so that at least one block must be placed in it.
    """

    left: float
    width: float
    top: float
    bottom: float
    fresh: bool = True

    def place(self, block: Block, top: float, height: float) -> PlacedBlock:
        """Return the block placed in this column."""
        return PlacedBlock(block, self.left + block.indent, top, height, self.left, self.width)


class TextPage(msgspec.Struct):
    """A page with its blocks, column by column, in reading order; a text across the page is a column, too."""

    columns: Columns = []
    rules: list[tuple[float, float, float]] = []
    """Vertical lines between columns: x, top and bottom in points."""

    @property
    def placed_blocks(self) -> list[PlacedBlock]:
        return [item for column in self.columns for item in column]


def paginate(
    blocks: Sequence[Block], plan: ReadingPlan, canvas: Any, *, first_top: float | None = None,
    others: Mapping[int, ReadingPlan] = MappingProxyType({}),
) -> list[TextPage]:  # fmt: skip
    """Return the pages on which all blocks are placed; `canvas` is only used to measure.

    `first_top` is where the text of the first page begins, in points from the bottom. `plans_by_page` holds plans for
    single pages by their index from 0; the other pages have `plan`. Raises InvalidError if a block is too large for a
    page.
    """
    _, bottom, _, height = plan.body.points
    rest = widen_headings(blocks) if plan.columns > 1 else list(blocks)
    rest = keep_sections(rest, points(plan.column_width), canvas)
    pages: list[TextPage] = []
    while rest:
        top = first_top if first_top is not None and not pages else bottom + height
        page, left_over = _fill_page(rest, others.get(len(pages), plan), canvas, top)
        if len(left_over) == len(rest) and not page.placed_blocks and top == bottom + height:
            raise InvalidError("Something in the note is too large for a page.", hint="Print it on a larger paper.")
        pages.append(page)
        rest = left_over
    return pages or [TextPage()]


def _fill_page(blocks: list[Block], plan: ReadingPlan, canvas: Any, top: float) -> tuple[TextPage, list[Block]]:
    page, rest, fresh = TextPage(), blocks, True
    bottom = points(plan.body.y)
    while rest:
        wide = plan.columns == 1 or rest[0].span
        end = next((n for n, block in enumerate(rest) if plan.columns > 1 and block.span != wide), len(rest))
        boxes = [plan.body] if wide else [plan.column(number) for number in range(plan.columns)]
        start = top if fresh else top - _SPAN_GAP_PT
        places = [TextColumn(points(box.x), points(box.width), start, bottom, fresh) for box in boxes]
        columns, left_over = _fill_band(rest[:end], places, canvas, plan.uneven)
        if not left_over and not wide and not any(columns[1:]) and _depth(columns) < _MIN_FIRST_COLUMN_HEIGHT_PT:
            columns, left_over = _fill_columns(rest[:end], [replace(places[0], width=points(plan.body.width))], canvas)
        page.columns += columns
        page.rules += _rules(columns)
        rest = left_over + rest[end:]
        if left_over:
            break
        top, fresh = min((column[-1].bottom for column in columns if column), default=top), False
    return page, rest


def _rules(columns: Columns) -> list[tuple[float, float, float]]:
    """Return a vertical line between each two adjacent columns with content: x, top and bottom in points."""
    full = [column for column in columns if column]
    bottom = min((column[-1].bottom for column in full), default=0.0)
    return [
        ((before[0].left + before[0].width + after[0].left) / 2, before[0].top, bottom)
        for before, after in pairwise(full)
    ]


def _fill_band(run: list[Block], places: list[TextColumn], canvas: Any, uneven: float) -> tuple[Columns, list[Block]]:
    """Return the placed blocks of columns side by side, and the remaining blocks.

    If all blocks fit, the columns are balanced, or made up to `max_extra_length` points longer to keep a section whole.
    """
    columns, rest = _fill_columns(run, places, canvas)
    if rest or len(places) == 1:
        return columns, rest
    balanced_columns = _balance_columns(run, places, canvas) or columns
    section_columns = _break_at_section(run, places, canvas)
    if section_columns is None:
        return balanced_columns, []
    return (section_columns if _depth(section_columns) <= _depth(balanced_columns) + uneven else balanced_columns), []


def _depth(columns: Columns) -> float:
    full = [column for column in columns if column]
    return full[0][0].top - min(column[-1].bottom for column in full) if full else 0.0


def _balance_columns(run: list[Block], places: list[TextColumn], canvas: Any) -> Columns | None:
    """Return columns of about equal height, or None if the blocks do not fit.

    The last column is not the longest unless all columns would be much longer otherwise.
    """
    columns, _ = _fill_columns(run, places, canvas)
    top, bottom = places[0].top, places[0].bottom
    height = sum(top - column[-1].bottom for column in columns if column) / len(places)
    lowest: Columns | None = None
    while top - height > bottom:
        even, rest = _fill_columns(run, [replace(place, bottom=top - height, fresh=False) for place in places], canvas)
        if not rest:
            lowest = lowest or even
            if _descends(even):
                return even if _depth(even) <= _depth(lowest) + _MAX_EXTRA_HEIGHT_PT else lowest
        height += _HEIGHT_STEP_PT
    return lowest


def _break_at_section(run: list[Block], places: list[TextColumn], canvas: Any) -> Columns | None:
    """Return two columns, the second of which begins with a section.

    None means that there are not two columns, or that no such break gives columns of similar height that hold all
    blocks.
    """
    if len(places) != 2:
        return None
    candidates = []
    for number in range(1, len(run)):
        if not opens_section(run, number):
            continue
        parts = [
            fill_column(part, place, canvas) for part, place in zip((run[:number], run[number:]), places, strict=True)
        ]
        columns = [column for column, _ in parts]
        if not any(rest for _, rest in parts) and _has_similar_depths(columns):
            candidates.append(columns)
    return min(candidates, key=_depth, default=None)


def _has_similar_depths(columns: Columns) -> bool:
    depths = [_depth([column]) for column in columns]
    return min(depths) >= _MIN_COLUMN_HEIGHT_RATIO * max(depths)


def _descends(columns: Columns) -> bool:
    """Return whether the last column is at most a line or two longer than the first."""
    ends = [column[-1].bottom for column in columns if column]
    return len(ends) < 2 or ends[-1] >= ends[0] - 2 * _HEIGHT_STEP_PT


def _fill_columns(run: list[Block], places: list[TextColumn], canvas: Any) -> tuple[Columns, list[Block]]:
    columns = []
    for place in places:
        column, run = fill_column(run, place, canvas)
        columns.append(column)
    return columns, run


def fill_column(blocks: list[Block], column: TextColumn, canvas: Any) -> tuple[list[PlacedBlock], list[Block]]:
    """Return the blocks that fit into a column, placed in it, and the remaining blocks."""
    placed_blocks: list[PlacedBlock] = []
    rest = list(blocks)
    while rest:
        chain = next((n for n, block in enumerate(rest) if not block.keep), len(rest) - 1) + 1
        group, after = _place_group(rest[:chain], column, placed_blocks, canvas)
        placed_blocks += group
        rest = after + rest[chain:]
        if after:
            break
    return placed_blocks, rest


def _place_group(
    chain: list[Block], column: TextColumn, before: list[PlacedBlock], canvas: Any
) -> tuple[list[PlacedBlock], list[Block]]:
    """Place blocks that are kept together below those in `placed_blocks`; return the placed and the remaining ones.

    Either all are placed, or all up to a break in one of them, or none. At the top of a page as many as fit are placed.
    """
    group: list[PlacedBlock] = []
    must_fit = column.fresh and not before
    for number, block in enumerate(chain):
        top, room, wide = _room(block, column, [*before[-1:], *group])
        _, height = block.flowable.wrapOn(canvas, wide, max(room, 1))
        if height > room + _ROUNDING_TOLERANCE_PT:
            alone = must_fit and not group
            parts = [] if block.whole and not alone else _split(block.flowable, canvas, wide, room, alone)
            if not parts:
                return (group, chain[number:]) if must_fit and group else ([], chain)
            _, height = parts[0].wrapOn(canvas, wide, room)
            group.append(column.place(block.part(parts[0], True), top, height))
            return group, [*(block.part(part, False) for part in parts[1:]), *chain[number + 1 :]]
        group.append(column.place(block, top, height))
    return group, []


def _room(block: Block, column: TextColumn, above: list[PlacedBlock]) -> tuple[float, float, float]:
    """Return the top of the block if it is placed below others, and the height and width available to it, in points."""
    start = above[-1].top - above[-1].height if above else column.top
    top = start - _gap(above[-1] if above else None, block)
    pads = sum(frame.pad for frame in block.frames)
    return top, top - column.bottom - pads, column.width - block.indent - pads


def _split(flowable: Any, canvas: Any, width: float, height: float, must_fit: bool) -> list[Any]:
    """Return the parts of a flowable, the first of which is at most `height` points high, or [] without a good break.

    With `must_fit`, a break inside a table row, or between the head of a table and its rows, is good enough.
    """
    if height <= 0:
        return []
    parts = flowable.splitOn(canvas, width, height)
    if not parts and must_fit and hasattr(flowable, "splitInRow"):
        flowable.splitInRow = 1
        parts = flowable.splitOn(canvas, width, height)
    if not parts and must_fit and getattr(flowable, "repeatRows", False):
        flowable.repeatRows = 0  # the head alone fills the column
        parts = flowable.splitOn(canvas, width, height)
    if (
        not must_fit
        and parts
        and getattr(parts[0], "repeatRows", 0)
        and len(row_heights(parts[0])) <= _MIN_ROWS_BEFORE_BREAK
    ):
        return []
    if (
        not must_fit
        and len(parts) > 1
        and _is_row(parts[1])
        and len(row_heights(parts[0])) > _MIN_ROWS_BEFORE_BREAK + 1
    ):
        return list(flowable.splitOn(canvas, width, sum(row_heights(flowable)[: len(row_heights(parts[0])) - 1])))
    return list(parts) if len(parts) > 1 else []


def _is_row(part: Any) -> bool:
    """Return whether a part of a table has a single row below its head."""
    return bool(getattr(part, "repeatRows", 0)) and len(row_heights(part)) == 1 + part.repeatRows


def _gap(previous: PlacedBlock | None, block: Block) -> float:
    """Return the space in points between two blocks, or above the first block of a column.

    It is the larger of the spaces that the two require, plus the padding of boxes that end or begin between them.
    """
    opened = block.frames if previous is None else [f for f in block.frames if f not in previous.block.frames]
    pads = sum(frame.pad for frame in opened)
    if previous is None:
        return pads
    min_gap = _BOX_GAP_PT if block.frames != previous.block.frames else 0.0
    closed = sum(frame.pad for frame in previous.block.frames if frame not in block.frames)
    gap = max(previous.block.flowable.getSpaceAfter(), block.flowable.getSpaceBefore(), min_gap)
    return float(pads + closed + gap)
