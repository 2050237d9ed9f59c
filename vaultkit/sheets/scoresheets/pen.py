"""How large everything on a score sheet is, and the pen that makes its flowables: words that fit, boxes, fields."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from vaultkit.errors import InvalidError
from vaultkit.look import theme as look
from vaultkit.look.theme import Theme
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.forms import Field, lines_of
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.parts import SheetBox
from vaultkit.sheets.text.flowables import Flowable, Table
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.tables import white_around
from vaultkit.sheets.text.tagged_text import TaggedParagraph
from vaultkit.vault.markdown import parse

MM = 72 / 25.4
WRITABLE, TIGHT = 10 * MM, 6.2 * MM
"""So high is a box that takes a number from a pen with ease, and so high one that it can just be written in."""
_A4 = 297_000


@dataclass(frozen=True)
class Style:
    """Sizes of letters: `text` for all that is read, `row` for the names of rows; `face` is that of heads and rows.

    A row of boxes is at least `lowest` and at most `highest` high, one of boxes to tick is `tick` high, a `line` to
    write on takes so much. `compact` sheets have a short heading, and `brief` ones say in their columns' short words
    what counts. `long` ones go on over several pages if need be. `columns` are those of the panels; sheets without
    `panels` have the reminder in their place, and those without `purpose` do not say it.
    By `grown`, from 0 to 1, all to write in is higher than it must be.
    """

    title: float
    subtitle: float
    text: float
    row: float
    head: float
    lowest: float
    highest: float
    tick: float
    line: float
    gap: float
    face: str = look.TITLE_BOLD
    compact: bool = False
    long: bool = False
    columns: int = 2
    brief: bool = False
    purpose: bool = True
    panels: bool = True
    grown: float = 0.0

    @property
    def high(self) -> float:
        """How high a row of boxes is now, between the lowest and the highest."""
        return self.lowest + max(0.0, self.highest - self.lowest) * self.grown

    @property
    def listed(self) -> float:
        """How high a line of a list is, which may grow by nearly a half."""
        return self.line * (1 + 0.45 * self.grown)


def page_style(theme: Theme, tall: int) -> Style:
    """The style of a sheet that has a page to itself, `tall` micrometres high: on a large one rows may be higher."""
    grown = MM * max(1.0, tall / _A4)
    if theme.large:
        sizes = 34, 20, 16, 19, 16, 16 * MM, 28 * grown, 10 * MM, 12 * MM, 4 * MM
        return Style(*sizes, long=True, columns=1, brief=True)
    usual = 30, 13, theme.floor, 14, 10.5, WRITABLE + 0.8 * MM, 22 * grown, 6 * MM, 7.5 * MM, 3.2 * MM
    return Style(*usual, long=theme.easy_read)


def quarter_style(theme: Theme) -> Style:
    """The style of a sheet that is a quarter of a page."""
    sizes = 17, 10, theme.floor, 12, 10.5, 6.4 * MM, 17 * MM, 6 * MM, 6.2 * MM, 2.2 * MM
    return Style(*sizes, look.BOLD, compact=True, brief=True, purpose=False, panels=False)


_LARGEST = 19.0
_TWO_LINES = 2.5
"""So many times as high as its letters is a box in which words may take two lines."""
_A_NAME = 60.0
"""In a box narrower than this most names need several lines."""
_SMALL_NAME, _LARGE_NAME = 10.0, 15.0
BETWEEN = 4 * MM
"""Between items in a row."""
_LINES, _TICKS = 3.0, 7.0
"""Below the words of a line to write on, and below those of boxes to tick and of their title."""

_KINDS: Mapping[str, Any] = {"choice": "choice", "tick": "check"}
"""The kinds of fields that are no texts."""
Place = tuple[float, float, float, float]
"""x, y, width and height in points."""


class Pen:
    """Draws on `document` in a style. `values` are what is filled in already, by the fields' names."""

    def __init__(self, document: Document, style: Style, values: Mapping[str, str]) -> None:
        self.document, self.glyphs, self.canvas = document, document.glyphs, document.canvas
        self.style, self.values = style, values

    def words(self, text: str, face: str, size: float, width: float, tag: Tag, **style: Any) -> Any:
        """A paragraph of Markdown for a place that is `width` points wide; `style` is as ReportLab has it.

        A word that is wider than that is an InvalidError.
        """
        for word in text.replace("*", "").split():
            if self.glyphs.width(word, face, size) > width + 0.01:
                hint = "Use a shorter word or fewer columns, or choose a larger paper."
                raise InvalidError(f"'{word}' is too long for its place on the score sheet.", hint=hint)
        nodes = [child for block in parse(text).children for child in block.children]
        markup = Inline(self.glyphs, live=False, size=size).markup(nodes, face)
        style, once = {"leading": size * 1.18} | style, bool(style.pop("once", False))
        return TaggedParagraph(markup, self.glyphs.theme.style(face, size, **style), tag=tag, once=once)

    def box(self, box: SheetBox, place: Place, tag: Tag, *, size: float = 11.0, middle: bool = False) -> None:
        """A white box with a border, and its field; words have that `size` and stand in the `middle` or at the left."""
        x, y, width, height = place
        is_number, is_tick = box.kind == "number", box.kind == "tick"
        self.canvas.pen(look.INK, 0.9)
        self.canvas.fill(look.PAPER)
        corner = 1.0 if is_tick else 3.0
        self.canvas.roundRect(*place, min(width, height) / 2 if box.group else corner, stroke=1, fill=1)
        if is_tick:
            field, player = self.field(box, place, 14.0), box.player
            if group := box.group:
                field = replace(field, kind="radio", name=player.prefix + group.id, group=player.who + group.title)
        else:
            size = min(_LARGEST, height * 0.6) if is_number else size
            # the zero of the face for numbers has no stroke; large print wears the plainest face everywhere
            face = look.TITLE_BOLD if is_number and not self.glyphs.theme.large else look.BOX
            align = "left" if box.kind == "words" and not middle else "center"
            field = self.field(box, (x + 1, y + 1, width - 2, height - 2), size, align=align, face=face)
            field = replace(field, lines=self._several(box, field))
        self.document.field(field, tag=tag)

    def field(self, box: SheetBox, place: Place, size: float, **looks: Any) -> Field:
        """A field at a place from where the pen stands, with what is filled in."""
        label, value, size = box.player.who + box.label, self.values.get(box.field, ""), max(size, self.style.text)
        return Field(box.field, _KINDS.get(box.kind, "text"), place, label, value, box.options, size, **looks)

    def _several(self, box: SheetBox, field: Field) -> bool:
        """Whether several lines may be typed in: viewers begin these at the top, and centre a single one.

        So it is for a name only where it has no room on one, or hardly any does.
        """
        if box.kind != "words" or field.box[3] < _TWO_LINES * field.size:
            return False
        if not field.value:
            return field.box[2] < _A_NAME or not box.name
        return lines_of(field.value, look.BOX, field.size, field.box[2], self.glyphs) > 1

    def label(self, words: str) -> float:
        """The width of the label of a line."""
        return self.glyphs.width(words, look.BOX_BOLD, self.style.text)

    @property
    def side(self) -> float:
        """The side of a box to tick before its words."""
        return 3.4 * MM * self.style.text / 10

    def ticked(self, words: str) -> float:
        """The width of a box to tick and of the words behind it."""
        return self.side + 4 + self.glyphs.width(words, look.TEXT, self.style.text + 1)

    def name_size(self, boxes: Sequence[SheetBox], width: float) -> float:
        """One size for all these names: as large as lets each stand on one line, and never small."""
        names = [self.values.get(box.field, "") for box in boxes]
        widest = max((self.glyphs.width(name, look.BOX, 1.0) for name in names), default=0.0)
        usual = _LARGE_NAME if width >= _A_NAME else _SMALL_NAME
        return max(_SMALL_NAME, min(_LARGE_NAME, (width - 6) / widest) if widest else usual)


