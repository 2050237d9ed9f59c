"""Pictures at one side of a column with the text that follows beside them."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.flowables import PICTURE_GAP_PT, BesideFlowable

_MIN_TEXT_WIDTH_PT = 90.0
"""The width in points below which no text is set beside a picture."""
_MIN_LINES = 2
"""The least number of lines of a paragraph that are set beside a picture."""
_MAX_OVERHANG_LINES = 0.7
"""The part of a line by which the text beside a picture may be higher than the picture."""
_MAX_HEIGHT_PT = 1_000_000.0


def float_pictures(blocks: Sequence[Block], width: float) -> list[Block]:
    """Return the blocks with text beside pictures that float, in columns that are `width` points wide.

    A paragraph that is higher than the rest of the picture goes on below it, as wide as the column.
    """
    if not any(_floats(block) for block in blocks):
        return list(blocks)
    result, remaining_blocks = list[Block](), list(blocks)
    while remaining_blocks:
        block = remaining_blocks.pop(0)
        result.append(_set_beside(block, remaining_blocks, width) if _floats(block) else block)
    return result


def _floats(block: Block) -> bool:
    return bool(getattr(block.flowable, "floats", False)) and not block.span


def _set_beside(block: Block, following: list[Block], column_width: float) -> Block:
    """Return a picture with text beside it, which is removed from the blocks that follow."""
    picture = block.flowable
    width = column_width - block.indent - sum(frame.pad for frame in block.frames)
    text_width = width - picture.breadth - PICTURE_GAP_PT
    room = float(picture.wrap(width, 0)[1])
    parts = list[Any]()
    last = block
    while following and text_width > _MIN_TEXT_WIDTH_PT and _may_stand_beside(following[0], block):
        paragraph = following[0].flowable
        needed_width = text_width - (following[0].indent - block.indent)
        height = paragraph.wrap(needed_width, _MAX_HEIGHT_PT)[1]
        if room < _MIN_LINES * paragraph.style.leading:
            break
        last = following.pop(0)
        if height > room:
            paragraph.keep_words_whole()
            pieces = paragraph.split(needed_width, room + _MAX_OVERHANG_LINES * paragraph.style.leading)
            parts += pieces[:1]
            if len(pieces) != 1:
                following.insert(0, _join(last, *pieces) if pieces else last)
            break
        parts.append(paragraph)
        room -= height + paragraph.getSpaceAfter()
    return (
        replace(block, flowable=BesideFlowable(parts, picture), keep=last.keep and last is not block)
        if parts
        else block
    )


def _join(block: Block, first: Any, rest: Any) -> Block:
    """Return the block of the rest of a paragraph, with no more space above it than between other lines."""
    first.style, rest.style = (part.style.clone(part.style.name) for part in (first, rest))
    first.style.spaceAfter = rest.style.spaceBefore = 0
    return block.part(rest, False)


def _may_stand_beside(block: Block, picture_block: Block) -> bool:
    """Return whether a block is a paragraph that may stand beside a picture in the same box."""
    is_text = bool(getattr(block.flowable, "unbroken", "")) and not (
        block.title or block.key or block.box or block.starts
    )
    return is_text and not block.span and block.indent == picture_block.indent and block.frames == picture_block.frames
