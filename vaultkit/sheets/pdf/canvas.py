"""A ReportLab canvas that separates tagged content from decoration, which PDF calls artifacts."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFImageXObject, PDFName
from reportlab.pdfgen.canvas import Canvas

from vaultkit import files
from vaultkit.sheets.pdf.tags import Annotation, MarkedPiece, Tag
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.image_transcoding import Picture
from vaultkit.theme.reportlab_private import (
    annotation_count,
    operators,
    page_size,
    pdf_document,
    set_operators,
    text_being_drawn,
)
from vaultkit.theme.shaped_font import RunTextObject

if TYPE_CHECKING:
    from vaultkit.theme.svg.svg_drawing import SvgDrawing

_DRAWS_NOTHING = re.compile(r"(?:q|Q|n|[-\d. ]+ cm|\s*)\Z")
"""A PDF operator that draws nothing: it saves or restores the graphics state, ends a path, or transforms."""
_BEGIN_OPERATOR, _END_OPERATOR = re.compile(r"/\w+ <</MCID \d+>> BDC\Z"), "EMC"
"""The PDF operators that begin and end marked content."""


class MarkedText(str):
    """The operators of a text object that already contains its own content marks."""

    __slots__ = ()


class _CachedPicture(PDFImageXObject):  # type: ignore[misc]
    """A picture in the PDF that is read from the cache as it is written: those of a deck would fill the memory."""

    def __init__(self, picture: Picture) -> None:
        super().__init__(picture.path.stem)
        self._path = picture.path

    def format(self, document: Any) -> Any:
        with files.open_plain(self._path) as file:
            self.loadImageFromJPEG(file)
        return super().format(document)


class TaggedCanvas(Canvas):  # type: ignore[misc]
    """A canvas that marks what it draws as content of a structure tag or as an artifact.

    What is drawn inside `tag_content` belongs to that tag; everything else is an artifact. With `tagged` False the
    document has no structure, which suits a deck to be cut. Colours are given as roles, which the `theme` maps to
    colours; `glyphs` chooses the fonts of words in drawings. A link belongs to the first tag of `pending_link_tags`,
    else to the tag being drawn; a link inside an artifact is dropped.
    """

    def __init__(self, file: Any, glyphs: Glyphs, size: tuple[float, float], *, tagged: bool) -> None:
        self.glyphs = glyphs
        self.theme = theme = glyphs.theme
        self.tagged = tagged
        self.pending_link_tags: list[Tag] = []
        self._current_tag: Tag | None = None
        self._mark_count = 0
        self.bare = False
        """Whether this page keeps the colour of the printer's paper.

        Its cards are painted, and the area around them is cut off.
        """
        settings = {"initialFontName": theme.face(look.TEXT), "enforceColorSpace": theme.color_filter}
        super().__init__(file, pagesize=size, invariant=1, pageCompression=1, **settings)
        self.setNamedCB("instead", _set_replacement)

    @property
    def page_number(self) -> int:
        """The number of the page being drawn, counted from 0."""
        return int(self.getPageNumber()) - 1

    @contextmanager
    def tag_content(self, tag: Tag | None) -> Iterator[None]:
        """Mark everything drawn in the `with` block as content of `tag`, or as an artifact if `tag` is None."""
        if tag is None or not self.tagged:
            yield
            return
        self.begin(tag)
        yield
        self.end()

    def begin(self, tag: Tag) -> None:
        """Begin content of `tag`, which lasts until `end` is called."""
        operators(self).append(self.begin_mark(tag))
        self._current_tag = tag

    def end(self) -> None:
        """Close the content opened by `begin`."""
        operators(self).append(_END_OPERATOR)
        self._current_tag = None

    def begin_mark(self, tag: Tag) -> str:
        """Add a piece of marked content to the children of `tag`, and return the operator that begins it."""
        tag.children.append(MarkedPiece(self.page_number, self._mark_count))
        self._mark_count += 1
        return f"/{tag.kind} <</MCID {self._mark_count - 1}>> BDC"

    def fill(self, role: str) -> None:
        """Set the colour in which areas and text are drawn from now on to the theme's colour for a role."""
        self.setFillColor(self.theme.colour(role))

    def pen(self, role: str, width: float) -> None:
        """Set the colour of lines to the theme's colour for a role, and their width in points."""
        self.setStrokeColor(self.theme.colour(role))
        self.setLineWidth(width)

    @contextmanager
    def preserve_state(self) -> Iterator[None]:
        """Restore colours, transformations and all other graphics state at the end of the `with` block."""
        self.saveState()
        yield
        self.restoreState()

    def clip(self, x: float, y: float, width: float, height: float, corner: float | None = None) -> None:
        """Clip all further drawing to a rectangle in points, with round corners if the radius `corner` is given."""
        path = self.beginPath()
        if corner is None:
            path.rect(x, y, width, height)
        else:
            path.roundRect(x, y, width, height, corner)
        self.clipPath(path, stroke=0, fill=0)

    def turn_upside_down(self, width: float, height: float) -> None:
        """Turn all further drawing upside down within a rectangle of a width and height in points."""
        self.translate(width, height)
        self.rotate(180)

    def draw_ornament(
        self, ends: tuple[float, float], middle: float, y: float, *, gap: float, half: float, width: float
    ) -> None:
        """Draw a golden horizontal line at the height `y` with a lozenge in it.

        The line goes from the first to the second x of `ends`, is `width` thick, and leaves a `gap` on both sides of
        the lozenge's center. The lozenge lies at the x `middle` and reaches `half` to each side, up and down. All
        lengths are in points.
        """
        self.setStrokeColor(self.theme.colour(look.GOLD))
        self.fill(look.GOLD)
        self.setLineWidth(width)
        self.line(ends[0], y, middle - gap, y)
        self.line(middle + gap, y, ends[1], y)
        path = self.beginPath()
        path.moveTo(middle - half, y)
        for across, up in ((0, half), (half, 0), (0, -half)):
            path.lineTo(middle + across, y + up)
        path.close()
        self.drawPath(path, stroke=0, fill=1)

    def setLineWidth(self, width: float) -> None:  # noqa: N802 - ReportLab's name
        """Set the width of lines in points, reduced if the theme saves ink."""
        super().setLineWidth(self.theme.stroke_width(width))

    def beginText(self, x: float = 0, y: float = 0, direction: Any = None) -> Any:  # noqa: N802 - ReportLab's name
        """Return a text object at x, y that draws shaped fonts, and text from right to left."""
        return RunTextObject(self, x, y, direction=direction)

    def drawText(self, aTextObject: Any) -> None:  # noqa: N802, N803 - ReportLab's names
        """Draw a text object. One with a `marks` attribute brings operators with its own content marks."""
        marks = getattr(aTextObject, "marks", None)
        if marks is None:
            super().drawText(aTextObject)
        else:
            operators(self).append(marks.code(self))

    def drawImage(self, image: Any, x: float, y: float, *size: Any, **more: Any) -> Any:  # noqa: N802 - ReportLab's name
        """Draw a picture; an inline picture with a `draw_on` method draws itself."""
        draw = getattr(image, "draw_on", None)
        return draw(self, x, y) if draw else super().drawImage(image, x, y, *size, **more)

    def draw_picture(self, picture: "Picture | SvgDrawing", x: float, y: float, size: tuple[float, float]) -> None:
        """Draw a picture with its lower left corner at x, y, `size` points wide and high."""
        drawing = picture.drawing if isinstance(picture, Picture) else picture
        if isinstance(picture, Picture):
            if not self.hasForm(picture.path.stem):
                pdf_document(self).addForm(picture.path.stem, _CachedPicture(picture))
            self._draw_form(picture.path.stem, x, y, size)
        if drawing is not None:
            from vaultkit.theme.svg.svg_painter import embed_drawing

            name = embed_drawing(self, drawing, self.glyphs, words_only=drawing is not picture)
            self._draw_form(name, x, y, (size[0] / drawing.width, size[1] / drawing.height))

    def _draw_form(self, name: str, x: float, y: float, factors: tuple[float, float]) -> None:
        with self.preserve_state():
            self.translate(x, y)
            self.scale(*factors)
            self.doForm(name)

    def showPage(self) -> None:  # noqa: N802 - ReportLab's name
        """End the page: paint the paper below its content, and turn content without marks into artifacts."""
        if self.theme.is_paper_printed and not self.bare:
            code = operators(self)
            content_length = len(code)
            with self.preserve_state():
                self.fill(look.PAPER)
                self.rect(0, 0, *page_size(self), stroke=0, fill=1)
            set_operators(self, [*code[content_length:], *code[:content_length]])
        self.bare = False
        if self.tagged:
            set_operators(self, _mark_artifacts(operators(self)))
        self._mark_count = 0
        super().showPage()

    def add_widget(self, tag: Tag) -> Any:
        """Add an empty form widget to this page as content of `tag`, and return its dictionary."""
        tag.children.append(Annotation(self.page_number, annotation_count(self)))
        widget = PDFDictionary({"Type": PDFName("Annot"), "Subtype": PDFName("Widget")})
        super()._addAnnotation(widget)
        return widget

    def _addAnnotation(self, annotation: Any, name: Any = None, addtopage: int = 1) -> None:  # noqa: N802
        """Add a link to the page and to the children of its tag; in a tagged document, drop one without a tag."""
        if self.tagged:
            tag = self.pending_link_tags.pop(0) if self.pending_link_tags else self._current_tag
            if tag is None:
                return
            tag.children.append(Annotation(self.page_number, annotation_count(self)))
        super()._addAnnotation(annotation, name, addtopage)


def _set_replacement(canvas: Any, _kind: str, characters: str) -> None:
    """Set the replacement text of the words that follow in a paragraph, until the next call.

    ReportLab calls this where the paragraph's markup names the callback `instead`. With "" for `characters`, the words
    that follow have no replacement.
    """
    marks = getattr(text_being_drawn(canvas), "marks", None)
    if marks is not None:
        marks.set_replacement(characters)


def _mark_artifacts(code: list[str]) -> list[str]:
    """Return a page's operators with marks around everything drawn outside marked content, as artifacts."""
    operators: list[str] = []
    is_in_tag, is_in_artifact = False, False
    for line in code:
        begins = bool(_BEGIN_OPERATOR.match(line))
        content = begins or isinstance(line, MarkedText)
        if is_in_artifact and (content or _DRAWS_NOTHING.match(line)):
            operators.append(_END_OPERATOR)
            is_in_artifact = False
        elif not is_in_tag and not content and not is_in_artifact and not _DRAWS_NOTHING.match(line):
            operators.append("/Artifact BMC")
            is_in_artifact = True
        is_in_tag = begins or (is_in_tag and line != _END_OPERATOR)
        operators.append(line)
    return [*operators, _END_OPERATOR] if is_in_artifact else operators
