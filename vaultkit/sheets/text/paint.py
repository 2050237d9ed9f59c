"""Laid-out pages onto a document: boxes behind the text, the text, check boxes, rules between columns, bookmarks."""

from vaultkit.sheets import theme as look
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.layout import Frame, Page, Placed

_CHECK = 7.0


def paint(document: Document, page: Page, under: Tag | None = None) -> None:
    """Draws everything that stands on `page`, with its bookmarks and destinations; its tags go under `under`."""
    draw(document, page, under)
    for item in page.placed:
        if item.block.title:
            document.bookmark(item.block.title, item.block.key, max(item.block.level - 1, 1), item.top + 12)
        elif item.block.key:
            document.anchor(item.block.key, item.top + 12)


def draw(document: Document, page: Page, under: Tag | None = None) -> None:
    """Draws what is to be seen. Its tags go under `under`, else under the document's."""
    _adopt(page, under or document.structure)
    _rules(document, page)
    for column in page.columns:
        for frame in dict.fromkeys(frame for item in column for frame in item.block.frames):
            _frame(document, frame, [item for item in column if frame in item.block.frames])
    for item in page.placed:
        item.block.flowable.drawOn(document.canvas, item.x, item.top - item.height)
        if item.block.box:
            with document.canvas.marked(item.block.flowable.label):
                _check(document, item)


def _adopt(page: Page, under: Tag) -> None:
    for item in page.placed:
        structure = item.block.structure
        if structure is not None and structure not in under.children:
            under.children.append(structure)


def _rules(document: Document, page: Page) -> None:
    document.canvas.setStrokeColor(document.colour(look.LINE))
    document.canvas.setLineWidth(0.4)
    for x, top, bottom in page.rules:
        document.canvas.line(x, top, x, bottom)


def _frame(document: Document, frame: Frame, items: list[Placed]) -> None:
    canvas = document.canvas
    first, last = items[0], items[-1]
    above = sum(f.pad for f in first.block.frames[first.block.frames.index(frame) :])
    below = sum(f.pad for f in last.block.frames[last.block.frames.index(frame) :])
    outer = sum(f.pad for f in first.block.frames[: first.block.frames.index(frame)])
    left, right = first.left + frame.indent, first.left + first.width - outer
    top, bottom = first.top + above, last.top - last.height - below
    if frame.fill:
        canvas.setFillColor(document.colour(frame.fill))
        canvas.rect(left, bottom, right - left, top - bottom, stroke=0, fill=1)
    if frame.bar:
        canvas.setFillColor(document.colour(frame.bar))
        canvas.rect(left, bottom, 2.2, top - bottom, stroke=0, fill=1)


def _check(document: Document, item: Placed) -> None:
    canvas = document.canvas
    style = item.block.flowable.style
    x, y = item.x + 1, item.top - style.leading + (style.leading - _CHECK) / 2
    canvas.setStrokeColor(document.colour(look.INK))
    canvas.setLineWidth(0.7)
    canvas.rect(x, y, _CHECK, _CHECK, stroke=1, fill=0)
    if item.block.box == "done":
        canvas.setLineWidth(1.1)
        canvas.line(x + 1.5, y + 3.4, x + 3, y + 1.6)
        canvas.line(x + 3, y + 1.6, x + 5.8, y + 5.6)
