"""What turning a sheet does to places on it: where the back of a card has to be printed."""

from enum import Enum, StrEnum

from vaultkit.sheets.geometry.paper import Box, Size


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
