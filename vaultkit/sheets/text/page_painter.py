"""Drawing of laid out pages: boxes behind the text, the text, check boxes, and lines between columns."""

from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.blocks import DONE, TO_DO, Enclosure, PlacedBlock
from vaultkit.sheets.text.layout import TextPage
from vaultkit.theme import model as look

_CHECK_BOX_SIZE_RATIO, _SIGN_BOX_SIZE_RATIO = 2 / 3, 0.86
"""The sides of an ordinary check box, and of one with a sign in it, relative to the font size of the text."""


def draw_page(document: Document, page: TextPage, parent_tag: Tag | None = None) -> None:
    """Draw everything on a page; its tags are added to `parent_tag`, or to the document's tag if it is None."""
    _add_structures(page, parent_tag or document.structure)
    _draw_rules(document, page)
    for column in page.columns:
        for frame in dict.fromkeys(frame for item in column for frame in item.block.frames):
            _draw_frame(document, frame, [item for item in column if frame in item.block.frames])
    for item in page.placed_blocks:
        item.block.flowable.drawOn(document.canvas, item.x, item.top - item.height)
        if item.block.box:
            with document.canvas.tag_content(item.block.flowable.label):
                _draw_check_box(document, item)


def _add_structures(page: TextPage, parent_tag: Tag) -> None:
    for item in page.placed_blocks:
        structure = item.block.structure
        if structure is not None and structure not in parent_tag.children:
            parent_tag.children.append(structure)


def _draw_rules(document: Document, page: TextPage) -> None:
    document.canvas.pen(look.LINE, 0.4)
    for x, top, bottom in page.rules:
        document.canvas.line(x, top, x, bottom)


def _draw_frame(document: Document, frame: Enclosure, items: list[PlacedBlock]) -> None:
    canvas = document.canvas
    first, last = items[0], items[-1]
    padding_above = sum(f.pad for f in first.block.frames[first.block.frames.index(frame) :])
    padding_below = sum(f.pad for f in last.block.frames[last.block.frames.index(frame) :])
    outer_padding = sum(f.pad for f in first.block.frames[: first.block.frames.index(frame)])
    left, right = first.left + frame.indent, first.left + first.width - outer_padding
    top, bottom = first.top + padding_above, last.top - last.height - padding_below
    if frame.fill:
        canvas.fill(frame.fill)
        canvas.rect(left, bottom, right - left, top - bottom, stroke=0, fill=1)
    if frame.bar:
        canvas.fill(frame.bar)
        canvas.rect(left, bottom, 2.2, top - bottom, stroke=0, fill=1)


def _draw_check_box(document: Document, item: PlacedBlock) -> None:
    canvas = document.canvas
    style = item.block.flowable.style
    sign = item.block.box if item.block.box not in {TO_DO, DONE} else ""
    side = (_SIGN_BOX_SIZE_RATIO if sign else _CHECK_BOX_SIZE_RATIO) * style.fontSize
    x, y = item.x + 1, item.top - style.leading + (style.leading - side) / 2
    canvas.pen(look.INK, _CHECK_BOX_SIZE_RATIO * style.fontSize / 10)
    canvas.rect(x, y, side, side, stroke=1, fill=0)
    if item.block.box == DONE:
        canvas.setLineWidth(side / 6.4)
        lowest_point = x + 0.43 * side, y + 0.23 * side
        canvas.line(x + 0.21 * side, y + 0.49 * side, *lowest_point)
        canvas.line(*lowest_point, x + 0.83 * side, y + 0.8 * side)
    if sign:
        canvas.fill(look.INK)
        sign_x = x + (side - document.glyphs.measure_width(sign, look.BOX_BOLD, style.fontSize)) / 2
        words = canvas.beginText(sign_x, y + 0.13 * side)
        document.glyphs.append_text(words, sign, look.BOX_BOLD, style.fontSize)
        canvas.drawText(words)
