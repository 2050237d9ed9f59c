"""The pen that draws all parts of a score sheet: words that never run over, and boxes that are fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vaultkit.errors import InvalidError
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.forms import Field, lines_of
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.parts import SheetBox
from vaultkit.sheets.scoresheets.style import MM, Style

_TALL = 100_000.0
_LARGEST = 19.0
_TWO_LINES = 2.8
"""So many times as high as its letters is a box in which words may take two lines."""
_A_NAME = 60.0
"""In a box narrower than this most names need several lines."""

Place = tuple[float, float, float, float]
"""x, y, width and height in points."""


@dataclass(frozen=True)
class Words:
    """A paragraph, broken into lines, and how high it is in points: 0 if there is none."""

    paragraph: Any
    tall: float


class Pen:
    """Draws on `document` in a style. `values` are what is filled in already, by the fields' names."""

    def __init__(self, document: Document, style: Style, values: Mapping[str, str]) -> None:
        self.document, self.glyphs, self.canvas = document, document.glyphs, document.canvas
        self.style, self.values = style, values

    def words(self, text: str, face: str, size: float, width: float, **style: Any) -> Words:
        """A paragraph of Markdown that is `width` points wide; `style` is as ReportLab has it.

        A word that is wider than that is an InvalidError.
        """
        from vaultkit.sheets.text.inline import Inline
        from vaultkit.sheets.text.tagged_text import TaggedParagraph
        from vaultkit.vault.markdown import parse

        for word in text.replace("*", "").split():
            if self.glyphs.width(word, face, size) > width + 0.01:
                raise InvalidError(
                    f"'{word}' is too long for its place on the score sheet.",
                    hint="Use a shorter word or fewer columns, or choose a larger paper.",
                )
        nodes = [child for block in parse(text).children for child in block.children]
        markup = Inline(self.glyphs, live=False, size=size).markup(nodes, face)
        style.setdefault("leading", size * 1.18)
        made = TaggedParagraph(markup, self.glyphs.theme.style(face, size, **style))
        return Words(made, float(made.wrapOn(self.canvas, width, _TALL)[1]) if text else 0.0)

    def put(self, words: Words, x: float, bottom: float, tag: Tag | None) -> None:
        """Draws a paragraph with its lower left corner at x, `bottom`."""
        if words.tall:
            with self.canvas.marked(tag):
                words.paragraph.drawOn(self.canvas, x, bottom)

    def put_around(self, several: Sequence[Words], x: float, middle: float, tag: Tag) -> None:
        """Draws paragraphs one below the other, as much of them above `middle` as below."""
        y = middle + sum(words.tall for words in several) / 2
        for words in several:
            y -= words.tall
            self.put(words, x, y, tag)

    def fill(self, role: str, x: float, bottom: float, width: float, height: float, *, outline: str = "") -> None:
        """A coloured ground; `outline` is the colour of its edge."""
        self.canvas.setFillColor(self.document.colour(role))
        if outline:
            self.canvas.setStrokeColor(self.document.colour(outline))
            self.canvas.setLineWidth(0.6)
        self.canvas.rect(x, bottom, width, height, stroke=int(bool(outline)), fill=1)

    def rule(self, role: str, x: float, y: float, right: float, thick: float) -> None:
        """A line from x to `right`."""
        self.canvas.setStrokeColor(self.document.colour(role))
        self.canvas.setLineWidth(thick)
        self.canvas.line(x, y, right, y)

    def box(self, box: SheetBox, place: Place, tag: Tag) -> None:
        """A white box with a border, and its field."""
        x, bottom, width, height = place
        if box.kind == "tick":
            size = min(height, width, 4.5 * self.style.text / 10 * MM)
            self.tick(box, (x + (width - size) / 2, bottom + (height - size) / 2, size, size), tag)
            return
        self._frame(place, 3)
        large = min(_LARGEST, height * 0.6) if box.kind == "number" else 11.0
        face = self._figures if box.kind == "number" else look.BOX
        field = self._field(box, (x + 1, bottom + 1, width - 2, height - 2), 10.0 if box.name else large)
        align: Any = "left" if box.kind == "words" else "center"
        field = replace(field, kind="choice" if box.kind == "choice" else "text", align=align, face=face)
        self.document.field(replace(field, lines=self._several(box, field)), tag=tag)

    def _several(self, box: SheetBox, field: Field) -> bool:
        """Whether several lines may be typed in: viewers begin these at the top, and centre a single one.

        So it is for a name only where it has no room on one, or hardly any does.
        """
        width = field.box[2]
        if not box.name:
            return box.kind == "words" and field.box[3] >= _TWO_LINES * field.size
        if not field.value:
            return width < _A_NAME
        return lines_of(field.value, look.BOX, field.size, width, self.glyphs) > 1

    @property
    def _figures(self) -> str:
        """The face to type numbers in: its zero has no stroke; large print wears the plainest face everywhere."""
        return look.BOX if self.glyphs.theme.large else look.TITLE_BOLD

    def tick(self, box: SheetBox, place: Place, tag: Tag) -> None:
        """A box to tick."""
        self._frame(place, 1)
        self.document.field(replace(self._field(box, place), kind="check"), tag=tag)

    def line(self, box: SheetBox, place: tuple[float, float, float], tag: Tag) -> None:
        """A line to write on, from x, y and so wide; y is the line that the letters of its label stand on."""
        x, y, width = place
        self.rule(look.INK, x, y - 2.5, x + width, 0.6)
        height, size = self.style.line - 3, max(13, self.style.text)
        # viewers centre what is typed: so it stands on the line as its label does
        field = self._field(box, (x, y - height / 2 + size / 3 + 1, width, height), size)
        self.document.field(replace(field, align="left"), tag=tag)

    def _field(self, box: SheetBox, place: Place, size: float = 14.0) -> Field:
        value, least = self.values.get(box.field, ""), self.style.text
        return Field(box.field, "text", place, box.tip, value, box.options, max(size, least))

    def _frame(self, place: Place, radius: float) -> None:
        self.canvas.setStrokeColor(self.document.colour(look.INK))
        self.canvas.setFillColor(self.document.colour(look.PAPER))
        self.canvas.setLineWidth(0.9)
        self.canvas.roundRect(*place, radius, stroke=1, fill=1)
