"""The front matter of a file: title blocks, covers and contents.

Title blocks at the head of a first page have a title, subtitle, ornament and QR code. Contents list all notes, and as
many levels of headings as fit on one page, with page numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from vaultkit.sheets.paper import ReadingPlan
from vaultkit.sheets.pdf.document import Bookmark, Document
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.qr import QrCode
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.tagged_text import TaggedParagraph
from vaultkit.theme import icons
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.lengths import MM, MM_POINTS, points
from vaultkit.vault.markdown import Node

_MAX_TITLE_SIZE_PT, _MIN_TITLE_SIZE_PT = 25.0, 15.0
_FULL_WIDTH_PT = 380.0
"""The width in points from which the title has its largest size; in less space it is smaller."""
_MIN_TITLE_SCALE = 0.78
"""The smallest factor by which a title is scaled down to fit on one line."""
_ORNAMENT_GAP_PT, _TITLE_GAP_PT = 10.0, 22.0
_MAX_COVER_TITLE_SIZE_PT, _MIN_COVER_TITLE_SIZE_PT, _COVER_GAP_PT = 34.0, 17.0, 7 * MM_POINTS
_MIN_COVER_HEIGHT_SHARE = 0.24
"""The minimum height of a cover, as a share of the page's text height."""
_MAX_SIGN_SIZE_PT = 46.0
"""The largest side of a sign on a cover."""
_COVER_PADDING_PT, _INNER_FRAME_INSET_PT, _CORNER_RADIUS_PT = 9 * MM_POINTS, 1.6 * MM_POINTS, 2.4 * MM_POINTS


TITLE = "Contents"
_MAX_HEADING_LEVEL = 3
_MAX_LINE_WIDTH = 132 * MM
_INDENT, _DOT_STEP_PT = 14.0, 4.0


class TitleBlock:
    """The title and subtitle of a sheet, broken into lines, with an ornament below and a QR code beside them.

    Both are inline Markdown; a `title` without formatting may be plain text. `code` is the text of the QR code, "" for
    none. `bottom` is the top of the text below the block, in points.
    """

    def __init__(
        self, title: Node | str, subtitle: Node | None, plan: ReadingPlan, document: Document, *, code: str = ""
    ) -> None:
        heading = Node("Heading", children=[Node("Text", title)]) if isinstance(title, str) else title
        self._plan = plan
        self._qr_code = QrCode(code) if code else None
        self._qr_code_width = points(self._qr_code.side) if self._qr_code else 0.0
        x, _, width, height = plan.body.points
        self._x, self._width = x + self._qr_code_width, width - 2 * self._qr_code_width
        top = points(plan.body.top)
        self._lines: list[tuple[str, Any, float]] = []
        self.footnotes: dict[str, int] = {}
        """The numbers of the footnotes in the title and subtitle, by name."""
        for kind, line in self._make_lines(heading, subtitle, document.glyphs):
            _, line_height = line.wrapOn(document.canvas, self._width, height)
            top -= line_height
            self._lines.append((kind, line, top))
            top -= 3
        self._ornament_y = min(top + 3 - _ORNAMENT_GAP_PT, points(plan.body.top) - self._qr_code_width)
        self.bottom = self._ornament_y - _TITLE_GAP_PT + _ORNAMENT_GAP_PT

    def _make_lines(self, title: Node, subtitle: Node | None, glyphs: Glyphs) -> list[tuple[str, Any]]:
        make_style, size = glyphs.theme.style, self._title_size(title.words(), glyphs)
        inline = Inline(glyphs, live=False, size=size, footnotes=self.footnotes)
        title_markup = inline.markup(title.children, look.TITLE_BOLD)
        title_style = make_style(look.TITLE_BOLD, size, size * 1.15, alignment=1, textColor=look.ACCENT)
        lines = [("H1", TaggedParagraph(title_markup, title_style))]
        if subtitle is not None:
            size = max(glyphs.theme.min_text_size, 11.0)
            min_size = glyphs.theme.min_text_size
            inline = Inline(glyphs, live=False, size=size, min_size=min_size, footnotes=self.footnotes)
            markup = inline.markup(subtitle.children, look.ITALIC)
            style = make_style(look.ITALIC, size, alignment=1, textColor=look.MUTED)
            lines.append(("P", TaggedParagraph(markup, style)))
        return lines

    def _title_size(self, title: str, glyphs: Glyphs) -> float:
        """Return the largest font size that the page allows and at which no word is broken."""
        fitted_size = _MAX_TITLE_SIZE_PT * min(1.0, self._width / _FULL_WIDTH_PT)
        size = max(_MIN_TITLE_SIZE_PT, fitted_size, glyphs.theme.min_text_size + 4)
        widest_word = glyphs.measure_widest_part(title, look.TITLE_BOLD, 1.0)
        title_width = glyphs.measure_width(title, look.TITLE_BOLD, size)
        if self._width < title_width < self._width / _MIN_TITLE_SCALE:  # avoid a second line with one word
            size = max(_MIN_TITLE_SIZE_PT, size * self._width / title_width * 0.98)
        return max(_MIN_TITLE_SIZE_PT, min(size, self._width / widest_word * 0.98)) if widest_word else size

    def draw(self, document: Document, tag: Tag, heading: str = "H1") -> None:
        """Draw the title block; its tags are added to `tag`, and that of the title has the kind `heading`."""
        for kind, line, bottom in self._lines:
            with document.canvas.tag_content(tag.add(heading if kind == "H1" else kind)):
                line.drawOn(document.canvas, self._x, bottom)
        x, _, width, _ = self._plan.body.points
        document.canvas.draw_ornament((x, x + width), x + width / 2, self._ornament_y, gap=9, half=4.5, width=0.7)
        if self._qr_code is not None:
            self._qr_code.draw(document, self._x + self._width, points(self._plan.body.top) - self._qr_code_width, tag)


