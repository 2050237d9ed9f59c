"""The head of a sheet's first page: title, subtitle, an ornament below, a QR code beside."""

from typing import Any

from vaultkit.look import theme as look
from vaultkit.look.glyphs import Glyphs
from vaultkit.sheets.geometry.paper import ReadingPlan, points
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.qr import Code
from vaultkit.sheets.text.inline import Inline
from vaultkit.vault.markdown import Node

_LARGEST, _SMALLEST = 25.0, 15.0
_FULL_WIDTH = 380.0
"""A column of so many points has room for the largest title; narrower pages have smaller ones."""
_ORNAMENT, _BELOW = 10.0, 22.0


class TitleBlock:
    """Title and subtitle, broken to lines, at their places; `bottom` is where the text below begins, in points.

    Both are inline Markdown, of which a `title` without marks may be a plain text.
    """

    def __init__(
        self, title: Node | str, subtitle: Node | None, plan: ReadingPlan, document: Document, *, code: str = ""
    ) -> None:
        heading = Node("Heading", children=[Node("Text", title)]) if isinstance(title, str) else title
        self._plan = plan
        self._code = Code(code) if code else None
        self._side = points(self._code.side) if self._code else 0.0
        x, _, width, height = plan.body.points
        self._x, self._width = x + self._side, width - 2 * self._side
        top = points(plan.body.top)
        self._lines: list[tuple[str, Any, float]] = []
        for kind, line in self._made(heading, subtitle, document.glyphs):
            _, high = line.wrapOn(document.canvas, self._width, height)
            top -= high
            self._lines.append((kind, line, top))
            top -= 3
        self._rule = min(top + 3 - _ORNAMENT, points(plan.body.top) - self._side)
        self.bottom = self._rule - _BELOW + _ORNAMENT

    def _made(self, title: Node, subtitle: Node | None, glyphs: Glyphs) -> list[tuple[str, Any]]:
        from vaultkit.sheets.text.tagged_text import TaggedParagraph

        style, size = glyphs.theme.style, self._size(title.words(), glyphs)
        words = Inline(glyphs, live=False, size=size).markup(title.children, look.TITLE_BOLD)
        head = style(look.TITLE_BOLD, size, size * 1.15, alignment=1, textColor=look.ACCENT)
        made = [("H1", TaggedParagraph(words, head))]
        if subtitle is not None:
            size = max(glyphs.theme.floor, 11.0)
            inline = Inline(glyphs, live=False, size=size, least=glyphs.theme.floor)
            markup = inline.markup(subtitle.children, look.ITALIC)
            made.append(("P", TaggedParagraph(markup, style(look.ITALIC, size, alignment=1, textColor=look.MUTED))))
        return made

    def _size(self, title: str, glyphs: Glyphs) -> float:
        """As large as the page allows, and small enough that no word is broken."""
        size = max(_SMALLEST, _LARGEST * min(1.0, self._width / _FULL_WIDTH), glyphs.theme.floor + 4)
        widest = max((glyphs.width(word, look.TITLE_BOLD, 1.0) for word in title.split()), default=0.0)
        return max(_SMALLEST, min(size, self._width / widest * 0.98)) if widest else size

    def draw(self, document: Document, tag: Tag | None, heading: str = "H1") -> None:
        """Draws it; its tags go under `tag`, the title's is a `heading`."""
        for kind, line, bottom in self._lines:
            name = heading if kind == "H1" else kind
            with document.canvas.marked(tag.add(name) if tag is not None else None):
                line.drawOn(document.canvas, self._x, bottom)
        x, _, width, _ = self._plan.body.points
        document.canvas.ornament((x, x + width), x + width / 2, self._rule, gap=9, half=4.5, width=0.7)
        if self._code is not None:
            self._code.draw(document, self._x + self._width, points(self._plan.body.top) - self._side, tag)
