"""Stacks the parts of a sheet on its pages, and shares out what room is left."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

from vaultkit.errors import InvalidError
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.pen import Pen


class ScoreBlock(ABC):
    """A part of a sheet, `width` points wide and from `least` to `most` points high."""

    least = 0.0

    def __init__(self, pen: Pen, width: float) -> None:
        self.pen, self.style, self.width, self.write = pen, pen.style, width, pen.document.write

    @property
    def most(self) -> float:
        """As high as `least`, but for what takes more room where there is some."""
        return self.least

    def split(self, room: float) -> tuple[Self, Self] | None:  # noqa: ARG002
        """The block in two, the first no higher than `room`; nothing if it cannot be divided there."""
        return None

    @abstractmethod
    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:
        """Draws the block below `top`; what it says goes under `tag`."""


def pages(blocks: Sequence[ScoreBlock], room: float, *, long: bool) -> list[list[ScoreBlock]]:
    """The blocks of each page, `room` points high. What needs more than it may is an InvalidError."""
    made: list[list[ScoreBlock]] = [[]]
    left, waiting = room, [block for block in blocks if block.least]
    while waiting:
        block = waiting.pop(0)
        if block.least <= left + 0.01:
            made[-1].append(block)
            left -= block.least
            continue
        parts = block.split(left) if long else None
        if not parts and not (long and made[-1]):
            over = block.least - room if long else sum(one.least for one in blocks) - room
            raise InvalidError(
                f"The score sheet has more words than fit on its page: {round(over)} points too many.",
                hint="Shorten its texts, take rows or columns out, or choose a larger paper or another layout.",
            )
        first, *others = parts or [block]
        made[-1] += [first] if others else []
        waiting[:0] = others or [block]
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