class Drawn(Flowable):  # type: ignore[misc]
    """A drawing of this width and height, by a function that needs nothing more."""

    def __init__(self, width: float, height: float, draw: Callable[[], None]) -> None:
        super().__init__()
        self.width, self.height, self.draw = width, height, draw


class BoxFlowable(Flowable):  # type: ignore[misc]
    """A box that fills its place in a table, at least `least` points high.

    Drawn once more, at the head of the next page, there are the words `again`: a field is there once.
    """

    def __init__(self, pen: Pen, box: SheetBox, tag: Tag, *, least: float, again: Any = None, **letters: Any) -> None:
        super().__init__()
        self.pen, self.box, self.tag, self.least, self.letters = pen, box, tag, least, letters
        self.again, self.drawn = again, False

    def wrap(self, wide: float, high: float) -> tuple[float, float]:
        """All of its place."""
        self.width, self.height = wide, self.least if high > 10_000 else high
        return self.width, self.height

    def draw(self) -> None:
        """Draws the box with white around it."""
        width, height = self.width, self.height
        if self.drawn and self.again:
            self.again.drawOn(self.canv, 0, (height - self.again.wrapOn(self.canv, width, height)[1]) / 2)
            return
        self.drawn = True
        aside, above = min(3 * MM, width * 0.06), min(1.4 * MM, max(0.4 * MM, (height - WRITABLE) / 2))
        above = 2.5 if self.again else above
        if self.box.kind == "tick":
            side = min(height, width, 4.5 * self.pen.style.text / 10 * MM)
            aside, above = (width - side) / 2, (height - side) / 2
        self.pen.box(self.box, (aside, above, width - 2 * aside, height - 2 * above), self.tag, **self.letters)


