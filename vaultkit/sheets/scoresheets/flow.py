"""Stacks the parts of a sheet on its pages, and shares out what room is left."""

from collections.abc import Sequence
from typing import Protocol

from vaultkit.errors import InvalidError
from vaultkit.sheets.pdf.tags import Tag


class ScoreBlock(Protocol):
    """A part of a sheet over its whole width: from `least` to `most` points high."""

    @property
    def least(self) -> float: ...

    @property
    def most(self) -> float: ...

    def split(self, room: float) -> "tuple[ScoreBlock, ScoreBlock] | None":
        """The block in two, the first no higher than `room`; nothing if it cannot be divided there."""

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:
        """Draws the block below `top`; what it says goes under `tag`."""


def pages(blocks: Sequence[ScoreBlock], room: float, *, long: bool) -> list[list[ScoreBlock]]:
    """The blocks of each page, `room` points high. What needs more than it may is an InvalidError."""
    made: list[list[ScoreBlock]] = [[]]
    left, waiting = room, list(blocks)
    while waiting:
        block = waiting.pop(0)
        if block.least <= left + 0.01:
            made[-1].append(block)
            left -= block.least
            continue
        parts = block.split(left) if long else None
        if parts is not None:
            made[-1].append(parts[0])
            waiting.insert(0, parts[1])
        elif not long or not made[-1]:
            over = round(sum(one.least for one in blocks) - room if not long else block.least - room)
            raise InvalidError(
                f"The score sheet has more words than fit on its page: {over} points too many.",
                hint="Shorten its texts, take rows or columns out, or choose a larger paper or another layout.",
            )
        else:
            waiting.insert(0, block)
        made.append([])
        left = room
    return [page for page in made if page]


def stack(blocks: Sequence[ScoreBlock], x: float, top: float, room: float, tag: Tag) -> float:
    """Draws blocks one below the other; each gets its part of the room that is left over. Returns where they end."""
    spare = room - sum(block.least for block in blocks)
    elastic = sum(block.most - block.least for block in blocks)
    share = min(1.0, spare / elastic) if elastic else 0.0
    for block in blocks:
        height = block.least + (block.most - block.least) * share
        block.draw(x, top, height, tag)
        top -= height
    return top
