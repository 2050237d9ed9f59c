"""The pen that draws all parts of a score sheet: words that never run over, and boxes that are fields."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from vaultkit.errors import InvalidError
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.forms import Field, lines_of
from vaultkit.sheets.pdf.tags import Tag
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
class FieldBox:
    """A box to fill in: its field's name, what a screen reader says, and what goes in: a number, words or a choice.

    A name may take several `lines`. A `check` is a box to tick.
    """

    name: str
    tip: str
    options: tuple[str, ...] = ()
    wide: bool = False
    check: bool = False
    lines: bool = False


class Pen:
    """Draws on `document` in a style. `values` are what is filled in already, by the fields' names."""

    def __init__(self, document: Document, style: Style, values: Mapping[str, str]) -> None:
        self.document = document
        self.glyphs = document.glyphs
        self.canvas = document.canvas
        self.style = style
        self.values = values

    def words(self, text: str, face: str, size: float, width: float, **style: Any) -> tuple[Any, float]:
        """A paragraph of Markdown, and its height when it is `width` points wide.

        A word that is wider than that is an InvalidError.
        """
        from vaultkit.sheets.text.inline import Inline
        from vaultkit.sheets.text.tagged_text import TaggedParagraph
        from vaultkit.vault.markdown import parse

        nodes = [child for block in parse(text).children for child in block.children]
        bullet = style.pop("bullet", "")
        room = width - style.get("leftIndent", 0)
        for word in text.replace("*", "").split():
            if self.glyphs.width(word, face, size) > room + 0.01:
                raise InvalidError(
                    f"'{word}' is too long for its place on the score sheet.",
                    hint="Use a shorter word or fewer columns, or choose a larger paper.",
                )
        made = TaggedParagraph(
            Inline(self.glyphs, live=False, size=size).markup(nodes, face),
            self.glyphs.theme.style(face, size, leading=style.pop("leading", size * 1.18), **style),
            bulletText=bullet or None,
        )
        return made, float(made.wrapOn(self.canvas, width, _TALL)[1])

    def put(self, words: Any, x: float, bottom: float, tag: Tag | None) -> None:
        """Draws a paragraph with its lower left corner at x, `bottom`."""
        with self.canvas.marked(tag):
            words.drawOn(self.canvas, x, bottom)

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

    def box(self, box: FieldBox, place: Place, tag: Tag) -> None:
        """A white box with a border, and its field."""
        x, bottom, width, height = place
        if box.check:
            size = min(height, width, 4.5 * self.style.text / 10 * MM)
            self.tick(box.name, box.tip, (x + (width - size) / 2, bottom + (height - size) / 2, size, size), tag)
            return
        self._frame(x, bottom, width, height, 3)
        worded = box.wide or bool(box.options)
        large = 11.0 if worded else min(_LARGEST, height * 0.6)
        size = 10.0 if box.lines else large
        kind: Any = "choice" if box.options else "text"
        inside = (x + 1, bottom + 1, width - 2, height - 2)
        align: Any = "left" if box.wide else "center"
        field = Field(box.name, kind, inside, box.tip, options=box.options, size=self._size(size), align=align)
        self._field(replace(field, lines=self._several(box, field), face=look.BOX if worded else self._figures), tag)

    def _several(self, box: FieldBox, field: Field) -> bool:
        """Whether several lines may be typed in: viewers begin these at the top, and centre a single one.

        So it is for a name only where it has no room on one, or hardly any does.
        """
        value, width = self.values.get(field.name, ""), field.box[2]
        if box.lines:
            return lines_of(value, look.BOX, field.size, width, self.glyphs) > 1 if value else width < _A_NAME
        return box.wide and field.box[3] >= _TWO_LINES * field.size

    @property
    def _figures(self) -> str:
        """The face to type numbers in: its zero has no stroke; large print wears the plainest face everywhere."""
        return look.BOX if self.glyphs.theme.large else look.TITLE_BOLD

    def tick(self, name: str, tip: str, place: Place, tag: Tag) -> None:
        """A box to tick."""
        self._frame(*place, 1)
        self._field(Field(name, "check", place, tip), tag)

    def line(self, name: str, tip: str, place: tuple[float, float, float], tag: Tag) -> None:
        """A line to write on, from x, y and so wide; y is the line that the letters of its label stand on."""
        x, y, width = place
        self.rule(look.INK, x, y - 2.5, x + width, 0.6)
        height, size = self.style.line - 3, self._size(13)
        # viewers centre what is typed: so it stands on the line as its label does
        bottom = y - height / 2 + size / 3 + 1
        self._field(Field(name, "text", (x, bottom, width, height), tip, size=size, align="left"), tag)

    def _size(self, size: float) -> float:
        return max(size, self.style.text)

    def _field(self, field: Field, tag: Tag) -> None:
        self.document.field(replace(field, value=self.values.get(field.name, "")), tag=tag)

    def _frame(self, x: float, y: float, width: float, height: float, radius: float) -> None:
        self.canvas.setStrokeColor(self.document.colour(look.INK))
        self.canvas.setFillColor(self.document.colour(look.PAPER))
        self.canvas.setLineWidth(0.9)
        self.canvas.roundRect(x, y, width, height, radius, stroke=1, fill=1)
