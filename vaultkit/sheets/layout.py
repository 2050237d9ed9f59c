"""Blocks into columns and pages: what keeps together, what spans, what is boxed; columns are made even."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from vaultkit.errors import InvalidError
from vaultkit.sheets.paper import ReadingPlan, points

_TAG = re.compile(r"<[^>]*>")
_STEP = 9.0
_BETWEEN = 10.0
"""White between text in columns and what spans them, in points."""
_AROUND = 7.0
_ROUNDING = 0.01
_FEWEST_ROWS = 3
"""A table is not broken after fewer rows, its head included."""
_FEW, _SHORT = 4, 700
"""How many blocks, of how many characters each, may stand between a heading and its table and be as wide as it."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A box around several blocks, such as a callout: drawn behind whatever part of them a column holds."""

    indent: float = 0.0
    pad: float = 5.0
    fill: str = ""
    bar: str = ""


@dataclass(frozen=True, eq=False)
class Block:
    """A flowable and how it stands: with the next one (`keep`), over all columns (`span`), in one piece (`whole`).

    `box` is a check box before it. `key` names a destination; a heading has a `title` and an outline `level`, too.
    """

    flowable: Any
    indent: float = 0.0
    frames: tuple[Frame, ...] = ()
    keep: bool = False
    span: bool = False
    whole: bool = False
    box: str = ""
    key: str = ""
    title: str = ""
    level: int = 0

    def part(self, flowable: Any, first: bool) -> "Block":
        """The first or a later part of the block after a break."""
        if first:
            return replace(self, flowable=flowable, keep=False)
        return replace(self, flowable=flowable, whole=False, box="", key="", title="", level=0)


@dataclass(frozen=True)
class Placed:
    """A block at its place in points: x and top of the flowable, the column's left edge and width."""

    block: Block
    x: float
    top: float
    height: float
    left: float
    width: float


@dataclass(frozen=True)
class Column:
    """Room for blocks, in points; `fresh` says that it is a whole page's height, so that something must fit."""

    left: float
    width: float
    top: float
    bottom: float
    fresh: bool = True

    def place(self, block: Block, top: float, height: float) -> Placed:
        """The block at its place in this column."""
        return Placed(block, self.left + block.indent, top, height, self.left, self.width)


@dataclass
class Page:
    """What stands on one page, column by column, in reading order."""

    columns: list[list[Placed]] = field(default_factory=list)

    @property
    def placed(self) -> list[Placed]:
        return [item for column in self.columns for item in column]


def paginate(blocks: Sequence[Block], plan: ReadingPlan, canvas: Any, *, first_top: float | None = None) -> list[Page]:
    """Fills pages until nothing is left. `canvas` only measures; `first_top` is where the first page's text begins."""
    _, bottom, _, height = plan.body.points
    rest = _with_headings(blocks) if plan.columns > 1 else list(blocks)
    pages: list[Page] = []
    while rest:
        top = first_top if first_top is not None and not pages else bottom + height
        page, left_over = _page(rest, plan, canvas, top)
        if len(left_over) == len(rest) and not page.placed and top == bottom + height:
            raise InvalidError("Something in the note is too large for a page.", hint="Print it on a larger paper.")
        pages.append(page)
        rest = left_over
    return pages or [Page()]


def _with_headings(blocks: Sequence[Block]) -> list[Block]:
    """Before a block that spans all columns, its heading and the few words between them span, too."""
    result = list(blocks)
    for number, block in enumerate(blocks):
        if not block.span:
            continue
        start = number
        while start > 0 and number - start < _FEW and not (blocks[start].title or result[start - 1].span):
            start -= 1
        while start > 0 and blocks[start].title and blocks[start - 1].title:
            start -= 1
        if not blocks[start].title and start < number:
            start = next((n for n in range(number, 0, -1) if not blocks[n - 1].keep), 0)
        few = all(_length(b) < _SHORT for b in blocks[start:number])
        if few and not any(b.frames or b.indent for b in blocks[start:number]):
            result[start:number] = [replace(b, span=True) for b in blocks[start:number]]
    return _without_crumbs(result)


def _length(block: Block) -> int:
    """Characters of a paragraph; 0 for everything else."""
    return len(_TAG.sub("", getattr(block.flowable, "text", "") or ""))


def _without_crumbs(blocks: list[Block]) -> list[Block]:
    """The few words between two blocks that span all columns span them, too."""
    wide = [-1, *(number for number, block in enumerate(blocks) if block.span)]
    for before, after in pairwise(wide):
        crumbs = blocks[before + 1 : after]
        size = sum(_length(block) or _SHORT for block in crumbs)
        if len(crumbs) < _FEW and size < _SHORT and not any(block.title for block in crumbs):
            blocks[before + 1 : after] = [replace(block, span=True) for block in crumbs]
    return blocks


def _page(blocks: list[Block], plan: ReadingPlan, canvas: Any, top: float) -> tuple[Page, list[Block]]:
    page, rest, fresh = Page(), blocks, True
    bottom = points(plan.body.y)
    while rest:
        wide = plan.columns == 1 or rest[0].span
        end = next((n for n, block in enumerate(rest) if plan.columns > 1 and block.span != wide), len(rest))
        boxes = [plan.body] if wide else [plan.column(number) for number in range(plan.columns)]
        start = top if fresh else top - _BETWEEN
        places = [Column(points(box.x), points(box.width), start, bottom, fresh) for box in boxes]
        columns, left_over = _band(rest[:end], places, canvas)
        page.columns += columns
        rest = left_over + rest[end:]
        if left_over:
            break
        top, fresh = min((_bottom(column) for column in columns if column), default=top), False
    return page, rest


def _bottom(column: list[Placed]) -> float:
    last = column[-1]
    return last.top - last.height - sum(frame.pad for frame in last.block.frames)


def _band(run: list[Block], places: list[Column], canvas: Any) -> tuple[list[list[Placed]], list[Block]]:
    """Fills columns side by side; if everything fits, again with less height, until they are about even."""
    columns, rest = _fill(run, places, canvas)
    if rest or len(places) == 1:
        return columns, rest
    top, bottom = places[0].top, places[0].bottom
    height = sum(top - _bottom(column) for column in columns if column) / len(places)
    while top - height > bottom:
        even, rest = _fill(run, [replace(place, bottom=top - height, fresh=False) for place in places], canvas)
        if not rest and _descends(even):
            return even, rest
        height += _STEP
    return columns, []


def _descends(columns: list[list[Placed]]) -> bool:
    """Whether no column hangs lower than the ones on its left by more than a line or two."""
    ends = [_bottom(column) for column in columns if column]
    return len(ends) < 2 or ends[-1] >= ends[0] - 2 * _STEP


def _fill(run: list[Block], places: list[Column], canvas: Any) -> tuple[list[list[Placed]], list[Block]]:
    columns = []
    for place in places:
        column, run = fill_column(run, place, canvas)
        columns.append(column)
    return columns, run


def fill_column(blocks: list[Block], column: Column, canvas: Any) -> tuple[list[Placed], list[Block]]:
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


def _group(chain: list[Block], column: Column, before: list[Placed], canvas: Any) -> tuple[list[Placed], list[Block]]:
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


def _room(block: Block, column: Column, above: list[Placed]) -> tuple[float, float, float]:
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
    if not must and parts and getattr(parts[0], "repeatRows", 0) and len(parts[0]._rowHeights) <= _FEWEST_ROWS:
        return []
    return list(parts) if len(parts) > 1 else []


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
