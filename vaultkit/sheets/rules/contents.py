"""Contents of a file: all notes, and as many levels of headings as fit on one page, with page numbers."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from vaultkit.sheets.geometry.paper import ReadingPlan
from vaultkit.sheets.pdf.document import Bookmark, Document
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.rules.title import BookCover, TitleBlock
from vaultkit.theme import model as look
from vaultkit.theme.lengths import MM, points
from vaultkit.vault.markdown import Node

TITLE = "Contents"
_MAX_HEADING_LEVEL = 3
_MAX_LINE_WIDTH = 132 * MM
_INDENT, _DOT_STEP_PT = 14.0, 4.0


class _Line(msgspec.Struct, frozen=True):
    """An entry of the contents: its text as a paragraph (`words`), and the place of the paragraph in points."""

    entry: Bookmark
    words: Any
    x: float
    bottom: float
    height: float


class ContentsPages:
    """Contents on as few pages as possible; deeper headings are left out to avoid a second page.

    Headings down to the level `min_level` are never left out. A `cover` is the title of a cover that is drawn above the
    contents; "" draws none. `about` is the summary on the cover, or the subtitle of the contents. Line breaks do not
    depend on page numbers.
    """

    def __init__(
        self, entries: Sequence[Bookmark], plan: ReadingPlan, document: Document, *, about: str = "",
        min_level: int = 0, cover: str = "",
    ) -> None:  # fmt: skip
        self._plan, self._glyphs, self._canvas = plan, document.glyphs, document.canvas
        subtitle = Node("Emphasis", children=[Node("Text", about)]) if about else None
        self._title = (
            BookCover(cover, about, TITLE, plan, document) if cover else TitleBlock(TITLE, subtitle, plan, document)
        )
        self._top_level = min((entry.level for entry in entries), default=0)
        x, _, width, _ = plan.body.points
        self._width = min(width, points(_MAX_LINE_WIDTH))
        self._x = x + (width - self._width) / 2
        for depth in range(_MAX_HEADING_LEVEL, min_level - 1, -1):
            self.pages = self._break_pages([entry for entry in entries if entry.level <= depth])
            if len(self.pages) == 1:
                break

    def draw(self, document: Document, draw_foot: Callable[[int], None]) -> None:
        """Draw all pages; `draw_foot` is called with the number of each page, from 1, before the page ends."""
        tag = document.structure.add("Sect")
        for number, page in enumerate(self.pages, 1):
            if number == 1:
                document.bookmark(TITLE, "contents", 0)
                self._title.draw(document, tag)
                tag = tag.add("TOC")
            for line in page:
                self._draw_line(document, line, tag.add("TOCI"))
            draw_foot(number)
            document.end_page()

    def _break_pages(self, entries: Sequence[Bookmark]) -> list[list[_Line]]:
        pages: list[list[_Line]] = [[]]
        top, bottom = self._title.bottom, points(self._plan.body.y)
        for entry in entries:
            line = self._make_line(entry, top)
            if line.bottom < bottom and pages[-1]:
                pages.append([])
                line = self._make_line(entry, points(self._plan.body.top))
            pages[-1].append(line)
            top = line.bottom
        return pages

    def _make_line(self, entry: Bookmark, top: float) -> _Line:
        from vaultkit.sheets.text.tagged_text import TaggedParagraph

        is_top_level = entry.level == 0
        body = self._glyphs.theme.body_text_size
        face, size = (look.BOLD, body + 1) if is_top_level else (look.TEXT, body)
        x = self._x + (entry.level - self._top_level) * _INDENT
        style = self._glyphs.theme.style(face, size, size * 1.3)
        words = TaggedParagraph(self._glyphs.to_markup(entry.title, face), style)
        _, height = words.wrapOn(self._canvas, self._x + self._width - x - self._number_width, 10_000)
        return _Line(entry, words, x, top - height - (6 if is_top_level else 1.5), height)

    @property
    def _number_width(self) -> float:
        """The width in points that is reserved for a page number."""
        return self._glyphs.measure_width("0000", look.TEXT, self._glyphs.theme.body_text_size)

    def _draw_line(self, document: Document, line: _Line, item: Tag) -> None:
        link = item.add("Reference").add("Link", alt=f"{line.entry.title}, page {line.entry.page}")
        canvas, right = document.canvas, self._x + self._width
        with canvas.tag_content(link):
            line.words.drawOn(canvas, line.x, line.bottom)
            box = line.x, line.bottom, right, line.bottom + line.height
            canvas.linkRect("", line.entry.key, box, relative=0, thickness=0)
        size = self._glyphs.theme.body_text_size
        baseline = line.bottom + line.words.style.leading - line.words.style.fontSize * 0.98
        number = str(line.entry.page)
        document.write(number, right, baseline, look.TEXT, size, align="right", tag=link)
        self._draw_dots(document, line, baseline, right - self._glyphs.measure_width(number, look.TEXT, size))

    def _draw_dots(self, document: Document, line: _Line, y: float, right: float) -> None:
        """Draw dots from the end of the entry's text to its page number."""
        last_line = line.words.blPara.lines[-1]
        free_width = last_line[0] if isinstance(last_line, tuple) else last_line.extraSpace
        start = line.x + line.words.width - free_width + _DOT_STEP_PT
        if right - _DOT_STEP_PT - start < 2 * _DOT_STEP_PT:
            return
        canvas = document.canvas
        with canvas.preserve_state():
            canvas.pen(look.GOLD, 0.8)
            canvas.setLineCap(1)
            canvas.setDash([0.01, _DOT_STEP_PT])
            canvas.line(right - _DOT_STEP_PT, y + 1, start, y + 1)