class Item(NamedTuple):
    """Words with a box: a line to write on behind them, or one to tick before them; or a title without any.

    It takes at least `need` points, and `share` of what is left over in its row. Its words are content of `tag`, its
    field of `held`.
    """

    words: str
    box: SheetBox | None
    tag: Tag
    held: Tag
    need: float
    share: int = 0


def arrange(groups: Iterable[Sequence[Item]], width: float) -> list[list[Item]]:
    """Items in as many rows as they need; those of a group are together where one row has room for them."""
    rows: list[list[Item]] = []
    left = -1.0
    for group in groups:
        for number, item in enumerate(group):
            rest = sum(one.need for one in group[number:])
            if left < 0 or (rest if rest <= width else item.need) > left + BETWEEN:
                rows.append([])
                left = width
            rows[-1].append(item)
            left -= item.need
    return rows


def row_table(pen: Pen, row: Sequence[Item], width: float, step: float, gap: float) -> Any:
    """Items side by side, `step` points high, with a `gap` below them."""
    spare, shares = width + BETWEEN - sum(item.need for item in row), max(1, sum(item.share for item in row))
    widths = [item.need + spare * item.share / shares for item in row]
    drawn = [Drawn(wide, step, partial(_draw, pen, item, wide)) for item, wide in zip(row, widths, strict=True)]
    return Table([drawn], widths, step, style=white_around(0, 0, 0), hAlign="LEFT", spaceAfter=gap)


def _draw(pen: Pen, item: Item, width: float) -> None:
    size, box = pen.style.text, item.box
    if box and box.kind == "tick":
        pen.box(box, (0, _TICKS - 1.6, pen.side, pen.side), item.held)
        pen.document.write(item.words, pen.side + 4, _TICKS, look.TEXT, size + 1, tag=item.tag)
        return
    y = _LINES if box else _TICKS
    pen.document.write(item.words, 0, y, look.BOX_BOLD, size, colour=look.ACCENT, tag=item.tag)
    if box:
        x, high, large = pen.label(item.words) + 5, pen.style.line - 3, max(13, size)
        pen.canvas.pen(look.INK, 0.6)
        pen.canvas.line(x, y - 2.5, width - BETWEEN, y - 2.5)
        # viewers centre what is typed: so it stands on the line as its label does
        field = pen.field(box, (x, y - high / 2 + large / 3 + 1, width - BETWEEN - x, high), large, align="left")
        pen.document.field(field, tag=item.held)
