"""Blocks into columns and pages: what keeps together, what spans, what is boxed; columns are made even."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from vaultkit.errors import InvalidError
from vaultkit.look.lengths import points
from vaultkit.sheets.geometry.paper import ReadingPlan
from vaultkit.sheets.text.blocks import Block, Placed, keep_sections, opens_section, widen_headings

Columns = list[list[Placed]]
_STEP = 9.0
_BETWEEN = 10.0
"""White between text in columns and what spans them, in points."""
_AROUND = 7.0
_ALONE = 300.0
"""Blocks that are less high, and would stand in the first column alone, are set over all columns."""
_FULL = 0.5
"""A section that begins the second column must not leave one column less full than this part of the other."""
_HANGING = 60.0
"""So many points may columns become higher so that the last one is not the longest."""
_ROUNDING = 0.01
_FEWEST_ROWS = 3
"""A table is not broken after fewer rows, its head included."""


class TextColumn(msgspec.Struct, frozen=True):
    """Room for blocks, in points; `fresh` says that it is a whole page's height, so that something must fit."""

    left: float
    width: float
    top: float
    bottom: float
    fresh: bool = True

    def place(self, block: Block, top: float, height: float) -> Placed:
        """The block at its place in this column."""
        return Placed(block, self.left + block.indent, top, height, self.left, self.width)


class TextPage(msgspec.Struct):
    """One page: its blocks, column by column, in reading order."""

    columns: Columns = []
    rules: list[tuple[float, float, float]] = []
    """Upright lines between columns: x, top and bottom."""

    @property
    def placed(self) -> list[Placed]:
        return [item for column in self.columns for item in column]


def paginate(
    blocks: Sequence[Block], plan: ReadingPlan, canvas: Any, *, first_top: float | None = None,
    others: Mapping[int, ReadingPlan] = MappingProxyType({}),
) -> list[TextPage]:  # fmt: skip
    """Fills pages until nothing is left. `canvas` only measures; `first_top` is where the first page's text begins.

    `others` are the plans of pages that end earlier, by their numbers from 0.
    """
    _, bottom, _, height = plan.body.points
    rest = widen_headings(blocks) if plan.columns > 1 else list(blocks)
    rest = keep_sections(rest, points(plan.column_width), canvas)
    pages: list[TextPage] = []
    while rest:
        top = first_top if first_top is not None and not pages else bottom + height
        page, left_over = _page(rest, others.get(len(pages), plan), canvas, top)
        if len(left_over) == len(rest) and not page.placed and top == bottom + height:
            raise InvalidError("Something in the note is too large for a page.", hint="Print it on a larger paper.")
        pages.append(page)
        rest = left_over
    return pages or [TextPage()]


def _page(blocks: list[Block], plan: ReadingPlan, canvas: Any, top: float) -> tuple[TextPage, list[Block]]:
    page, rest, fresh = TextPage(), blocks, True
    bottom = points(plan.body.y)
    while rest:
        wide = plan.columns == 1 or rest[0].span
        end = next((n for n, block in enumerate(rest) if plan.columns > 1 and block.span != wide), len(rest))
        boxes = [plan.body] if wide else [plan.column(number) for number in range(plan.columns)]
        start = top if fresh else top - _BETWEEN
        places = [TextColumn(points(box.x), points(box.width), start, bottom, fresh) for box in boxes]
        columns, left_over = _band(rest[:end], places, canvas, plan.uneven)
        if not left_over and not wide and not any(columns[1:]) and _depth(columns) < _ALONE:
            columns, left_over = _fill(rest[:end], [replace(places[0], width=points(plan.body.width))], canvas)
        page.columns += columns
        page.rules += _rules(columns)
        rest = left_over + rest[end:]
        if left_over:
            break
        top, fresh = min((column[-1].bottom for column in columns if column), default=top), False
    return page, rest


def _rules(columns: Columns) -> list[tuple[float, float, float]]:
    """A line between every two columns that have something in them: they are read one after the other."""
    full = [column for column in columns if column]
    bottom = min((column[-1].bottom for column in full), default=0.0)
    return [
        ((before[0].left + before[0].width + after[0].left) / 2, before[0].top, bottom)
        for before, after in pairwise(full)
    ]


def _band(run: list[Block], places: list[TextColumn], canvas: Any, uneven: float) -> tuple[Columns, list[Block]]:
    """Fills columns side by side. If all fits, they are made even, or a little higher to tear no section."""
    columns, rest = _fill(run, places, canvas)
    if rest or len(places) == 1:
        return columns, rest
    torn = _evened(run, places, canvas) or columns
    apart = _by_sections(run, places, canvas)
    if apart is None:
        return torn, []
    return (apart if _depth(apart) <= _depth(torn) + uneven else torn), []


def _depth(columns: Columns) -> float:
    full = [column for column in columns if column]
    return full[0][0].top - min(column[-1].bottom for column in full) if full else 0.0


def _evened(run: list[Block], places: list[TextColumn], canvas: Any) -> Columns | None:
    """Columns of about the same height, whatever the break then goes through.

    The last one may hang lower than the others where all would become much higher else.
    """
    columns, _ = _fill(run, places, canvas)
    top, bottom = places[0].top, places[0].bottom
    height = sum(top - column[-1].bottom for column in columns if column) / len(places)
    lowest: Columns | None = None
    while top - height > bottom:
        even, rest = _fill(run, [replace(place, bottom=top - height, fresh=False) for place in places], canvas)
        if not rest:
            lowest = lowest or even
            if _descends(even):
                return even if _depth(even) <= _depth(lowest) + _HANGING else lowest
        height += _STEP
    return lowest


