"""Blocks that pages are made of, the boxes around them, and rules about breaking and widening sections."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from msgspec.structs import replace

from vaultkit.sheets.pdf.tags import Tag

TO_DO, DONE = "todo", "done"
"""Values of `Block.box` for an empty and a ticked check box."""


class Enclosure(msgspec.Struct, frozen=True, eq=False):
    """A box around several blocks, such as a callout; a box that continues in another column is drawn in each.

    `indent` and `pad`, the padding, are in points. `fill` and `bar` are the colour roles of the background and of a bar
    at the side where most of its text begins, "" for none.
    """

    indent: float = 0.0
    pad: float = 5.0
    fill: str = ""
    bar: str = ""


class Block(msgspec.Struct, frozen=True, eq=False):
    """A flowable with rules for its place on the page.

    With `keep` it is on the same page as the next block, with `span` it spans all columns, and with `whole` it is never
    broken. `indent` is in points, `frames` are the boxes around it. `box` is a check box before it: `todo`, `done`, or
    a sign to print in the box. It `starts` a page, a column, or neither (""). `key` names a link destination; a heading
    also has a `title` and an outline `level`. `structure` is the tag of its note.
    """

    flowable: Any
    indent: float = 0.0
    frames: tuple[Enclosure, ...] = ()
    keep: bool = False
    span: bool = False
    whole: bool = False
    box: str = ""
    key: str = ""
    title: str = ""
    level: int = 0
    structure: Tag | None = None
    starts: str = ""

    @property
    def is_right_to_left(self) -> bool:
        """Whether the block begins at the right."""
        return bool(getattr(self.flowable, "is_right_to_left", False))

    def part(self, flowable: Any, is_first: bool) -> "Block":
        """Return the first part, or a later part, of a block that is broken; `flowable` is the part's content."""
        if is_first:
            return replace(self, flowable=flowable, keep=False)
        return replace(self, flowable=flowable, whole=False, box="", key="", title="", level=0, starts="")


class PlacedBlock(msgspec.Struct, frozen=True):
    """A block at its place on the page, in points.

    `x`, `top` and `height` are those of the flowable, `left` and `width` those of the column.
    """

    block: Block
    x: float
    top: float
    height: float
    left: float
    width: float

    @property
    def bottom(self) -> float:
        """The lower edge in points, including the padding of the boxes around the block."""
        return self.top - self.height - sum(frame.pad for frame in self.block.frames)

    def shift_up(self, distance: float) -> "PlacedBlock":
        """Return a copy of the block moved up by a number of points."""
        return replace(self, top=self.top + distance)


_MARKUP_TAG = re.compile(r"<[^>]*>")
_MAX_INTRO_BLOCK_COUNT, _MAX_INTRO_BLOCK_CHARS = 4, 700
"""The most blocks between a heading and its table that span as widely as the table, and the most characters of each."""
_MAX_WHOLE_HEIGHT_RATIO = 0.5
"""The height, relative to the page, above which a block is not kept whole: a large part of a page would stay empty."""
_MIN_BREAKABLE_SECTION_HEIGHT_PT = 108.0
"""The height in points, about eight lines, below which a section stays in one column."""
_MIN_SECTION_PART_HEIGHT_PT = 36.0
"""The least height in points, about three lines, of the text below a heading, and after a break in a section."""


def opens_section(blocks: Sequence[Block], index: int) -> bool:
    """Return whether a section begins at the block with an index: at the first of one or more consecutive headings.

    A heading below a block that is kept with it begins no section.
    """
    return _is_head(blocks[index]) and not (index and (_is_head(blocks[index - 1]) or blocks[index - 1].keep))


def _is_head(block: Block) -> bool:
    return bool(block.title) or (bool(block.key) and block.keep)


def keep_sections(blocks: Sequence[Block], width: float, canvas: Any) -> list[Block]:
    """Return the blocks with rules that keep short sections whole, and some lines at both ends of longer ones."""
    result = list(blocks)
    for start, end in _find_sections(result):
        heights = [_block_height(block, width, canvas) for block in result[start:end]]
        text_heights = [0.0 if _is_head(b) else h for b, h in zip(result[start:end], heights, strict=True)]
        if sum(text_heights) < _MIN_BREAKABLE_SECTION_HEIGHT_PT:
            result[start:end] = keep_together(result[start:end])
            continue
        counts = range(len(text_heights))
        head_end = next((n for n in counts if sum(text_heights[: n + 1]) >= _MIN_SECTION_PART_HEIGHT_PT), 0)
        tail_start = next(
            (n for n in range(len(text_heights) - 1, -1, -1) if sum(text_heights[n:]) >= _MIN_SECTION_PART_HEIGHT_PT),
            len(text_heights) - 1,
        )
        for number in [*range(head_end), *range(max(tail_start, head_end + 1), len(text_heights) - 1)]:
            result[start + number] = _keep_with_next(result[start + number])
    return result


