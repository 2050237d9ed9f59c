"""Laid-out notes onto the pages of a document, each page with its head and foot line."""

from collections.abc import Sequence
from dataclasses import dataclass

from vaultkit.sheets.geometry.paper import MM, points
from vaultkit.sheets.geometry.reading import ReadingPlan
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.rules.book import Laid
from vaultkit.sheets.text.paint import paint


@dataclass(frozen=True)
class Furniture:
    """What stands in the head and foot lines: `last` is the number of the last page, 0 for no page numbers."""

    document: Document
    plan: ReadingPlan
    last: int = 0

    def foot(self, left: str, number: int) -> None:
        """The foot line of the page `number`."""
        y = points(self.plan.below - 5 * MM)
        self.document.furniture(self.plan.body, left, f"{number} / {self.last}" if self.last else "", y=y)

    def head(self, left: str) -> None:
        """The head line of a page that does not begin a note."""
        self.document.furniture(self.plan.body, left, "", y=points(self.plan.paper.height - self.plan.above + 4 * MM))


def draw_notes(document: Document, laid: Sequence[Laid], furniture: Furniture) -> None:
    """Draws all notes, a new page for each."""
    for one in laid:
        section = document.structure.add("Sect")
        for number, page in enumerate(one.pages, one.first):
            if number == one.first:
                document.bookmark(one.chapter.title, one.key, 0)
                one.title.draw(document, section)
            else:
                furniture.head(one.chapter.title)
            paint(document, page, section)
            furniture.foot(one.chapter.path, number)
            document.end_page()
