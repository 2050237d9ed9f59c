"""Two sides of a sheet: how it is turned over, where backs are printed, and what makes up for a printer's errors."""

import math
from dataclasses import dataclass
from enum import Enum, StrEnum

from vaultkit.errors import UsageError
from vaultkit.look import design
from vaultkit.look.lengths import MM
from vaultkit.sheets.geometry.paper import Box, Size

MOST_SHIFT = 5 * MM
MOST_ANGLE = 2.0
MOST_SCALE = 0.05
Matrix = tuple[float, float, float, float, float, float]


class Flip(Enum):
    """How the other side comes up: as a book's page is turned, or as a wall calendar's."""

    BOOK = "book"
    CALENDAR = "calendar"

    @property
    def turned(self) -> bool:
        """Whether what is printed on the other side has to stand on its head."""
        return self is Flip.CALENDAR

    def behind(self, box: Box, paper: Size) -> Box:
        """The place on the other side, in that side's own coordinates, that lies behind `box`."""
        if self is Flip.BOOK:
            return Box(paper.width - box.right, box.y, box.width, box.height)
        return Box(box.x, paper.height - box.top, box.width, box.height)


class Duplex(StrEnum):
    """How the backs get behind their fronts.

    `two-pass` is for printers that print one side: all fronts, then all backs, turned by hand as a book's page.
    `fold` has both on one side, with a fold between.
    """

    NONE = "none"
    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"
    TWO_PASS = "two-pass"
    FOLD = "fold"

    @property
    def has_back_pages(self) -> bool:
        """Whether backs have pages of their own."""
        return self in {Duplex.LONG_EDGE, Duplex.SHORT_EDGE, Duplex.TWO_PASS}

    @property
    def asked_of_viewers(self) -> str:
        """The value of `/Duplex` among a PDF's viewer preferences: print dialogs begin with it."""
        edges = {Duplex.LONG_EDGE: "DuplexFlipLongEdge", Duplex.SHORT_EDGE: "DuplexFlipShortEdge"}
        return edges.get(self, "Simplex")

    def flip(self, paper: Size) -> Flip | None:
        """How a sheet of `paper` is turned over; None without back pages."""
        if not self.has_back_pages:
            return None
        upright = paper.height >= paper.width
        return Flip.BOOK if self is Duplex.TWO_PASS or (self is Duplex.LONG_EDGE) == upright else Flip.CALENDAR


def duplex_named(name: str, *, turned: bool = False) -> Duplex:
    """The duplex of that name; where `turned`, one that turns sheets over. Raises UsageError that lists them."""
    known = {str(duplex): duplex for duplex in Duplex if duplex.has_back_pages or not turned}
    return Duplex(design.choose(known, name.lower(), "duplex"))


@dataclass(frozen=True)
class Correction:
    """How a side is moved before it is printed: `x` to the right and `y` up in micrometres, `angle` in degrees
    counterclockwise and `scale` about the middle of the paper. Raises UsageError for more than a printer errs.
    """

    x: int = 0
    y: int = 0
    angle: float = 0.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        if max(abs(self.x), abs(self.y)) > MOST_SHIFT:
            raise UsageError("A correction is at most 5 mm.", hint="Load the paper straight, and measure again.")
        if not abs(self.angle) <= MOST_ANGLE:
            raise UsageError("The angle of a correction is at most 2 degrees.", hint="Load the paper straight.")
        if not abs(self.scale - 1) <= MOST_SCALE:
            raise UsageError("The scale is off by more than 5 %.", hint="Print at 100 %, not fitted to the page.")

    @property
    def of_front(self) -> "Correction":
        """The part that concerns fronts too: the scale."""
        return Correction(scale=self.scale)

    def matrix(self, paper: Size) -> Matrix:
        """The same as the six numbers of a PDF transformation, its last two in micrometres."""
        turn = math.radians(self.angle)
        cosine, sine = self.scale * math.cos(turn), self.scale * math.sin(turn)
        x, y = paper.width / 2, paper.height / 2
        return cosine, sine, -sine, cosine, self.x + x - cosine * x + sine * y, self.y + y - sine * x - cosine * y

    def moved(self, place: tuple[float, float], paper: Size) -> tuple[float, float]:
        """Where a place on `paper` is printed."""
        a, b, c, d, e, f = self.matrix(paper)
        return a * place[0] + c * place[1] + e, b * place[0] + d * place[1] + f

    def bounds(self, box: Box, paper: Size) -> Box:
        """The upright box around the moved `box`, in whole micrometres."""
        corners = ((box.x, box.y), (box.right, box.y), (box.right, box.top), (box.x, box.top))
        across, up = zip(*(self.moved(corner, paper) for corner in corners), strict=True)
        left, bottom = round(min(across)), round(min(up))
        return Box(left, bottom, round(max(across)) - left, round(max(up)) - bottom)


NO_CORRECTION = Correction()
