"""Duplex printing: ways of turning sheets over, places of backs, and corrections for a printer's errors."""

import math
from dataclasses import dataclass
from enum import Enum, StrEnum

from vaultkit.errors import UsageError
from vaultkit.sheets.geometry.paper import Box, Size
from vaultkit.theme.lengths import MM

MAX_SHIFT_UM = 5 * MM
MAX_ANGLE_DEGREES = 2.0
MAX_SCALE_DEVIATION = 0.05
Matrix = tuple[float, float, float, float, float, float]


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
            raise UsageError("A correction is at most 5 mm.", hint="Load the paper straight, and measure again.")
        if not abs(self.angle) <= MAX_ANGLE_DEGREES:
            raise UsageError("The angle of a correction is at most 2 degrees.", hint="Load the paper straight.")
        if not abs(self.scale - 1) <= MAX_SCALE_DEVIATION:
            raise UsageError("The scale is off by more than 5 %.", hint="Print at 100 %, not fitted to the page.")

    @property
    def front_correction(self) -> "Correction":
        """The correction for fronts, which is the scale only."""
        return Correction(scale=self.scale)

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
