"""The plan of a page that is made for reading."""

from dataclasses import dataclass
from functools import cached_property

from vaultkit.errors import UsageError
from vaultkit.sheets.geometry.paper import MM, Box, Size

_LEAST = 25 * MM
"""A column narrower or lower than this holds no words worth reading."""


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
        if min(self.column_width, self.body.height) < _LEAST:
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
