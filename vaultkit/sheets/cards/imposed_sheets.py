"""Cards on their sheets, fronts and backs, with marks, ruler and words in the margins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.sheets.cards.card_painter import CardPainter
from vaultkit.sheets.cards.face import Face
from vaultkit.sheets.geometry.duplex import NO_CORRECTION, Duplex
from vaultkit.sheets.geometry.imposition import TICK_LENGTH_UM, MarginLine, SheetPlan, plan_margins
from vaultkit.sheets.geometry.paper import Box, Segment, bounding_box
from vaultkit.sheets.pdf.document import Document
from vaultkit.theme import model as look
from vaultkit.theme.lengths import points

if TYPE_CHECKING:
    from vaultkit.sheets.cards.back import BackPainter

_MARGIN_TEXT_SIZE_PT = 7.0
_ADVICE = "Print at 100 %: the ruler is 50 mm"
_BACK_OVERLAP_UM = 100
"""So far, in micrometres, backs lie over each other: where they only touch, viewers show a white hair between them."""


@dataclass(frozen=True)
class CardSheets:
    """Pages of `document` as `plan` has them: cards in their slots, those that fill the card over their cuts, too.

    With backs, each behind its own front, pages come in the order in which they are printed: front, back, front, back;
    in two passes all fronts first. Marks, ruler and words are artifacts.
    """

    document: Document
    plan: SheetPlan
    painter: CardPainter
    backs: "BackPainter | None"

    def draw(self, faces: Sequence[Face], title: str) -> None:
        """Draws as many pages as the faces need, named after that title."""
        plan = self.plan
        self.document.canvas.setViewerPreference("Duplex", plan.duplex.viewer_preference)
        sheets = _split_into_sheets(faces, plan.per_sheet)
        named_sheets = [(sheet, f"{title} · {number} / {len(sheets)}") for number, sheet in enumerate(sheets, 1)]
        has_back_pages = self.backs is not None and plan.flip is not None and plan.fold is None
        for sheet, name in named_sheets:
            self._fronts(sheet, name)
            if has_back_pages and plan.duplex is not Duplex.TWO_PASS:
                self._back_page(len(sheet), name)
        if has_back_pages and plan.duplex is Duplex.TWO_PASS:
            for sheet, name in named_sheets:
                self._back_page(len(sheet), name)

    def _fronts(self, sheet: Sequence[Face], name: str) -> None:
        plan, canvas = self.plan, self.document.canvas
        self._begin(plan.trim, plan.bleed, back=False)
        for mark in plan.marks:
            canvas.line(*mark.points)
        if plan.fold is not None:
            with canvas.preserve_state():
                canvas.setDash(6, 4)
                canvas.line(*plan.fold.points)
        self._margins(name)
        if plan.fold is not None:
            self._backs(len(sheet))
        for face, slot, bleed in zip(sheet, plan.slots, plan.front_bleeds(len(sheet)), strict=False):
            words = face.card.title if face.part == 1 else f"{face.card.title} (continued)"
            key = f"card-{self.document.pages}-{slot.x}-{slot.y}"
            if face.deck:
                self.document.depth = 0
                self.document.bookmark(face.deck, f"deck-{key}", 0, slot.corners[3])
                self.document.depth = 1
            self.document.bookmark(words, key, 0, slot.corners[3])
            self.painter.draw(face, slot, bleed)
        self.document.end_page()

    def _back_page(self, count: int, name: str) -> None:
        self._begin(bounding_box(self.plan.back_slots), bounding_box(self.plan.back_bleeds), back=True)
        self._margins(f"{name} · backs")
        self._backs(count)
        self.document.end_page()

    def _backs(self, count: int) -> None:
        if self.backs is None:
            return
        is_turned, bleed_area = (
            self.plan.flip is not None and self.plan.flip.has_inverted_back,
            bounding_box(self.plan.back_bleeds),
        )
        for slot, bleed in zip(self.plan.back_slots[:count], self.plan.back_bleeds_for(count), strict=True):
            self.backs.draw(slot, bleed.inset(-_BACK_OVERLAP_UM).intersection(bleed_area), is_turned=is_turned)

    def _begin(self, trim: Box, bleed: Box, *, back: bool) -> None:
        """The page's boxes, moved as all that is drawn on it will be; no box leaves the paper."""
        correction, paper = self.plan.page_correction(back=back), self.plan.paper
        self.document.set_page_boxes(*(correction.bounds(box, paper).intersection(paper.box) for box in (trim, bleed)))
        if correction != NO_CORRECTION:
            a, b, c, d, x, y = correction.matrix(paper)
            self.document.canvas.transform(a, b, c, d, points(x), points(y))
        self.document.canvas.bare = True
        self.document.canvas.pen(look.ON_BARE, 0.3)

    def _margins(self, name: str) -> None:
        places = plan_margins(self.plan)
        self._ruler(places.ruler)
        self._words(places.words, _ADVICE)
        self._words(places.name, name)

    def _ruler(self, ruler: Segment) -> None:
        canvas = self.document.canvas
        canvas.setLineWidth(0.5)
        canvas.line(*ruler.points)
        across, up = (ruler.x2 - ruler.x1) // 10, (ruler.y2 - ruler.y1) // 10
        for step in range(11):
            x, y = ruler.x1 + step * across, ruler.y1 + step * up
            tick = TICK_LENGTH_UM * 3 // 5 if step % 5 else TICK_LENGTH_UM
            canvas.line(*Segment(x, y, x + (tick if up else 0), y + (0 if up else tick)).points)

    def _words(self, line: MarginLine, words: str) -> None:
        """A line of small words, shortened at its beginning where there is too little room."""
        canvas = self.document.canvas
        with canvas.preserve_state():
            canvas.translate(points(line.x), points(line.y))
            if line.upright:
                canvas.translate(_MARGIN_TEXT_SIZE_PT * 0.75, 0)
                canvas.rotate(90)
            fitting = self.document.shorten(words, look.BOX, _MARGIN_TEXT_SIZE_PT, points(line.length))
            self.document.write(
                fitting, 0, 0, look.BOX, _MARGIN_TEXT_SIZE_PT, colour=self.document.glyphs.theme.margin_text_role
            )


def _split_into_sheets(faces: Sequence[Face], limit: int) -> list[Sequence[Face]]:
    """The faces sheet by sheet, `most` on each; one that would be alone is joined by half of those before it."""
    sheets = [faces[start : start + limit] for start in range(0, len(faces), limit)]
    if len(sheets) > 1 and len(sheets[-1]) == 1:
        half = (limit + 1) // 2
        sheets[-2:] = [faces[-limit - 1 : -half], faces[-half:]]
    return sheets


def how_to_print(plan: SheetPlan, pages: int) -> str:
    """One sentence on getting the backs behind their fronts; empty where there are none."""
    first, second = _pages(1, pages // 2), _pages(pages // 2 + 1, pages)
    return {
        Duplex.NONE: "",
        Duplex.LONG_EDGE: "Print on both sides at 100 %, turned on the long edge.",
        Duplex.SHORT_EDGE: "Print on both sides at 100 %, turned on the short edge.",
        Duplex.TWO_PASS: f"Print {first} at 100 %. Turn each sheet like the page of a book, put the sheets in again "
        f"so that the first is printed first, and print {second}. A printer that lays its sheets face up leaves them "
        "in reverse: sort them. Try one sheet to see which side yours prints on.",
        Duplex.FOLD: "Print on one side at 100 %. Fold at the dashes, glue, then cut.",
    }[plan.duplex]


def _pages(first: int, last: int) -> str:
    return f"page {first}" if first == last else f"pages {first} to {last}"
