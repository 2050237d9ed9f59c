"""Title blocks at the head of a first page, with title, subtitle, ornament and QR code, and covers above contents."""

from dataclasses import replace
from typing import Any

from vaultkit.sheets.geometry.paper import ReadingPlan
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.qr import QrCode
from vaultkit.sheets.text.inline import Inline
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
_COVER_PADDING_PT, _INNER_FRAME_INSET_PT, _CORNER_RADIUS_PT = 9 * MM_POINTS, 1.6 * MM_POINTS, 2.4 * MM_POINTS


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
        from vaultkit.sheets.text.tagged_text import TaggedParagraph

        make_style, size = glyphs.theme.style, self._title_size(title.words(), glyphs)
        title_markup = Inline(glyphs, live=False, size=size, footnotes=self.footnotes).markup(
            title.children, look.TITLE_BOLD
        )
        title_style = make_style(look.TITLE_BOLD, size, size * 1.15, alignment=1, textColor=look.ACCENT)
        lines = [("H1", TaggedParagraph(title_markup, title_style))]
        if subtitle is not None:
            size = max(glyphs.theme.min_text_size, 11.0)
            inline = Inline(
                glyphs, live=False, size=size, min_size=glyphs.theme.min_text_size, footnotes=self.footnotes
            )
            markup = inline.markup(subtitle.children, look.ITALIC)
            lines.append(
                ("P", TaggedParagraph(markup, make_style(look.ITALIC, size, alignment=1, textColor=look.MUTED)))
            )
        return lines

    def _title_size(self, title: str, glyphs: Glyphs) -> float:
        """Return the largest font size that the page allows and at which no word is broken."""
        size = max(
            _MIN_TITLE_SIZE_PT,
            _MAX_TITLE_SIZE_PT * min(1.0, self._width / _FULL_WIDTH_PT),
            glyphs.theme.min_text_size + 4,
        )
        widest_word = max((glyphs.measure_width(word, look.TITLE_BOLD, 1.0) for word in title.split()), default=0.0)
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

    `bottom` is the top of the contents, in points.
    """

    def __init__(self, title: str, about: str, contents: str, plan: ReadingPlan, document: Document) -> None:
        x, _, width, height = plan.body.points
        self._lines = self._make_lines(title, about, width - 2 * _COVER_PADDING_PT, document)
        heights = [line.wrapOn(document.canvas, width - 2 * _COVER_PADDING_PT, height)[1] for _, line in self._lines]
        height_pt = max(_MIN_COVER_HEIGHT_SHARE * height, sum(heights) + 2 * _COVER_PADDING_PT)
        top = points(plan.body.top)
        self._frame = (x, top - height_pt, width, height_pt)
        level = top - (height_pt - sum(heights)) / 2
        self._levels = [level := level - high for high in heights]
        cover_height = round((height_pt + _COVER_GAP_PT) / MM_POINTS * MM)
        self._contents = TitleBlock(contents, None, replace(plan, above=plan.above + cover_height), document)
        self.bottom = self._contents.bottom

    def _make_lines(self, title: str, summary: str, max_width: float, document: Document) -> list[tuple[str, Any]]:
        from vaultkit.sheets.text.tagged_text import TaggedParagraph

        glyphs = document.glyphs
        widest_word = max((glyphs.measure_width(word, look.TITLE_BOLD, 1.0) for word in title.split()), default=1.0)
        size = max(
            _MIN_COVER_TITLE_SIZE_PT, min(_MAX_COVER_TITLE_SIZE_PT, max_width / widest_word * 0.98, max_width / 9)
        )
        make_style, summary_size = glyphs.theme.style, max(glyphs.theme.min_text_size, 11.0)
        title_style = make_style(look.TITLE_BOLD, size, size * 1.2, alignment=1, textColor=look.ON_HEAD, spaceAfter=4)
        summary_style = make_style(look.ITALIC, summary_size, alignment=1, textColor=look.ON_HEAD)
        lines = [("H1", TaggedParagraph(glyphs.to_markup(title, look.TITLE_BOLD), title_style))]
        return (
            [*lines, ("P", TaggedParagraph(glyphs.to_markup(summary, look.ITALIC), summary_style))]
            if summary
            else lines
        )

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
        for (kind, line), level in zip(self._lines, self._levels, strict=True):
            with canvas.tag_content(tag.add(kind)):
                line.drawOn(canvas, x + _COVER_PADDING_PT, level)
        self._contents.draw(document, tag, "H2")
