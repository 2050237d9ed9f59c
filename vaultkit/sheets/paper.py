"""Paper sizes, boxes, the layout of pages made for reading, and duplex printing.

All lengths are in whole micrometres, with the origin at the lower left and y upwards. Duplex printing has its ways of
turning sheets over, the places of backs, and corrections for a printer's errors.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cached_property, reduce
from pathlib import Path

import msgspec

from vaultkit.errors import UsageError
from vaultkit.theme import design_loader
from vaultkit.theme.lengths import MM, MM_POINTS, Length, points

__all__ = ["MM", "MM_POINTS", "Box", "ReadingPlan", "Segment", "Size", "Stock", "bounding_box", "load_stock", "points"]

_MIN_COLUMN_SIZE = 25 * MM
"""The least width and height of a column of text, in micrometres."""


MAX_SHIFT_UM = 5 * MM
MAX_ANGLE_DEGREES = 2.0
MAX_SCALE_DEVIATION = 0.05
Matrix = tuple[float, float, float, float, float, float]


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
    file = design_loader.convert_to_shape(design_loader.parse_file(path), _StockFile, design_loader.name_of(path))
    return Stock(_name_sizes(file.papers), _name_sizes(file.cards))


class _SheetSide(Length, minimum=10):
    """The width or height of a paper or a card."""


class _StockFile(design_loader.Design, frozen=True):
    papers: dict[str, tuple[_SheetSide, _SheetSide]]
    cards: dict[str, tuple[_SheetSide, _SheetSide]]


def _name_sizes(sides: Mapping[str, tuple[int, int]]) -> dict[str, Size]:
    return {name.lower(): Size(name.lower(), width, height) for name, (width, height) in sides.items()}


class Flip(Enum):
    """The way to turn a sheet over: like a page of a book, or like a page of a wall calendar."""

    BOOK = "book"
    CALENDAR = "calendar"

    @property
    def has_inverted_back(self) -> bool:
        """Whether the back has to be printed upside down."""
        return self is Flip.CALENDAR

    def place_behind(self, box: Box, paper: Size) -> Box:
        """Return the place behind `box` on the other side, in the coordinates of that side."""
        if self is Flip.BOOK:
            return Box(paper.width - box.right, box.y, box.width, box.height)
        return Box(box.x, paper.height - box.top, box.width, box.height)


class Duplex(StrEnum):
    """The way in which backs are printed behind their fronts.

    `two-pass` is for printers that print one side only: all fronts are printed, the sheets are turned by hand like the
    pages of a book, and all backs are printed. With `fold`, fronts and backs are on one side, with a fold between them.
    """

    NONE = "none"
    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"
    TWO_PASS = "two-pass"
    FOLD = "fold"

    @property
    def has_back_pages(self) -> bool:
        """Whether backs are printed on pages of their own."""
        return self in {Duplex.LONG_EDGE, Duplex.SHORT_EDGE, Duplex.TWO_PASS}

    @property
    def viewer_preference(self) -> str:
        """The PDF viewer preference `/Duplex`, which print dialogs use as their default."""
        edges = {Duplex.LONG_EDGE: "DuplexFlipLongEdge", Duplex.SHORT_EDGE: "DuplexFlipShortEdge"}
        return edges.get(self, "Simplex")

    def flip(self, paper: Size) -> Flip | None:
        """Return the way in which a sheet of `paper` is turned over, or None without back pages."""
        if not self.has_back_pages:
            return None
        is_upright = paper.height >= paper.width
        return Flip.BOOK if self is Duplex.TWO_PASS or (self is Duplex.LONG_EDGE) == is_upright else Flip.CALENDAR


def parse_duplex(name: str, *, needs_back_pages: bool = False) -> Duplex:
    """Return the `Duplex` with a name. Raises UsageError that lists the accepted names.

    With `needs_back_pages`, only names of ways with back pages are accepted.
    """
    duplexes = {str(duplex): duplex for duplex in Duplex if duplex.has_back_pages or not needs_back_pages}
    if name.lower() not in duplexes:
        raise UsageError(f"'{name}' is not a way to print backs.", hint=f"Accepted: {', '.join(duplexes)}.")
    return Duplex(name.lower())


@dataclass(frozen=True)
class Correction:
    """A shift, rotation and scale that are applied to a page to make up for the errors of a printer.

    `x` (to the right) and `y` (up) are in micrometres, `angle` is in degrees counterclockwise; the page is rotated and
    scaled about the middle of the paper. Raises UsageError for values that are too large for a printer's error.
    """

    x: int = 0
    y: int = 0
    angle: float = 0.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        if max(abs(self.x), abs(self.y)) > MAX_SHIFT_UM:
            raise UsageError("A correction can be at most 5 mm.", hint="Load the paper straight, and measure again.")
        if not abs(self.angle) <= MAX_ANGLE_DEGREES:
            raise UsageError("The angle of a correction can be at most 2 degrees.", hint="Load the paper straight.")
        if not abs(self.scale - 1) <= MAX_SCALE_DEVIATION:
            raise UsageError("The scale is off by more than 5 %.", hint="Print at 100 %, not fitted to the page.")

    def matrix(self, paper: Size) -> Matrix:
        """Return the six numbers of a PDF transformation matrix, the last two in micrometres."""
        angle_radians = math.radians(self.angle)
        cosine, sine = self.scale * math.cos(angle_radians), self.scale * math.sin(angle_radians)
        middle_x, middle_y = paper.width / 2, paper.height / 2
        return (
            cosine,
            sine,
            -sine,
            cosine,
            self.x + middle_x - cosine * middle_x + sine * middle_y,
            self.y + middle_y - sine * middle_x - cosine * middle_y,
        )

    def transform_point(self, point: tuple[float, float], paper: Size) -> tuple[float, float]:
        """Return the corrected position of a point on `paper`, in micrometres."""
        a, b, c, d, e, f = self.matrix(paper)
        return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f

    def bounds(self, box: Box, paper: Size) -> Box:
        """Return the smallest upright box around the corrected `box`, in whole micrometres."""
        corners = ((box.x, box.y), (box.right, box.y), (box.right, box.top), (box.x, box.top))
        across, up = zip(*(self.transform_point(corner, paper) for corner in corners), strict=True)
        left, bottom = round(min(across)), round(min(up))
        return Box(left, bottom, round(max(across)) - left, round(max(up)) - bottom)


NO_CORRECTION = Correction()