def allow_breaks(
    blocks: Sequence[Block], column_width: float, page_width: float, page_height: float, canvas: Any
) -> list[Block]:
    """Return the blocks; let each that takes a large part of a page be broken."""
    max_height = _MAX_WHOLE_HEIGHT_RATIO * page_height
    return [
        replace(block, whole=False)
        if block.whole and _block_height(block, page_width if block.span else column_width, canvas) > max_height
        else block
        for block in blocks
    ]


def keep_together(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with rules that keep all of them together and unbroken."""
    return [*map(_keep_with_next, blocks[:-1]), *(replace(block, whole=True) for block in blocks[-1:])]


def _keep_with_next(block: Block) -> Block:
    return replace(block, keep=True, whole=True)


def _block_height(block: Block, width: float, canvas: Any) -> float:
    inner_width = width - block.indent - sum(frame.pad for frame in block.frames)
    return float(block.flowable.wrapOn(canvas, max(inner_width, 1), 10_000)[1])


def _find_sections(blocks: Sequence[Block]) -> Iterator[tuple[int, int]]:
    """Yield the start and end indices of each section; blocks that span all columns belong to none."""
    edges = [
        n
        for n, block in enumerate(blocks)
        if n == 0 or block.starts or block.span or blocks[n - 1].span or opens_section(blocks, n)
    ]
    for start, end in pairwise([*edges, len(blocks)]):
        if not blocks[start].span:
            yield start, end


def widen_headings(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks; headings and short text before a block that spans all columns span them too."""
    result = list(blocks)
    for index, block in enumerate(blocks):
        if not block.span:
            continue
        start = index
        while (
            start > 0 and index - start < _MAX_INTRO_BLOCK_COUNT and not (blocks[start].title or result[start - 1].span)
        ):
            start -= 1
        while start > 0 and blocks[start].title and blocks[start - 1].title:
            start -= 1
        if not blocks[start].title and start < index:
            start = next((n for n in range(index, 0, -1) if not blocks[n - 1].keep), 0)
        are_short = all(_count_chars(b) < _MAX_INTRO_BLOCK_CHARS for b in blocks[start:index])
        if are_short and not any(b.frames or b.indent or _is_picture(b) for b in blocks[start:index]):
            result[start:index] = [replace(b, span=True) for b in blocks[start:index]]
        else:
            start = _find_lead_start(result, index)
            result[start:index] = [replace(b, span=True) for b in result[start:index]]
    return _widen_short_runs(result)


def _is_picture(block: Block) -> bool:
    return not block.span and hasattr(block.flowable, "breadth")


def _find_lead_start(blocks: Sequence[Block], index: int) -> int:
    """Return the index of the first of the blocks directly above a block that are kept with it, or its own index."""
    while (
        index > 0
        and (block_above := blocks[index - 1]).keep
        and not (block_above.span or block_above.frames or block_above.indent)
    ):
        index -= 1
    return index


def _count_chars(block: Block) -> int:
    """Return the number of characters of a paragraph, or 0 for any other flowable."""
    return len(_MARKUP_TAG.sub("", getattr(block.flowable, "text", "") or ""))


def _widen_short_runs(blocks: list[Block]) -> list[Block]:
    """Let short text between two blocks that span all columns span them too; return the same list."""
    span_indices = [-1, *(number for number, block in enumerate(blocks) if block.span)]
    for before, after in pairwise(span_indices):
        short_run = blocks[before + 1 : after]
        char_count = sum(_count_chars(block) or _MAX_INTRO_BLOCK_CHARS for block in short_run)
        is_short = len(short_run) < _MAX_INTRO_BLOCK_COUNT and char_count < _MAX_INTRO_BLOCK_CHARS
        if is_short and not any(block.title for block in short_run):
            blocks[before + 1 : after] = [replace(block, span=True) for block in short_run]
    return blocks
