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
"""The least width and height of a column of text, in micrometres."""


class Segment(msgspec.Struct, frozen=True):
    """A straight line in micrometres."""

    x1: int
    y1: int
    x2: int
    y2: int

    @property
    def points(self) -> tuple[float, float, float, float]:
        """The coordinates x1, y1, x2 and y2 in points."""
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
        """The coordinates x and y, the width and the height in points."""
        return points(self.x), points(self.y), points(self.width), points(self.height)

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """The left, bottom, right and top edges in points, as in PDF boxes."""
        return points(self.x), points(self.y), points(self.right), points(self.top)

    def inset(self, distance: int) -> "Box":
        """Return the box with every side moved inwards by a distance in micrometres, or outwards if it is negative."""
        return Box(self.x + distance, self.y + distance, self.width - 2 * distance, self.height - 2 * distance)

    def union(self, other: "Box") -> "Box":
        """Return the smallest box around this box and another."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.top, other.top) - y)

    def intersection(self, other: "Box") -> "Box":
        """Return the box in which this box and `other` overlap; they must overlap."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Box(x, y, min(self.right, other.right) - x, min(self.top, other.top) - y)

    def holds(self, other: "Box") -> bool:
        """Return whether `other` lies completely within this box."""
        return self.x <= other.x and self.y <= other.y and other.right <= self.right and other.top <= self.top


def bounding_box(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around one or more boxes."""
    return reduce(Box.union, boxes)


class Size(msgspec.Struct, frozen=True):
    """The name, width and height of a paper or a card, in micrometres."""

    name: str
    width: int
    height: int

    @property
    def box(self) -> Box:
        return Box(0, 0, self.width, self.height)

    @property
    def on_its_side(self) -> "Size":
        """The size turned by 90 degrees, with width and height exchanged."""
        return Size(self.name, self.height, self.width)

    @property
    def is_landscape(self) -> bool:
        return self.width > self.height


@dataclass(frozen=True)
class ReadingPlan:
    """The layout of a page made for reading: margins, and a body in columns.

    `side`, `above` and `below` are the margins at the sides, the top and the bottom, `gutter` is the space between
    columns. Raises UsageError if the paper is too small.
    """

    paper: Size
    columns: int = 1
    side: int = 16 * MM
    above: int = 15 * MM
    below: int = 15 * MM
    gutter: int = 7 * MM
    uneven: float = 90.0
    """The points by which columns may be longer than balanced ones, so that the second can begin with a section."""

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
    """All paper and card sizes of the design file, by their names in lower case."""

    papers: dict[str, Size]
    cards: dict[str, Size]

    def paper(self, name: str) -> Size:
        """Return the paper with a name. Raises UsageError that lists all names if there is none."""
        size: Size = design_loader.choose(self.papers, name.lower(), "paper")
        return size

    def card(self, name: str) -> Size:
        """Return the card size with a name. Raises UsageError that lists all names if there is none."""
        size: Size = design_loader.choose(self.cards, name.lower(), "card size")
        return size


def load_stock(vault: Path | None = None) -> Stock:
    """Return the paper and card sizes of `print/paper.toml`, from the vault's own file if there is one."""
    path = design_loader.find("paper.toml", vault)
    source_name = design_loader.name_of(path)
    table = design_loader.check_keys(design_loader.parse_file(path), ["papers", "cards"], [], source_name)
    return Stock(
        _parse_sizes(table["papers"], f"{source_name} [papers]"), _parse_sizes(table["cards"], f"{source_name} [cards]")
    )


def _parse_sizes(table: object, location: str) -> dict[str, Size]:
    if not isinstance(table, dict):
        raise InvalidError("Names and sizes belong here.", where=location, hint='Like a4 = ["210mm", "297mm"].')
    sizes = {}
    for name in table:
        width_and_height = design_loader.get_width_and_height(table, name, location, 'Like ["63mm", "88mm"].')
        width, height = (parse_length(part, f"{location} {name}") for part in width_and_height)
        if not 10 * MM <= min(width, height) <= max(width, height) <= 1500 * MM:
            raise InvalidError(f"'{name}' is smaller than 10 mm or larger than 1.5 m.", where=location)
        sizes[name.lower()] = Size(name.lower(), width, height)
    return sizes
