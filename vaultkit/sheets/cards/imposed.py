"""Cards on their sheets, fronts and backs, with marks, ruler and words in the margins."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from vaultkit.look import theme as look
from vaultkit.sheets.cards.back import BackPainter
from vaultkit.sheets.geometry.duplex import Duplex
from vaultkit.sheets.geometry.imposition import TICK, SheetPlan, Strip, margins
from vaultkit.sheets.geometry.paper import Box, Segment, around, points
from vaultkit.sheets.pdf.document import Document

Item = TypeVar("Item")
_SIZE = 7.0
_ADVICE = "Print at 100 %: the ruler is 50 mm"
_OVERLAP = 100
"""So far, in micrometres, backs lie over each other: where they only touch, viewers show a white hair between them."""


def impose_cards(
    document: Document,
    plan: SheetPlan,
    items: Sequence[Item],
    draw: Callable[[Item, Box, Box], None],
    *,
    title: str,
    backs: BackPainter | None = None,
) -> None:
    """Draws as many pages as `items` need; `draw` puts one into its slot and, as far as it fills the card, its bleed.

    With backs, each behind its own front, pages come in the order in which they are printed: front, back, front, back;
    in two passes all fronts first. Marks, ruler and words are artifacts.
    """
    document.canvas.setViewerPreference("Duplex", plan.duplex.asked_of_viewers)
    sheets = [items[start : start + plan.per_sheet] for start in range(0, len(items), plan.per_sheet)]
    names = [f"{title} · {number} / {len(sheets)}" for number in range(1, len(sheets) + 1)]
    apart = backs is not None and plan.flip is not None and plan.fold is None
    for sheet, name in zip(sheets, names, strict=True):
        _fronts(document, plan, sheet, draw, name=name, backs=backs)
        if apart and plan.duplex is not Duplex.TWO_PASS:
            _backs(document, plan, len(sheet), backs, name)
    if apart and plan.duplex is Duplex.TWO_PASS:
        for sheet, name in zip(sheets, names, strict=True):
            _backs(document, plan, len(sheet), backs, name)


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


def _fronts(
    document: Document,
    plan: SheetPlan,
    sheet: Sequence[Item],
    draw: Callable[[Item, Box, Box], None],
    *,
    name: str,
    backs: BackPainter | None,
) -> None:
    _begin(document, plan, plan.trim, plan.bleed, back=False)
    for mark in plan.marks:
        _stroke(document, mark)
    _fold(document, plan)
    _margins(document, plan, name)
    if backs is not None and plan.fold is not None:
        _draw_backs(plan, len(sheet), backs)
    for item, slot, bleed in zip(sheet, plan.slots, plan.bleeds_of(len(sheet)), strict=False):
        draw(item, slot, bleed)
    document.end_page()


def _backs(document: Document, plan: SheetPlan, count: int, backs: BackPainter | None, name: str) -> None:
    trim, bleed = (around(boxes) for boxes in (plan.back_slots, plan.back_bleeds))
    _begin(document, plan, trim, bleed, back=True)
    _margins(document, plan, f"{name} · backs")
    if backs is not None:
        _draw_backs(plan, count, backs)
    document.end_page()


def _draw_backs(plan: SheetPlan, count: int, backs: BackPainter) -> None:
    turned = plan.flip is not None and plan.flip.turned
    whole = around(plan.back_bleeds)
    for slot, bleed in zip(plan.back_slots[:count], plan.back_bleeds_of(count), strict=True):
        backs.draw(slot, bleed.inset(-_OVERLAP).within(whole), turned=turned)


def _begin(document: Document, plan: SheetPlan, trim: Box, bleed: Box, *, back: bool) -> None:
    """The page's boxes, moved as all that is drawn on it will be; no box leaves the paper."""
    correction, canvas = plan.corrected(back=back), document.canvas
    boxes = (correction.bounds(box, plan.paper).within(plan.paper.box) for box in (trim, bleed))
    document.boxes(*boxes)
    if not correction.is_nothing:
        a, b, c, d, x, y = correction.matrix(plan.paper)
        canvas.transform(a, b, c, d, points(x), points(y))
    canvas.pen(look.INK, 0.3)


def _fold(document: Document, plan: SheetPlan) -> None:
    if plan.fold is None:
        return
    with document.canvas.apart():
        document.canvas.setDash(6, 4)
        _stroke(document, plan.fold)


def _margins(document: Document, plan: SheetPlan, name: str) -> None:
    places = margins(plan)
    _ruler(document, places.ruler)
    _words(document, places.words, _ADVICE)
    _words(document, places.name, name)


def _ruler(document: Document, ruler: Segment) -> None:
    document.canvas.setLineWidth(0.5)
    _stroke(document, ruler)
    across, up = (ruler.x2 - ruler.x1) // 10, (ruler.y2 - ruler.y1) // 10
    for step in range(11):
        x, y = ruler.x1 + step * across, ruler.y1 + step * up
        tick = TICK * 3 // 5 if step % 5 else TICK
        _stroke(document, Segment(x, y, x + (tick if up else 0), y + (0 if up else tick)))


def _words(document: Document, strip: Strip, words: str) -> None:
    """A line of small words, shortened at its beginning where the strip is too short."""
    canvas = document.canvas
    with canvas.apart():
        canvas.translate(points(strip.x), points(strip.y))
        if strip.upright:
            canvas.translate(_SIZE * 0.75, 0)
            canvas.rotate(90)
        fitting = document.shorten(words, look.BOX, _SIZE, points(strip.length))
        document.write(fitting, 0, 0, look.BOX, _SIZE, colour=look.MUTED)


def _stroke(document: Document, line: Segment) -> None:
    document.canvas.line(*line.points)
