"""Boxes, papers, and the plan of a page made for reading.

All geometry is in whole micrometres; origin at the lower left, y upwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from pathlib import Path

import msgspec

from vaultkit.errors import InvalidError, UsageError
from vaultkit.look import design
from vaultkit.look.lengths import MM, MM_POINTS, parse_length, points

__all__ = ["MM", "MM_POINTS", "Box", "ReadingPlan", "Segment", "Size", "Stock", "around", "load_stock", "points"]

_NARROWEST = 25 * MM
"""A column narrower or lower than this holds no words worth reading."""


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
        """Left, bottom, right and top in points, as PDF boxes are written."""
        return points(self.x), points(self.y), points(self.right), points(self.top)

    def inset(self, by: int) -> "Box":
        """The box made smaller by `by` on every side; larger where it is negative."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def joined(self, other: "Box") -> "Box":
        """The smallest box around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.top, other.top) - y)

    def within(self, other: "Box") -> "Box":
        """The part that `other` holds; the two overlap."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Box(x, y, min(self.right, other.right) - x, min(self.top, other.top) - y)

    def holds(self, other: "Box") -> bool:
        """Whether `other` lies wholly inside."""
        return self.x <= other.x and self.y <= other.y and other.right <= self.right and other.top <= self.top


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box around all of one or more."""
    return reduce(Box.joined, boxes)


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
        """The same sheet turned by a quarter."""
        return Size(self.name, self.height, self.width)

    @property
    def is_landscape(self) -> bool:
        return self.width > self.height


@dataclass(frozen=True)
class ReadingPlan:
    """Where a sheet made for reading has its text: a body in columns between a head line and a foot line."""

    paper: Size
    columns: int = 1
    side: int = 16 * MM
    above: int = 15 * MM
    below: int = 15 * MM
    gutter: int = 7 * MM
    uneven: float = 90.0
    """So many points more may two columns take if then the second begins with a section of its own."""

    def __post_init__(self) -> None:
        if min(self.column_width, self.body.height) < _NARROWEST:
            raise UsageError(f"{self.paper.name} paper is too small for text.", hint="Choose a larger paper.")

    @cached_property
    def body(self) -> Box:
        width, height = self.paper.width - 2 * self.side, self.paper.height - self.above - self.below
        return Box(self.side, self.below, width, height)

    @cached_property
    def column_width(self) -> int:
        return (self.body.width - (self.columns - 1) * self.gutter) // self.columns

    def column(self, number: int) -> Box:
        """The column `number`, from 0, over the body's whole height."""
        x = self.body.x + number * (self.column_width + self.gutter)
        return Box(x, self.body.y, self.column_width, self.body.height)


@dataclass(frozen=True)
class Stock:
    """Every paper and card size that the design file names."""

    papers: dict[str, Size]
    cards: dict[str, Size]

    def paper(self, name: str) -> Size:
        """The paper `name`; a typo gets the list."""
        size: Size = design.choose(self.papers, name.lower(), "paper")
        return size

    def card(self, name: str) -> Size:
        """The card size `name`; a typo gets the list."""
        size: Size = design.choose(self.cards, name.lower(), "card size")
        return size


def load_stock(vault: Path | None = None) -> Stock:
    """Papers and card sizes from `print/paper.toml`, the vault's own first."""
    path = design.find("paper.toml", vault)
    where = design.name_of(path)
    table = design.check(design.load(path), ["papers", "cards"], [], where)
    return Stock(_sizes(table["papers"], f"{where} [papers]"), _sizes(table["cards"], f"{where} [cards]"))


def _sizes(table: object, where: str) -> dict[str, Size]:
    if not isinstance(table, dict):
        raise InvalidError("Names and sizes belong here.", where=where, hint='Like a4 = ["210mm", "297mm"].')
    sizes = {}
    for name in table:
        pair = design.pair(table, name, where, 'Like ["63mm", "88mm"].')
        width, height = (parse_length(part, f"{where} {name}") for part in pair)
        if not 10 * MM <= min(width, height) <= max(width, height) <= 1500 * MM:
            raise InvalidError(f"'{name}' is smaller than 10 mm or larger than 1.5 m.", where=where)
        sizes[name.lower()] = Size(name.lower(), width, height)
    return sizes
