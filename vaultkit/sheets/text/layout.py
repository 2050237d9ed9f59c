"""Layout of blocks on pages with balanced columns; some blocks are kept together or span all columns."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from vaultkit.errors import InvalidError
from vaultkit.sheets.paper import ReadingPlan
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.output_file import refuse_many_pages
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.blocks import (
    DONE,
    TO_DO,
    Block,
    Enclosure,
    PlacedBlock,
    allow_breaks,
    keep_sections,
    opens_section,
    widen_headings,
)
from vaultkit.sheets.text.html_styles import PAGE
from vaultkit.theme import model as look
from vaultkit.theme.lengths import points
from vaultkit.theme.reportlab_private import row_heights

Columns = list[list[PlacedBlock]]
_HEIGHT_STEP_PT = 9.0
_SPAN_GAP_PT = 10.0
"""The space in points between text in columns and blocks that span them."""
_BOX_GAP_PT = 7.0
_MIN_COLUMN_HEIGHT_RATIO = 0.5
"""The least height of the shorter of two columns relative to the longer one, if the second begins with a section."""
_MAX_EXTRA_HEIGHT_PT = 60.0
"""The points by which columns may be longer than necessary so that the last one is not the longest."""
_ROUNDING_TOLERANCE_PT = 0.01
_MIN_ROWS_BEFORE_BREAK = 3
"""The number of rows, including the head, up to which a table is not broken yet."""
_CHECK_BOX_SIZE_RATIO, _SIGN_BOX_SIZE_RATIO = 2 / 3, 0.86
"""The sides of an ordinary check box, and of one with a sign in it, relative to the font size of the text."""
_BAR_WIDTH_PT = 2.2


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
        right = self.left + self.width - block.indent
        x = right - block.flowable.width if block.is_right_to_left else self.left + block.indent
        return PlacedBlock(block, x, top, height, self.left, self.width)


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
    plans_by_page: Mapping[int, ReadingPlan] = MappingProxyType({}),
) -> list[TextPage]:  # fmt: skip
    """Return the pages on which all blocks are placed; `canvas` is only used to measure.

    `first_top` is where the text of the first page begins, in points from the bottom. `plans_by_page` holds plans for
    single pages by their index from 0; the other pages have `plan`. Raises InvalidError if a block is too large for a
    page, or if there are more pages than a file may have.
    """
    _, bottom, _, height = plan.body.points
    all_blocks = widen_headings(blocks) if plan.columns > 1 else list(blocks)
    all_blocks = keep_sections(all_blocks, points(plan.column_width), canvas)
    all_blocks = allow_breaks(all_blocks, points(plan.column_width), points(plan.body.width), height, canvas)
    is_right_to_left = 2 * sum(block.is_right_to_left for block in all_blocks) > len(all_blocks)
    pages: list[TextPage] = []
    starts = [n for n, block in enumerate(all_blocks) if n == 0 or block.starts == PAGE]
    for start, end in pairwise([*starts, len(all_blocks)]):
        remaining_blocks = all_blocks[start:end]
        while remaining_blocks:
            top = first_top if first_top is not None and not pages else bottom + height
            page_plan = plans_by_page.get(len(pages), plan)
            page, left_over = _fill_page(remaining_blocks, page_plan, canvas, top, is_right_to_left)
            if len(left_over) == len(remaining_blocks) and not page.placed_blocks and top == bottom + height:
                raise InvalidError("Something in the note is too large for a page.", hint="Print it on a larger paper.")
            pages.append(page)
            refuse_many_pages(len(pages))
            remaining_blocks = left_over
    return pages or [TextPage()]


def _fill_page(
    blocks: list[Block], plan: ReadingPlan, canvas: Any, top: float, is_right_to_left: bool
) -> tuple[TextPage, list[Block]]:
    """Return a page with as many blocks as it takes, and the others; the first column may be at the right."""
    page, remaining_blocks, is_fresh = TextPage(), blocks, True
    bottom = points(plan.body.y)
    while remaining_blocks:
        spans_columns = plan.columns == 1 or remaining_blocks[0].span
        ends = (n for n, block in enumerate(remaining_blocks) if plan.columns > 1 and block.span != spans_columns)
        end = next(ends, len(remaining_blocks))
        numbers = range(plan.columns)[:: -1 if is_right_to_left else 1]
        boxes = [plan.body] if spans_columns else [plan.column(number) for number in numbers]
        column_top = top if is_fresh else top - _SPAN_GAP_PT
        empty_columns = [TextColumn(points(box.x), points(box.width), column_top, bottom, is_fresh) for box in boxes]
        columns, left_over = _fill_band(remaining_blocks[:end], empty_columns, canvas, plan.uneven)
        if not spans_columns and not any(columns[1:]):
            column = replace(empty_columns[0], left=points(plan.body.x), width=points(plan.body.width))
            columns, left_over = _fill_columns(remaining_blocks[:end], [column], canvas)
        page.columns += columns
        page.rules += _separator_lines(columns)
        remaining_blocks = left_over + remaining_blocks[end:]
        if left_over:
            break
        top, is_fresh = min((column[-1].bottom for column in columns if column), default=top), False
    return page, remaining_blocks


def _separator_lines(columns: Columns) -> list[tuple[float, float, float]]:
    """Return a vertical line between each two adjacent columns with content: x, top and bottom in points."""
    filled_columns = sorted((column for column in columns if column), key=lambda column: column[0].left)
    bottom = min((column[-1].bottom for column in filled_columns), default=0.0)
    return [
        ((left_column[0].left + left_column[0].width + right_column[0].left) / 2, left_column[0].top, bottom)
        for left_column, right_column in pairwise(filled_columns)
    ]


def _fill_band(
    blocks: list[Block], empty_columns: list[TextColumn], canvas: Any, max_extra_length: float
) -> tuple[Columns, list[Block]]:
    """Return the placed blocks of columns side by side, and the remaining blocks.

    If all blocks fit, the columns are balanced, or made up to `max_extra_length` points longer to keep a section whole.
    So are the blocks above one that does not fit, if a column would stay empty otherwise.
    """
    columns, remaining_blocks = _fill_columns(blocks, empty_columns, canvas)
    if len(empty_columns) == 1 or (remaining_blocks and all(columns)):
        return columns, remaining_blocks
    blocks = blocks[: len(blocks) - len(remaining_blocks)]
    balanced_columns = _balance_columns(blocks, empty_columns, canvas) or columns
    section_columns = _break_at_section(blocks, empty_columns, canvas)
    if section_columns is None:
        return balanced_columns, remaining_blocks
    max_length = _column_length(balanced_columns) + max_extra_length
    return (section_columns if _column_length(section_columns) <= max_length else balanced_columns), remaining_blocks


def _column_length(columns: Columns) -> float:
    filled_columns = [column for column in columns if column]
    return filled_columns[0][0].top - min(column[-1].bottom for column in filled_columns) if filled_columns else 0.0


def _balance_columns(blocks: list[Block], empty_columns: list[TextColumn], canvas: Any) -> Columns | None:
    """Return columns of about equal height, or None if the blocks do not fit.

    The last column is not the longest unless all columns would be much longer otherwise.
    """
    columns, _ = _fill_columns(blocks, empty_columns, canvas)
    top, bottom = empty_columns[0].top, empty_columns[0].bottom
    height = sum(top - column[-1].bottom for column in columns if column) / len(empty_columns)
    shortest_columns: Columns | None = None
    while top - height > bottom:
        balanced_columns, remaining_blocks = _fill_columns(
            blocks, [replace(empty_column, bottom=top - height, fresh=False) for empty_column in empty_columns], canvas
        )
        if not remaining_blocks:
            shortest_columns = shortest_columns or balanced_columns
            if _last_is_not_longest(balanced_columns):
                if _column_length(balanced_columns) <= _column_length(shortest_columns) + _MAX_EXTRA_HEIGHT_PT:
                    return balanced_columns
                return shortest_columns
        height += _HEIGHT_STEP_PT
    return shortest_columns


def _break_at_section(blocks: list[Block], empty_columns: list[TextColumn], canvas: Any) -> Columns | None:
    """Return two columns, the second of which begins with a section.

    None means that there are not two columns, that the note breaks the columns itself, or that no such break gives
    columns of similar height that hold all blocks.
    """
    if len(empty_columns) != 2 or any(block.starts for block in blocks[1:]):
        return None
    candidates = []
    for section_start in range(1, len(blocks)):
        if not opens_section(blocks, section_start):
            continue
        parts = [
            fill_column(part, empty_column, canvas)
            for part, empty_column in zip((blocks[:section_start], blocks[section_start:]), empty_columns, strict=True)
        ]
        columns = [column for column, _ in parts]
        lengths = [_column_length([column]) for column in columns]
        has_similar_lengths = min(lengths) >= _MIN_COLUMN_HEIGHT_RATIO * max(lengths)
        if has_similar_lengths and not any(remaining_blocks for _, remaining_blocks in parts):
            candidates.append(columns)
    return min(candidates, key=_column_length, default=None)


def _last_is_not_longest(columns: Columns) -> bool:
    """Return whether the last column is at most a line or two longer than the first."""
    ends = [column[-1].bottom for column in columns if column]
    return len(ends) < 2 or ends[-1] >= ends[0] - 2 * _HEIGHT_STEP_PT


def _fill_columns(blocks: list[Block], empty_columns: list[TextColumn], canvas: Any) -> tuple[Columns, list[Block]]:
    columns, has_breaks = [], len(empty_columns) > 1
    for empty_column in empty_columns:
        ends = (n for n in range(1, len(blocks)) if has_breaks and blocks[n].starts)
        end = next(ends, len(blocks))
        column, left_over = fill_column(blocks[:end], empty_column, canvas)
        columns.append(column)
        blocks = left_over + blocks[end:]
    return columns, blocks


def fill_column(blocks: list[Block], column: TextColumn, canvas: Any) -> tuple[list[PlacedBlock], list[Block]]:
    """Return the blocks that fit into a column, placed in it, and the remaining blocks."""
    placed_blocks: list[PlacedBlock] = []
    remaining_blocks = list(blocks)
    while remaining_blocks:
        last = len(remaining_blocks) - 1
        chain_length = next((n for n, block in enumerate(remaining_blocks) if not block.keep), last) + 1
        group, unplaced_blocks = _place_group(remaining_blocks[:chain_length], column, placed_blocks, canvas)
        placed_blocks += group
        remaining_blocks = unplaced_blocks + remaining_blocks[chain_length:]
        if unplaced_blocks:
            break
    return placed_blocks, remaining_blocks


def _place_group(
    chain: list[Block], column: TextColumn, placed_blocks: list[PlacedBlock], canvas: Any
) -> tuple[list[PlacedBlock], list[Block]]:
    """Place blocks that are kept together below the ones in `placed_blocks`; return the placed and the remaining ones.

    Either all are placed, or all up to a break in one of them, or none. At the top of a page as many as fit are placed.
    """
    group: list[PlacedBlock] = []
    must_fit = column.fresh and not placed_blocks
    for index, block in enumerate(chain):
        top, available_height, available_width = _available_space(block, column, [*placed_blocks[-1:], *group])
        _, height = block.flowable.wrapOn(canvas, available_width, max(available_height, 1))
        if height > available_height + _ROUNDING_TOLERANCE_PT:
            size, must_fit_here = (available_width, available_height), must_fit and not group
            can_split = must_fit or not block.whole
            parts = _split_flowable(block.flowable, canvas, *size, must_fit_here) if can_split else []
            if not parts:
                return (group, chain[index:]) if must_fit and group else ([], chain)
            _, height = parts[0].wrapOn(canvas, available_width, available_height)
            group.append(column.place(block.part(parts[0], True), top, height))
            return group, [*(block.part(part, False) for part in parts[1:]), *chain[index + 1 :]]
        group.append(column.place(block, top, height))
    return group, []


def _available_space(block: Block, column: TextColumn, blocks_above: list[PlacedBlock]) -> tuple[float, float, float]:
    """Return the top of the block if it is placed below others, and the height and width available to it, in points."""
    upper_edge = blocks_above[-1].top - blocks_above[-1].height if blocks_above else column.top
    top = upper_edge - _space_above(blocks_above[-1] if blocks_above else None, block)
    total_padding = sum(frame.pad for frame in block.frames)
    return top, top - column.bottom - total_padding, column.width - block.indent - total_padding


def _split_flowable(flowable: Any, canvas: Any, width: float, height: float, must_fit: bool) -> list[Any]:
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
    repeats_head = not must_fit and parts and getattr(parts[0], "repeatRows", 0)
    if repeats_head and len(row_heights(parts[0])) <= _MIN_ROWS_BEFORE_BREAK:
        return []
    leaves_one_row = not must_fit and len(parts) > 1 and _has_one_row(parts[1])
    if leaves_one_row and len(row_heights(parts[0])) > _MIN_ROWS_BEFORE_BREAK + 1:
        return list(flowable.splitOn(canvas, width, sum(row_heights(flowable)[: len(row_heights(parts[0])) - 1])))
    return list(parts) if len(parts) > 1 else []


def _has_one_row(part: Any) -> bool:
    """Return whether a part of a table has a single row below its head."""
    return bool(getattr(part, "repeatRows", 0)) and len(row_heights(part)) == 1 + part.repeatRows


def _space_above(previous: PlacedBlock | None, block: Block) -> float:
    """Return the space in points between two blocks, or above the first block of a column.

    It is the larger of the spaces that the two require, plus the padding of boxes that end or begin between them.
    """
    opened_frames = block.frames if previous is None else [f for f in block.frames if f not in previous.block.frames]
    opened_padding = sum(frame.pad for frame in opened_frames)
    if previous is None:
        return opened_padding
    min_gap = _BOX_GAP_PT if block.frames != previous.block.frames else 0.0
    closed_padding = sum(frame.pad for frame in previous.block.frames if frame not in block.frames)
    gap = max(previous.block.flowable.getSpaceAfter(), block.flowable.getSpaceBefore(), min_gap)
    return float(opened_padding + closed_padding + gap)


def draw_page(document: Document, page: TextPage, parent_tag: Tag | None = None) -> None:
    """Draw everything on a page; its tags are added to `parent_tag`, or to the document's tag if it is None."""
    _add_structures(page, parent_tag or document.structure)
    _draw_rules(document, page)
    for column in page.columns:
        for frame in dict.fromkeys(frame for item in column for frame in item.block.frames):
            _draw_frame(document, frame, [item for item in column if frame in item.block.frames])
    for item in page.placed_blocks:
        item.block.flowable.drawOn(document.canvas, item.x, item.top - item.height)
        if item.block.box:
            with document.canvas.tag_content(item.block.flowable.label):
                _draw_check_box(document, item)