def _by_sections(run: list[Block], places: list[TextColumn], canvas: Any) -> Columns | None:
    """Two columns, the second beginning with a section; None if no such break lets everything fit."""
    if len(places) != 2:
        return None
    found = []
    for number in range(1, len(run)):
        if not opens_section(run, number):
            continue
        parts = [
            fill_column(part, place, canvas) for part, place in zip((run[:number], run[number:]), places, strict=True)
        ]
        columns = [column for column, _ in parts]
        if not any(rest for _, rest in parts) and _alike(columns):
            found.append(columns)
    return min(found, key=_depth, default=None)


def _alike(columns: Columns) -> bool:
    depths = [_depth([column]) for column in columns]
    return min(depths) >= _FULL * max(depths)


def _descends(columns: Columns) -> bool:
    """Whether no column hangs lower than the ones on its left by more than a line or two."""
    ends = [column[-1].bottom for column in columns if column]
    return len(ends) < 2 or ends[-1] >= ends[0] - 2 * _STEP


def _fill(run: list[Block], places: list[TextColumn], canvas: Any) -> tuple[Columns, list[Block]]:
    columns = []
    for place in places:
        column, run = fill_column(run, place, canvas)
        columns.append(column)
    return columns, run


def fill_column(blocks: list[Block], column: TextColumn, canvas: Any) -> tuple[list[Placed], list[Block]]:
    """As many of `blocks` as one column holds, and what is left over."""
    placed: list[Placed] = []
    rest = list(blocks)
    while rest:
        chain = next((n for n, block in enumerate(rest) if not block.keep), len(rest) - 1) + 1
        group, after = _group(rest[:chain], column, placed, canvas)
        placed += group
        rest = after + rest[chain:]
        if after:
            break
    return placed, rest


def _group(
    chain: list[Block], column: TextColumn, before: list[Placed], canvas: Any
) -> tuple[list[Placed], list[Block]]:
    """Blocks that keep together, after `before`: all of them, or all up to a break in the last; else none."""
    group: list[Placed] = []
    must = column.fresh and not before
    for number, block in enumerate(chain):
        top, room, wide = _room(block, column, [*before[-1:], *group])
        _, height = block.flowable.wrapOn(canvas, wide, max(room, 1))
        if height > room + _ROUNDING:
            alone = must and not group
            parts = [] if block.whole and not alone else _split(block.flowable, canvas, wide, room, alone)
            if not parts:
                return (group, chain[number:]) if must and group else ([], chain)
            _, height = parts[0].wrapOn(canvas, wide, room)
            group.append(column.place(block.part(parts[0], True), top, height))
            return group, [*(block.part(part, False) for part in parts[1:]), *chain[number + 1 :]]
        group.append(column.place(block, top, height))
    return group, []


def _room(block: Block, column: TextColumn, above: list[Placed]) -> tuple[float, float, float]:
    """Where the block would begin, and the height and width that it could take."""
    start = above[-1].top - above[-1].height if above else column.top
    top = start - _gap(above[-1] if above else None, block)
    pads = sum(frame.pad for frame in block.frames)
    return top, top - column.bottom - pads, column.width - block.indent - pads


def _split(flowable: Any, canvas: Any, width: float, height: float, must: bool) -> list[Any]:
    if height <= 0:
        return []
    parts = flowable.splitOn(canvas, width, height)
    if not parts and must and hasattr(flowable, "splitInRow"):
        flowable.splitInRow = 1
        parts = flowable.splitOn(canvas, width, height)
    if not parts and must and getattr(flowable, "repeatRows", False):
        flowable.repeatRows = 0  # its head alone fills the column
        parts = flowable.splitOn(canvas, width, height)
    if not must and parts and getattr(parts[0], "repeatRows", 0) and len(parts[0]._rowHeights) <= _FEWEST_ROWS:
        return []
    if not must and len(parts) > 1 and _is_row(parts[1]) and len(parts[0]._rowHeights) > _FEWEST_ROWS + 1:
        return list(flowable.splitOn(canvas, width, sum(flowable._rowHeights[: len(parts[0]._rowHeights) - 1])))
    return list(parts) if len(parts) > 1 else []


def _is_row(part: Any) -> bool:
    """Whether it is a last row of a table, alone below its head."""
    return bool(getattr(part, "repeatRows", 0)) and len(part._rowHeights) == 1 + part.repeatRows


def _gap(previous: Placed | None, block: Block) -> float:
    """White between two blocks: the larger of what both want, and the padding of boxes that end or begin."""
    opened = block.frames if previous is None else [f for f in block.frames if f not in previous.block.frames]
    pads = sum(frame.pad for frame in opened)
    if previous is None:
        return pads
    least = _AROUND if block.frames != previous.block.frames else 0.0
    closed = sum(frame.pad for frame in previous.block.frames if frame not in block.frames)
    wanted = max(previous.block.flowable.getSpaceAfter(), block.flowable.getSpaceBefore(), least)
    return float(pads + closed + wanted)
