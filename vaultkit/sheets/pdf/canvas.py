"""ReportLab's canvas, which tells content from mere decoration (an artifact, as PDF calls it)."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFName
from reportlab.pdfgen.canvas import Canvas

from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Annotation, MarkedPiece, Tag

_NOT_DRAWN = re.compile(r"(?:q|Q|n|[-\d. ]+ cm|\s*)\Z")
_BEGIN, _END = re.compile(r"/\w+ <</MCID \d+>> BDC\Z"), "EMC"


class MarkedText(str):
    """The operators of a text object that has its marks inside."""

    __slots__ = ()


class TaggedCanvas(Canvas):  # type: ignore[misc]
    """Draws. Inside `marked` everything belongs to that tag, elsewhere it is an artifact.

    `tagged` False makes a document without structure, such as a deck to be cut. Colours are roles of the `theme`.
    A link belongs to the first tag of `waiting`, else to the tag that is being drawn; an artifact has none.
    """

    _code: list[str]

    def __init__(self, file: Any, theme: look.Theme, size: tuple[float, float], *, tagged: bool) -> None:
        self.theme = theme
        self.tagged = tagged
        self.waiting: list[Tag] = []
        self._drawn: Tag | None = None
        self._marks = 0
        self.bare = False
        """Whether this page keeps the printer's paper: its cards are painted, what is beside them is cut off."""
        settings = {"initialFontName": theme.face(look.TEXT), "enforceColorSpace": theme.enforced}
        super().__init__(file, pagesize=size, invariant=1, pageCompression=1, **settings)
        self.setNamedCB("instead", _note_instead)

    @property
    def page_number(self) -> int:
        """The page that is being drawn, from 0."""
        return int(self.getPageNumber()) - 1

    @contextmanager
    def marked(self, tag: Tag | None) -> Iterator[None]:
        """All that is drawn in here is content of `tag`; without one it is an artifact."""
        if tag is None or not self.tagged:
            yield
            return
        self.begin(tag)
        yield
        self.end()

    def begin(self, tag: Tag) -> None:
        """From here to `end`, what is drawn is content of `tag`."""
        self._code.append(self.begin_mark(tag))
        self._drawn = tag

    def end(self) -> None:
        """The content that was begun ends here."""
        self._code.append(_END)
        self._drawn = None

    def begin_mark(self, tag: Tag) -> str:
        """The operator that begins a stretch of `tag`, which is noted among its children."""
        tag.children.append(MarkedPiece(self.page_number, self._marks))
        self._marks += 1
        return f"/{tag.kind} <</MCID {self._marks - 1}>> BDC"

    def fill(self, role: str) -> None:
        """The colour of areas and words from here on."""
        self.setFillColor(self.theme.colour(role))

    def pen(self, role: str, width: float) -> None:
        """The colour and the thickness in points of lines from here on."""
        self.setStrokeColor(self.theme.colour(role))
        self.setLineWidth(width)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Colours, places and all else that is set in here holds no longer than this."""
        self.saveState()
        yield
        self.restoreState()

    def clip(self, x: float, y: float, width: float, height: float, corner: float | None = None) -> None:
        """Nothing is drawn any more outside this rectangle, which may have round corners."""
        path = self.beginPath()
        if corner is None:
            path.rect(x, y, width, height)
        else:
            path.roundRect(x, y, width, height, corner)
        self.clipPath(path, stroke=0, fill=0)

    def turn_round(self, width: float, height: float) -> None:
        """From here on, all stands on its head in a rectangle of that size."""
        self.translate(width, height)
        self.rotate(180)

    def ornament(
        self, ends: tuple[float, float], middle: float, y: float, *, gap: float, half: float, width: float
    ) -> None:
        """A golden line with a lozenge in its middle, which reaches `half` points to each side."""
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
        """Sets the thickness of lines, less of it where ink is saved."""
        super().setLineWidth(self.theme.stroke(width))

    def drawText(self, aTextObject: Any) -> None:  # noqa: N802, N803 - ReportLab's names
        """Draws a text object, with its own marks if it has some."""
        marks = getattr(aTextObject, "marks", None)
        if marks is None:
            super().drawText(aTextObject)
        else:
            self._code.append(marks.code(self))

    def drawImage(self, image: Any, x: float, y: float, *size: Any, **more: Any) -> Any:  # noqa: N802 - ReportLab's name
        """Draws a picture; one in a line of words draws itself."""
        draw = getattr(image, "draw_on", None)
        return draw(self, x, y) if draw else super().drawImage(image, x, y, *size, **more)

    def showPage(self) -> None:  # noqa: N802 - ReportLab's name
        """Ends the page: the paper's colour goes below all that is drawn; what is not marked becomes an artifact."""
        if self.theme.painted and not self.bare:
            self._code = [*self._paper(), *self._code]
        self.bare = False
        if self.tagged:
            self._code = _with_artifacts(self._code)
        self._marks = 0
        super().showPage()

    def _paper(self) -> list[str]:
        """The operators that paint the page."""
        drawn, self._code = self._code, []
        with self.apart():
            self.fill(look.PAPER)
            self.rect(0, 0, *self._pagesize, stroke=0, fill=1)
        painted, self._code = self._code, drawn
        return painted

    def add_widget(self, tag: Tag) -> int:
        """A place for a field among this page's annotations, as content of `tag`; returns its number."""
        place = len(self._annotationrefs)
        tag.children.append(Annotation(self.page_number, place))
        super()._addAnnotation(PDFDictionary({"Type": PDFName("Annot"), "Subtype": PDFName("Widget")}))
        return place

    def _addAnnotation(self, annotation: Any, name: Any = None, addtopage: int = 1) -> None:  # noqa: N802
        if self.tagged:
            tag = self.waiting.pop(0) if self.waiting else self._drawn
            if tag is None:
                return
            tag.children.append(Annotation(self.page_number, len(self._annotationrefs)))
        super()._addAnnotation(annotation, name, addtopage)


def _note_instead(canvas: Any, _kind: str, characters: str) -> None:
    """From here to the next call, which has none, the words of a paragraph stand for `characters`."""
    marks = getattr(canvas._curr_tx_info["tx"], "marks", None)
    if marks is not None:
        marks.instead(characters)


def _with_artifacts(code: list[str]) -> list[str]:
    made: list[str] = []
    inside, decoration = False, False
    for line in code:
        begins = bool(_BEGIN.match(line))
        content = begins or isinstance(line, MarkedText)
        if decoration and (content or _NOT_DRAWN.match(line)):
            made.append(_END)
            decoration = False
        elif not inside and not content and not decoration and not _NOT_DRAWN.match(line):
            made.append("/Artifact BMC")
            decoration = True
        inside = begins or (inside and line != _END)
        made.append(line)
    return [*made, _END] if decoration else made