def _add_structures(page: TextPage, parent_tag: Tag) -> None:
    for item in page.placed_blocks:
        structure = item.block.structure
        if structure is not None and structure not in parent_tag.children:
            parent_tag.children.append(structure)


def _draw_rules(document: Document, page: TextPage) -> None:
    document.canvas.pen(look.LINE, 0.4)
    for x, top, bottom in page.rules:
        document.canvas.line(x, top, x, bottom)


def _draw_frame(document: Document, frame: Enclosure, items: list[PlacedBlock]) -> None:
    canvas = document.canvas
    first, last = items[0], items[-1]
    padding_above = sum(f.pad for f in first.block.frames[first.block.frames.index(frame) :])
    padding_below = sum(f.pad for f in last.block.frames[last.block.frames.index(frame) :])
    outer_padding = sum(f.pad for f in first.block.frames[: first.block.frames.index(frame)])
    left, right = first.left + frame.indent, first.left + first.width - outer_padding
    is_right_to_left = 2 * sum(item.block.is_right_to_left for item in items) >= len(items)
    if is_right_to_left:
        left, right = first.left + outer_padding, first.left + first.width - frame.indent
    top, bottom = first.top + padding_above, last.top - last.height - padding_below
    if frame.fill:
        canvas.fill(frame.fill)
        canvas.rect(left, bottom, right - left, top - bottom, stroke=0, fill=1)
    if frame.bar:
        canvas.fill(frame.bar)
        bar_left = right - _BAR_WIDTH_PT if is_right_to_left else left
        canvas.rect(bar_left, bottom, _BAR_WIDTH_PT, top - bottom, stroke=0, fill=1)