class BookCover:
    """The cover of a packet or booklet: its title and a summary (`about`), and below them the title of the contents.

    `signs` are icons above the title, and `extra` the points by which the cover is higher than it has to be. `bottom`
    is the top of the contents, in points.
    """

    def __init__(
        self, title: str, about: str, contents: str, plan: ReadingPlan, document: Document, *,
        signs: Sequence[str] = (), extra: float = 0.0,
    ) -> None:  # fmt: skip
        x, _, width, height = plan.body.points
        self._lines = self._make_lines(title, about, width - 2 * _COVER_PADDING_PT, document)
        heights = [line.wrapOn(document.canvas, width - 2 * _COVER_PADDING_PT, height)[1] for _, line in self._lines]
        self._signs, room = signs, (width - 2 * _COVER_PADDING_PT) / max(len(signs), 1)
        self._sign_size = min(_MAX_SIGN_SIZE_PT, room * 0.6, extra / 3) if signs else 0.0
        signs_height = self._sign_size * 1.6
        height_pt = max(_MIN_COVER_HEIGHT_SHARE * height, sum(heights) + 2 * _COVER_PADDING_PT) + extra
        top = points(plan.body.top)
        self._frame = (x, top - height_pt, width, height_pt)
        level = top - (height_pt - sum(heights) - signs_height) / 2 - signs_height
        self._sign_level = level + signs_height - self._sign_size
        self._levels = [level := level - high for high in heights]
        cover_height = round((height_pt + _COVER_GAP_PT) / MM_POINTS * MM)
        self._contents = TitleBlock(contents, None, replace(plan, above=plan.above + cover_height), document)
        self.bottom = self._contents.bottom

    def _make_lines(self, title: str, summary: str, max_width: float, document: Document) -> list[tuple[str, Any]]:
        glyphs = document.glyphs
        widest_word = glyphs.measure_widest_part(title, look.TITLE_BOLD, 1.0) or 1.0
        fitted_size = min(_MAX_COVER_TITLE_SIZE_PT, max_width / widest_word * 0.98, max_width / 9)
        size = max(_MIN_COVER_TITLE_SIZE_PT, fitted_size)
        make_style, summary_size = glyphs.theme.style, max(glyphs.theme.min_text_size, 11.0)
        title_style = make_style(look.TITLE_BOLD, size, size * 1.2, alignment=1, textColor=look.ON_HEAD, spaceAfter=4)
        summary_style = make_style(look.ITALIC, summary_size, alignment=1, textColor=look.ON_HEAD)
        lines = [("H1", TaggedParagraph(glyphs.to_markup(title, look.TITLE_BOLD), title_style))]
        markups = [glyphs.to_markup(line, look.ITALIC) for line in summary.split("\n") if line]
        return [*lines, *(("P", TaggedParagraph(markup, summary_style)) for markup in markups)]

    def draw(self, document: Document, tag: Tag) -> None:
        """Draw the cover and the title of the contents; their tags are added to `tag`."""
        canvas, (x, y, width, height) = document.canvas, self._frame
        canvas.fill(look.HEAD)
        canvas.pen(look.HEAD_LINE, 0.8)
        canvas.roundRect(x, y, width, height, _CORNER_RADIUS_PT, stroke=1, fill=1)
        canvas.pen(look.GILT, 0.7)
        canvas.roundRect(
            x + _INNER_FRAME_INSET_PT,
            y + _INNER_FRAME_INSET_PT,
            width - 2 * _INNER_FRAME_INSET_PT,
            height - 2 * _INNER_FRAME_INSET_PT,
            _CORNER_RADIUS_PT - _INNER_FRAME_INSET_PT / 2,
            stroke=1,
            fill=0,
        )
        step, theme = self._sign_size * 1.7, document.glyphs.theme
        for number, sign in enumerate(self._signs if self._sign_size else ()):
            left = x + width / 2 + (number - (len(self._signs) - 1) / 2) * step - self._sign_size / 2
            size = self._sign_size
            icons.draw_sign(canvas, theme, sign, x=left, y=self._sign_level, size=size, colour=look.GILT, letter=sign)
        for (kind, line), level in zip(self._lines, self._levels, strict=True):
            with canvas.tag_content(tag.add(kind)):
                line.drawOn(canvas, x + _COVER_PADDING_PT, level)
        self._contents.draw(document, tag, "H2")


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
        min_level: int = 0, cover: str = "", signs: Sequence[str] = (),
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
            shown_entries = [entry for entry in entries if entry.level <= depth]
            self.pages = self._break_pages(shown_entries)
            if len(self.pages) == 1:
                break
        if cover and len(self.pages) == 1 and self.pages[0]:
            extra = max(0.0, self.pages[0][-1].bottom - points(plan.body.y) - _COVER_GAP_PT)
            self._title = BookCover(cover, about, TITLE, plan, document, signs=signs, extra=extra)
            self.pages = self._break_pages(shown_entries)

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
        is_top_level = entry.level == 0
        body = self._glyphs.theme.body_text_size
        face, size = (look.BOLD, body + 1) if is_top_level else (look.TEXT, body)
        x = self._x + (entry.level - self._top_level) * _INDENT
        style = self._glyphs.theme.style(face, size, size * 1.3)
        words = TaggedParagraph(self._glyphs.to_markup(entry.title, face), style)
        number_width = self._glyphs.measure_width("0000", look.TEXT, body)
        _, height = words.wrapOn(self._canvas, self._x + self._width - x - number_width, 10_000)
        return _Line(entry, words, x, top - height - (6 if is_top_level else 1.5), height)

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
