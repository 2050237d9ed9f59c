"""Boxes, paper sizes, and the layout of pages made for reading.

All lengths are in whole micrometres, with the origin at the lower left and y upwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from pathlib import Path

import msgspec

from vaultkit.errors import InvalidError, UsageError
from vaultkit.theme import design_loader
from vaultkit.theme.lengths import MM, MM_POINTS, parse_length, points

__all__ = ["MM", "MM_POINTS", "Box", "ReadingPlan", "Segment", "Size", "Stock", "bounding_box", "load_stock", "points"]

_MIN_COLUMN_SIZE = 25 * MM
"""The least width and height of a column of text that is worth reading."""


class Segment(msgspec.Struct, frozen=True):
    """A straight line in micrometres."""

    x1: int
    y1: int
    x2: int
    y2: int

    @property
    def points(self) -> tuple[float, float, float, float]:
        """Both ends in points."""
        return points(self.x1), points(self.y1), points(self.x2), points(self.y2)


class Box(msgspec.Struct, frozen=True):
    """A rectangle in micrometres."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def top(self) -> int:
        return self.y + self.height

    @property
    def points(self) -> tuple[float, float, float, float]:
        """x, y, width and height in points."""
        return points(self.x), points(self.y), points(self.width), points(self.height)

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top in points, as in PDF boxes."""
        return points(self.x), points(self.y), points(self.right), points(self.top)

    def inset(self, by: int) -> "Box":
        """Return the box made smaller by `by` on every side, or larger if `by` is negative."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def union(self, other: "Box") -> "Box":
        """Return the smallest box around this box and another."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.top, other.top) - y)

    def intersection(self, other: "Box") -> "Box":
        """Return the intersection with an overlapping box."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Box(x, y, min(self.right, other.right) - x, min(self.top, other.top) - y)

    def holds(self, other: "Box") -> bool:
        """Return whether `other` is wholly inside."""
        return self.x <= other.x and self.y <= other.y and other.right <= self.right and other.top <= self.top


def bounding_box(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around one or more boxes."""
    return reduce(Box.union, boxes)


class Size(msgspec.Struct, frozen=True):
    """The width and height of a paper or a card."""

    name: str
    width: int
    height: int

    @property
    def box(self) -> Box:
        return Box(0, 0, self.width, self.height)

    @property
    def on_its_side(self) -> "Size":
        """The sheet turned by 90 degrees."""
        return Size(self.name, self.height, self.width)

    @property
    def is_landscape(self) -> bool:
        return self.width > self.height


@dataclass(frozen=True)
class ReadingPlan:
    """The layout of a page made for reading: a body in columns between a header line and a footer line."""

    paper: Size
    columns: int = 1
    side: int = 16 * MM
    above: int = 15 * MM
    below: int = 15 * MM
    gutter: int = 7 * MM
    uneven: float = 90.0
    """The points by which two columns may get longer if the second can then begin with a new section."""

    def __post_init__(self) -> None:
        if min(self.column_width, self.body.height) < _MIN_COLUMN_SIZE:
            raise UsageError(f"{self.paper.name} paper is too small for text.", hint="Choose a larger paper.")

    @cached_property
    def body(self) -> Box:
        width, height = self.paper.width - 2 * self.side, self.paper.height - self.above - self.below
        return Box(self.side, self.below, width, height)

    @cached_property
    def column_width(self) -> int:
        return (self.body.width - (self.columns - 1) * self.gutter) // self.columns

    def column(self, number: int) -> Box:
        """Return the box of the column `number`, from 0, with the full height of the body."""
        x = self.body.x + number * (self.column_width + self.gutter)
        return Box(x, self.body.y, self.column_width, self.body.height)


@dataclass(frozen=True)
class Stock:
    """All paper and card sizes of the design file."""

    papers: dict[str, Size]
    cards: dict[str, Size]

    def paper(self, name: str) -> Size:
        """Return the paper `name`. Raises an error that lists the names if there is none."""
        size: Size = design_loader.choose(self.papers, name.lower(), "paper")
        return size

    def card(self, name: str) -> Size:
        """Return the card size `name`. Raises an error that lists the names if there is none."""
        size: Size = design_loader.choose(self.cards, name.lower(), "card size")
        return size


def load_stock(vault: Path | None = None) -> Stock:
    """Return paper and card sizes from `print/paper.toml`, the vault's own file if there is one."""
    path = design_loader.find("paper.toml", vault)
    where = design_loader.name_of(path)
    table = design_loader.check_keys(design_loader.load(path), ["papers", "cards"], [], where)
    return Stock(_sizes(table["papers"], f"{where} [papers]"), _sizes(table["cards"], f"{where} [cards]"))


def _sizes(table: object, where: str) -> dict[str, Size]:
    if not isinstance(table, dict):
        raise InvalidError("Names and sizes belong here.", where=where, hint='Like a4 = ["210mm", "297mm"].')
    sizes = {}
    for name in table:
        pair = design_loader.pair(table, name, where, 'Like ["63mm", "88mm"].')
        width, height = (parse_length(part, f"{where} {name}") for part in pair)
        if not 10 * MM <= min(width, height) <= max(width, height) <= 1500 * MM:
            raise InvalidError(f"'{name}' is smaller than 10 mm or larger than 1.5 m.", where=where)
        sizes[name.lower()] = Size(name.lower(), width, height)
    return sizes
