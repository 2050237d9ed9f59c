"""The head of a file's first page where several things are bound together: its title on a ground, as on a cover."""

from dataclasses import replace
from typing import Any

from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import MM, MM_POINTS, ReadingPlan, points
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.rules.title import TitleBlock

_LARGEST, _SMALLEST = 34.0, 17.0
_SHARE = 0.24
"""The least part of the page's height that the ground takes."""
_PAD, _INNER, _CORNER = 9 * MM_POINTS, 1.6 * MM_POINTS, 2.4 * MM_POINTS
_BELOW = 7 * MM_POINTS


class Cover:
    """The title of a packet or a booklet and what is in it, above the head of its contents, which begin at `bottom`."""

    def __init__(self, title: str, about: str, contents: str, plan: ReadingPlan, document: Document) -> None:
        x, _, width, height = plan.body.points
        self._lines = self._made(title, about, width - 2 * _PAD, document)
        heights = [line.wrapOn(document.canvas, width - 2 * _PAD, height)[1] for _, line in self._lines]
        tall = max(_SHARE * height, sum(heights) + 2 * _PAD)
        top = points(plan.body.top)
        self._ground = (x, top - tall, width, tall)
        level = top - (tall - sum(heights)) / 2
        self._levels = [level := level - high for high in heights]
        taken = round((tall + _BELOW) / MM_POINTS * MM)
        self._contents = TitleBlock(contents, None, replace(plan, above=plan.above + taken), document)
        self.bottom = self._contents.bottom

    def _made(self, title: str, about: str, room: float, document: Document) -> list[tuple[str, Any]]:
        from vaultkit.sheets.text.tagged_text import TaggedParagraph

        glyphs = document.glyphs
        widest = max(glyphs.width(word, look.TITLE_BOLD, 1.0) for word in title.split())
        size = max(_SMALLEST, min(_LARGEST, room / widest * 0.98, room / 9))
        style, small = glyphs.theme.style, max(glyphs.theme.floor, 11.0)
        head = style(look.TITLE_BOLD, size, size * 1.2, alignment=1, textColor=look.ON_HEAD, spaceAfter=4)
        below = style(look.ITALIC, small, alignment=1, textColor=look.ON_HEAD)
        made = [("H1", TaggedParagraph(glyphs.markup(title, look.TITLE_BOLD), head))]
        return [*made, ("P", TaggedParagraph(glyphs.markup(about, look.ITALIC), below))] if about else made

    def draw(self, document: Document, tag: Tag) -> None:
        """Draws it; its tags go under `tag`."""
        canvas, (x, y, width, height) = document.canvas, self._ground
        canvas.fill(look.HEAD)
        canvas.pen(look.HEAD_LINE, 0.8)
        canvas.roundRect(x, y, width, height, _CORNER, stroke=1, fill=1)
        canvas.pen(look.GILT, 0.7)
        canvas.roundRect(
            x + _INNER, y + _INNER, width - 2 * _INNER, height - 2 * _INNER, _CORNER - _INNER / 2, stroke=1, fill=0
        )
        for (kind, line), level in zip(self._lines, self._levels, strict=True):
            with canvas.marked(tag.add(kind)):
                line.drawOn(canvas, x + _PAD, level)
        self._contents.draw(document, tag, "H2")