def _draw_check_box(document: Document, item: PlacedBlock) -> None:
    canvas = document.canvas
    style = item.block.flowable.style
    sign = item.block.box if item.block.box not in {TO_DO, DONE} else ""
    side = (_SIGN_BOX_SIZE_RATIO if sign else _CHECK_BOX_SIZE_RATIO) * style.fontSize
    left = item.x + item.block.flowable.width - side - 2 if item.block.is_right_to_left else item.x
    x, y = left + 1, item.top - style.leading + (style.leading - side) / 2
    canvas.pen(look.INK, _CHECK_BOX_SIZE_RATIO * style.fontSize / 10)
    canvas.rect(x, y, side, side, stroke=1, fill=0)
    if item.block.box == DONE:
        canvas.setLineWidth(side / 6.4)
        lowest_point = x + 0.43 * side, y + 0.23 * side
        canvas.line(x + 0.21 * side, y + 0.49 * side, *lowest_point)
        canvas.line(*lowest_point, x + 0.83 * side, y + 0.8 * side)
    if sign:
        canvas.fill(look.INK)
        sign_x = x + (side - document.glyphs.measure_width(sign, look.BOX_BOLD, style.fontSize)) / 2
        words = canvas.beginText(sign_x, y + 0.13 * side)
        document.glyphs.append_text(words, sign, look.BOX_BOLD, style.fontSize)
        canvas.drawText(words)
