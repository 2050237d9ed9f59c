"""What a page is laid out from: blocks, the boxes around them, and a block at its place."""

from dataclasses import dataclass, replace
from typing import Any

from vaultkit.sheets.pdf.tags import Tag


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
    `structure` holds the tags of the note that it is part of.
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
    structure: Tag | None = None

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
