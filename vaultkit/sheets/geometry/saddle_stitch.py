"""Imposition of booklets: small pages are placed on large sheets so that they are in order after folding."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import msgspec

from vaultkit.errors import UsageError
from vaultkit.sheets.geometry.paper import Box, Segment, Size
from vaultkit.theme.lengths import MM

Fold = Literal["half", "quarter"]
Edge = Literal["long", "short"]
FOLD_MARK_LENGTH_UM = 8 * MM
"""The length of a fold mark from the edge, which exceeds the unprintable margin but does not reach the text."""
_PAGES_PER_FOLIO = 4


class Mark(Segment, frozen=True):
    """A line that shows where to fold or to cut."""

    kind: Literal["fold", "cut"]


class Placement(msgspec.Struct, frozen=True):
    """A page of the booklet, numbered from 1, and its place on a side of a sheet; `is_rotated` means by 180 degrees."""

    page: int
    box: Box
    is_rotated: bool = False


@dataclass(frozen=True)
class BookletPlan:
    """The imposition of a saddle-stitched booklet: a side of a sheet holds two `half` or four `quarter` pages.

    The sheets are stacked, stitched and folded. For quarter pages the stack is first cut across, and its upper half is
    laid on the lower one. `flip` is the edge of the upright paper over which the printer turns the sheet; None means
    `natural_flip`.
    """

    paper: Size
    fold: Fold = "half"
    flip: Edge | None = None

    @cached_property
    def page(self) -> Size:
        """The size of an upright page of the booklet."""
        if self.fold == "half":
            return Size(f"half of {self.paper.name}", self.paper.height // 2, self.paper.width)
        return Size(f"quarter of {self.paper.name}", self.paper.width // 2, self.paper.height // 2)

    @cached_property
    def sheet(self) -> Size:
        """The size of the paper in the orientation in which it is printed: turned by 90 degrees for half pages."""
        return self.paper.on_its_side if self.fold == "half" else self.paper

    @property
    def per_sheet(self) -> int:
        """The number of booklet pages on both sides of a sheet."""
        return _PAGES_PER_FOLIO * self._rows

    @property
    def _rows(self) -> int:
        return 1 if self.fold == "half" else 2

    @property
    def natural_flip(self) -> Edge:
        """The edge along the fold; if sheets are turned over it, both sides are the same way up."""
        return "short" if self.fold == "half" else "long"

    @property
    def chosen_flip(self) -> Edge:
        return self.flip or self.natural_flip

    def count_sheets(self, page_count: int) -> int:
        """Return the number of sheets for a booklet with a number of pages; remaining places stay blank."""
        return max(1, -(-page_count // self.per_sheet))

    def arrange_sides(self, page_count: int) -> tuple[tuple[Placement, ...], ...]:
        """Return the pages on each side, in printing order: front and back of the first sheet, then of the second."""
        sheet_count = self.count_sheets(page_count)
        last_page = sheet_count * self.per_sheet
        all_sides = []
        for sheet in range(sheet_count):
            folios = [sheet + row * sheet_count for row in range(self._rows)]
            all_sides.append(self._place_pages([(last_page - 2 * n, 1 + 2 * n) for n in folios], back=False))
            all_sides.append(self._place_pages([(2 + 2 * n, last_page - 1 - 2 * n) for n in folios], back=True))
        return tuple(all_sides)

    def _place_pages(self, pairs: list[tuple[int, int]], *, back: bool) -> tuple[Placement, ...]:
        is_rotated = back and self.chosen_flip != self.natural_flip
        return tuple(
            Placement(page, self._page_box(row, column, is_rotated=is_rotated), is_rotated)
            for row, pair in enumerate(pairs)
            for column, page in enumerate(pair)
        )

    def _page_box(self, row: int, column: int, *, is_rotated: bool) -> Box:
        """Return the box of a page; rows count from the top, and `is_rotated` rotates the whole side by 180 degrees."""
        width, height = self.page.width, self.page.height
        box = Box(column * width, (self._rows - 1 - row) * height, width, height)
        if not is_rotated:
            return box
        return Box(self.sheet.width - box.right, self.sheet.height - box.top, width, height)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """Short lines at the edges of the paper, for the fold and for the cut of quarter pages."""
        width, height, fold_x = self.sheet.width, self.sheet.height, self.page.width
        marks = [
            Mark(fold_x, 0, fold_x, FOLD_MARK_LENGTH_UM, "fold"),
            Mark(fold_x, height - FOLD_MARK_LENGTH_UM, fold_x, height, "fold"),
        ]
        if self.fold == "quarter":
            cut_y = self.page.height
            marks += [
                Mark(0, cut_y, FOLD_MARK_LENGTH_UM, cut_y, "cut"),
                Mark(width - FOLD_MARK_LENGTH_UM, cut_y, width, cut_y, "cut"),
            ]
        return tuple(marks)


def plan_booklet(name: str, paper: Size, flip: Edge | None = None) -> BookletPlan:
    """Return the plan of a booklet by the name of its page size: `half`, `quarter`, `half-letter`, or `a5` on A4.

    Raises UsageError that lists the sizes for the paper if there is no such size.
    """
    folds: dict[str, Fold] = {"half": "half", "quarter": "quarter"}
    if paper.name[:1] == "a" and paper.name[1:].isdigit():
        folds |= {f"a{int(paper.name[1:]) + 1}": "half", f"a{int(paper.name[1:]) + 2}": "quarter"}
    else:
        folds |= {f"half-{paper.name}": "half", f"quarter-{paper.name}": "quarter"}
    if name.lower() not in folds:
        problem = f"A booklet of '{name}' cannot be folded from {paper.name} paper."
        raise UsageError(problem, hint=f"Accepted: {', '.join(folds)}.")
    return BookletPlan(paper, folds[name.lower()], flip)
