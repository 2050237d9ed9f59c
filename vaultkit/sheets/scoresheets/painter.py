"""How large everything on a score sheet is, and the pen that makes its flowables: words that fit, boxes, the table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from vaultkit.errors import InvalidError
from vaultkit.sheets.paper import MM_POINTS as MM
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.pdf.forms import Field, count_lines
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.parts import Cell, SheetBox, SheetParts
from vaultkit.sheets.text.flowables import DrawingFlowable, Flowable, Table
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.tables import head_commands, padding_commands
from vaultkit.sheets.text.tagged_text import TaggedParagraph
from vaultkit.theme import icons
from vaultkit.theme import model as look
from vaultkit.vault.markdown import parse
from vaultkit.vault.writing.escape import escape_markdown

WRITABLE_HEIGHT_PT, TIGHT_HEIGHT_PT = 10 * MM, 6.2 * MM
"""So high is a box that takes a number from a pen with ease, and so high one that it can just be written in."""
_A4_HEIGHT_UM = 297_000


@dataclass(frozen=True)
class Style:
    """Sizes of letters: `text` for all that is read, `row` for the names of rows; `face` is that of heads and rows.

    A row of boxes is at least `lowest` and at most `highest` high, one of boxes to tick is `tick` high, a `line` to
    write on takes so much. `compact` sheets have a short heading, and `brief` ones say in their columns' short words
    what counts. `long` ones go on over several pages if need be. `columns` are those of the panels; sheets without
    `panels` have the reminder in their place, and those without `purpose` do not say it. So much `air` is below a short
    heading, and above the first row and the total; with any, names are repeated at the head of a further page,
    and titles and names are no Markdown.
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
    air: float = 0.0
    grown: float = 0.0

    @property
    def row_height(self) -> float:
        """How high a row of boxes is now, between the lowest and the highest."""
        return self.lowest + max(0.0, self.highest - self.lowest) * self.grown


def style_of(theme: look.Theme, tall: int, *, quarter: bool) -> Style:
    """The style of a sheet on a page that is `tall` micrometres high: on a large one rows may be higher.

    A sheet may have only a `quarter` of the page.
    """
    if quarter:
        sizes = 17, 10, theme.min_text_size, 12, 10.5, 6.4 * MM, 17 * MM, 6 * MM, 6.2 * MM, 2.2 * MM
        return Style(*sizes, look.BOLD, compact=True, brief=True, purpose=False, panels=False)
    grown = MM * max(1.0, tall / _A4_HEIGHT_UM)
    if theme.large:
        sizes = 34, 20, 16, 19, 16, 16 * MM, 28 * grown, 10 * MM, 12 * MM, 4 * MM
        return Style(*sizes, long=True, columns=1, brief=True)
    sizes = 30, 13, theme.min_text_size, 14, 10.5, WRITABLE_HEIGHT_PT + 0.8 * MM, 22 * grown, 6 * MM, 7.5 * MM, 3.2 * MM
    return Style(*sizes, long=theme.easy_read)


_MAX_NUMBER_SIZE_PT = 19.0
_TWO_LINES_HEIGHT_FACTOR = 2.5
"""So many times as high as its letters is a box in which words may take two lines."""
_MIN_NAME_WIDTH_PT = 60.0
"""In a box narrower than this most names need several lines."""
_MIN_NAME_SIZE_PT, _MAX_NAME_SIZE_PT = 10.0, 15.0
ITEM_GAP_PT = 4 * MM
"""Between items in a row."""
_LINE_BASELINE_OFFSET_PT, _TICK_BASELINE_OFFSET_PT = 3.0, 7.0
"""Below the words of a line to write on, and below those of boxes to tick and of their title."""

_KINDS: Mapping[str, Any] = {"choice": "choice", "tick": "check"}
"""The kinds of fields that are no texts."""
Place = tuple[float, float, float, float]
"""x, y, width and height in points."""


class WordTooLongError(InvalidError):
    """A `word` that is wider than its place."""

    def __init__(self, word: str) -> None:
        hint = "Use a shorter word or fewer columns, or choose a larger paper or another layout."
        super().__init__(f"'{word}' is too long for its place on the score sheet.", hint=hint)
        self.word = word


class SheetPainter:
    """Draws on `document` in a style. `values` are what is filled in already, by the fields' names."""

    def __init__(self, document: Document, style: Style, values: Mapping[str, str]) -> None:
        self.document, self.glyphs, self.canvas = document, document.glyphs, document.canvas
        self.style, self.values = style, values

    def words(self, text: str, face: str, size: float, width: float, tag: Tag, **style: Any) -> Any:
        """A paragraph of Markdown for a place that is `width` points wide; `style` is as ReportLab has it.

        A word that is wider than that is a TooLong, unless it `breaks`. What is `plain` is no Markdown.
        """
        plain = style.pop("plain", False)
        for word in () if style.pop("breaks", False) else (text if plain else text.replace("*", "")).split():
            if self.glyphs.measure_width(word, face, size) > width + 0.01:
                raise WordTooLongError(word)
        blocks = parse(escape_markdown(text) if plain else text).children
        nodes = [child for block in blocks for child in block.children]
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
            size = min(_MAX_NUMBER_SIZE_PT, height * 0.6) if is_number else size
            # the zero of the face for numbers has no stroke; large print wears the plainest face everywhere
            face = look.TITLE_BOLD if is_number and not self.glyphs.theme.large else look.BOX
            align = "left" if box.kind == "words" and not middle else "center"
            field = self.field(box, (x + 1, y + 1, width - 2, height - 2), size, align=align, face=face)
            field = replace(field, lines=self._has_several_lines(box, field))
        self.document.add_field(field, tag=tag)

    def field(self, box: SheetBox, place: Place, size: float, **looks: Any) -> Field:
        """A field at a place from where the pen stands, with what is filled in."""
        label, value, size = box.player.who + box.label, self.values.get(box.field, ""), max(size, self.style.text)
        return Field(box.field, _KINDS.get(box.kind, "text"), place, label, value, box.options, size, **looks)

    def _has_several_lines(self, box: SheetBox, field: Field) -> bool:
        """Whether several lines may be typed in: viewers begin these at the top, and centre a single one.

        So it is for a name only where it has no room on one, or hardly any does.
        """
        if box.kind != "words" or field.box[3] < _TWO_LINES_HEIGHT_FACTOR * field.size:
            return False
        if not field.value:
            return field.box[2] < _MIN_NAME_WIDTH_PT or not box.name
        return count_lines(field.value, look.BOX, field.size, field.box[2], self.glyphs) > 1

    def label(self, words: str) -> float:
        """The width of the label of a line."""
        return self.glyphs.measure_width(words, look.BOX_BOLD, self.style.text)

    @property
    def side(self) -> float:
        """The side of a box to tick before its words."""
        return 3.4 * MM * self.style.text / 10

    def tick_width(self, words: str) -> float:
        """The width of a box to tick and of the words behind it."""
        return self.side + 4 + self.glyphs.measure_width(words, look.TEXT, self.style.text + 1)

    def name_size(self, boxes: Sequence[SheetBox], width: float) -> float:
        """One size for all these names: as large as lets each stand on one line, and never small."""
        names = [self.values.get(box.field, "") for box in boxes]
        widest = max((self.glyphs.measure_width(name, look.BOX, 1.0) for name in names), default=0.0)
        usual = _MAX_NAME_SIZE_PT if width >= _MIN_NAME_WIDTH_PT else _MIN_NAME_SIZE_PT
        return max(_MIN_NAME_SIZE_PT, min(_MAX_NAME_SIZE_PT, (width - 6) / widest) if widest else usual)


class BoxFlowable(Flowable):  # type: ignore[misc]
    """A box that fills its place in a table, at least `least` points high.

    Drawn once more, at the head of the next page, there are the words `again`: a field is there once.
    """

    def __init__(
        self, pen: SheetPainter, box: SheetBox, tag: Tag, *, minimum: float, again: Any = None, **letters: Any
    ) -> None:
        super().__init__()
        self.pen, self.box, self.tag, self.least, self.letters = pen, box, tag, minimum, letters
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
        aside, above = min(3 * MM, width * 0.06), min(1.4 * MM, max(0.4 * MM, (height - WRITABLE_HEIGHT_PT) / 2))
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


def item_rows(
    pen: SheetPainter, groups: Iterable[Sequence[Item]], width: float, step: float, gap: float = 0.0
) -> Iterator[Any]:
    """Items side by side, in as many rows as they need, `step` points high, with a `gap` below the last one.

    Those of a group are together where one row has room for them.
    """
    rows: list[list[Item]] = []
    left = -1.0
    for group in groups:
        for number, item in enumerate(group):
            rest = sum(later_item.need for later_item in group[number:])
            if left < 0 or (rest if rest <= width else item.need) > left + ITEM_GAP_PT:
                rows.append([])
                left = width
            rows[-1].append(item)
            left -= item.need
    for row in rows:
        spare, shares = width + ITEM_GAP_PT - sum(item.need for item in row), max(1, sum(item.share for item in row))
        widths = [item.need + spare * item.share / shares for item in row]
        items = zip(row, widths, strict=True)
        drawn = [DrawingFlowable(wide, step, partial(_draw, pen, item, wide)) for item, wide in items]
        below = gap if row is rows[-1] else 0.0
        yield Table([drawn], widths, step, style=padding_commands(0, 0, 0), hAlign="LEFT", spaceAfter=below)


def _draw(pen: SheetPainter, item: Item, width: float) -> None:
    size, box = pen.style.text, item.box
    if box and box.kind == "tick":
        pen.box(box, (0, _TICK_BASELINE_OFFSET_PT - 1.6, pen.side, pen.side), item.held)
        words = pen.glyphs.shorten(item.words, look.TEXT, size + 1, width - pen.side - 4)
        pen.document.write(words, pen.side + 4, _TICK_BASELINE_OFFSET_PT, look.TEXT, size + 1, tag=item.tag)
        return
    y = _LINE_BASELINE_OFFSET_PT if box else _TICK_BASELINE_OFFSET_PT
    pen.document.write(item.words, 0, y, look.BOX_BOLD, size, colour=look.ACCENT, tag=item.tag)
    if box:
        x, high, large = pen.label(item.words) + 5, pen.style.line - 3, max(13, size)
        pen.canvas.pen(look.INK, 0.6)
        pen.canvas.line(x, y - 2.5, width - ITEM_GAP_PT, y - 2.5)
        # viewers centre what is typed: so it stands on the line as its label does
        field = pen.field(box, (x, y - high / 2 + large / 3 + 1, width - ITEM_GAP_PT - x, high), large, align="left")
        pen.document.add_field(field, tag=item.held)


_CELL_PADDING_PT = 6.0
_MAX_LABEL_SHARE = 0.45
_AROUND = {"leftIndent": 3, "rightIndent": 3, "spaceAfter": 3}
_MIN_COLUMN_WIDTH_FACTOR = 2.0
"""A column is at least so many times as wide as the size of its letters."""


class CellLook(NamedTuple):
    """How the words of a cell look, and the scope of what they are the heading of, "" for no heading.

    Their `size` is that of the style with this name, and their face, too, if it is "". White is at their `left` and
    `above` them.
    """

    face: str
    colour: str
    left: float
    above: float
    size: str = "text"
    scope: str = "Row"


_LOOKS = {
    "head": CellLook("", look.ON_HEAD, 2, 3, "head", scope="Column"),
    "title": CellLook("", look.ACCENT, _CELL_PADDING_PT, 2, "row"),
    "total": CellLook("", look.ACCENT, _CELL_PADDING_PT, 2, "row"),
    "name": CellLook(look.TEXT, look.INK, 0, 1),
    "aside": CellLook(look.ITALIC, look.MUTED, 5, 2, scope=""),
}


class TableMaker:
    """Makes the table of a sheet, `width` points wide; its tags go under `tag`."""

    def __init__(self, pen: SheetPainter, parts: SheetParts, width: float, tag: Tag) -> None:
        self.pen, self.style, self.parts, self.tag = pen, pen.style, parts, tag
        every = [cell for line in parts.table for cell in line if cell]
        self.sign = self.style.row * 1.9 + _CELL_PADDING_PT if any(cell.icon for cell in every) else 0.0
        name_widths = [self._text_width(cell) + _CELL_PADDING_PT for cell in every if cell.look == "name"]
        part = min(max(name_widths, default=0.0), width * 0.2)
        titles = [cell for cell in every if cell.look in ("title", "total")]
        min_label_widths = [width * (0.24 * bool(cell.hint) + 0.22 * bool(cell.box)) for cell in titles]
        title_widths = [self._text_width(cell) + _CELL_PADDING_PT + 1 for cell in (*titles, every[0])]
        label = max(*min_label_widths, *title_widths) + _CELL_PADDING_PT * 1.5
        leading = [min(label, width * _MAX_LABEL_SHARE - part), part][: len(parts.table[0]) - len(parts.shares)]
        self.columns = self._columns(width - sum(leading), parts.shares)
        self.widths = [*leading, *self.columns]
        heads = [cell.box for cell in every if cell.box and cell.look == "head"]
        self.letters = pen.name_size(heads, min(self.columns) * 0.88)
        self.rows, self.looks, self.groups = list[list[Any]](), padding_commands(0, 0, 0), 0
        self.hints: list[Any] = [""] * len(self.widths)

    def _text_width(self, cell: Cell) -> float:
        """The width of the words of a cell on one line, with a sign."""
        return self.pen.glyphs.measure_width(cell.words, *self._letters(cell)) + (self.sign if cell.icon else 0.0)

    def _letters(self, cell: Cell) -> tuple[str, float]:
        """The face of the words of a cell, and their size if there is room for it."""
        looks = _LOOKS[cell.look]
        return looks.face or self.style.face, getattr(self.style, looks.size)

    def _columns(self, room: float, shares: Sequence[int]) -> list[float]:
        """The widths of the columns of boxes.

        Raises InvalidError where columns are so narrow that hardly two digits have room.
        """
        unit, least = room / sum(shares), _MIN_COLUMN_WIDTH_FACTOR * self.style.text
        if min(shares) * unit < least:
            most = max(1, int(len(shares) * min(shares) * unit / least))
            hint = "Use fewer columns or shorter names of rows, or choose a larger paper."
            raise InvalidError(f"The score sheet has {len(shares)} columns, and at most {most} columns fit.", hint=hint)
        return [unit * share for share in shares]

    def make(self) -> Any:
        """The table; below the coloured bar of its heads stands what counts."""
        table = self.tag.add("Table")
        for line in self.parts.table:
            row = table.add("TR")
            self.rows.append([self._cell(cell, number, row) if cell else "" for number, cell in enumerate(line)])
            if len(self.rows) == 1 and any(self.hints):
                self.rows.append(self.hints)
        theme, gap, heads = self.pen.glyphs.theme, self.style.gap, 2 if any(self.hints) else 1
        self.looks += [("VALIGN", (0, 0), (-1, 0), "MIDDLE"), ("VALIGN", (0, heads), (-1, -1), "MIDDLE")]
        self.looks += [*head_commands(theme, 0.6), ("LEFTPADDING", (0, 0), (0, 0), _CELL_PADDING_PT)]
        airy = (heads, -1) if any(cell and cell.look == "total" for cell in self.parts.table[-1]) else (heads,)
        self.looks += [("TOPPADDING", (0, row), (-1, row), self.style.air) for row in airy if self.style.air]
        self.looks += [("LINEBELOW", (0, -1), (-1, -1), 1, theme.colour(look.ACCENT))]
        return Table(self.rows, self.widths, repeatRows=heads, style=self.looks, spaceBefore=gap * 0.4, spaceAfter=gap)

    def _cell(self, cell: Cell, column: int, row: Tag) -> Any:
        top, right, looks = len(self.rows), column + cell.columns, _LOOKS[cell.look]
        start, end, wide = (column, top), (right - 1, top + cell.rows - 1), sum(self.widths[column:right])
        tag = row.add("TH" if looks.scope else "TD", scope=looks.scope)
        tag.rows, tag.columns = cell.rows, cell.columns
        self.looks += [("SPAN", start, end), *self._ground(cell, top, end[1])]
        words = list(self._words(cell, column, wide, tag))
        if cell.box:
            return self._box(cell, cell.box, tag, words)
        above = 1.0 if self.style.air and looks.size == "row" else looks.above
        self.looks += padding_commands(looks.left, above, above, start, start)
        return self._add_suit_sign(cell, words, wide - 2 * looks.left) if cell.icon else words

    def _add_suit_sign(self, cell: Cell, words: list[Any], wide: float) -> Any:
        """Words behind the sign of a suit, or behind a letter where there is none."""
        theme, side = self.pen.glyphs.theme, min(self.sign - _CELL_PADDING_PT, self.style.row_height - 4)
        at: dict[str, Any] = {"x": 0, "y": 0, "size": side, "colour": theme.suit_role(cell.icon), "letter": cell.words}
        sign = DrawingFlowable(side, side, lambda: icons.draw_sign(self.pen.canvas, theme, cell.icon, **at))
        style = [*padding_commands(0, 0, 0), ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]
        return Table([[sign, words]], [self.sign, wide - self.sign], style=style)

    def _ground(self, cell: Cell, top: int, bottom: int) -> Iterator[tuple[Any, ...]]:
        """The ground of every other group, and the line above all but the first."""
        if cell.look not in ("title", "total"):
            return
        colour, is_total = self.pen.glyphs.theme.colour, cell.look == "total"
        if self.groups:
            line = (1.0, colour(look.ACCENT)) if is_total else (0.4, colour(look.LINE))
            yield "LINEABOVE", (0, top), (-1, top), *line
        if self.groups % 2 == 0 and not is_total:
            yield "BACKGROUND", (0, top), (-1, bottom), colour(look.PANEL)
        self.groups += 1

    def _words(self, cell: Cell, column: int, wide: float, tag: Tag) -> Iterator[Any]:
        """The words of a cell, as large as lets the longest fit, and its hint; below a head it has its own row."""
        looks, text, (face, size) = _LOOKS[cell.look], self.style.text, self._letters(cell)
        room, is_head = wide - 2 * looks.left - (self.sign if cell.icon else 0.0), cell.look == "head"
        style = {"once": is_head, "alignment": int(is_head and column >= len(self.widths) - len(self.columns))}
        if words := (self.style.air and cell.box and self.pen.values.get(cell.box.field)) or cell.words:
            colour = self.pen.glyphs.theme.suit_role(cell.icon) if cell.icon else looks.colour
            widest = max((self.pen.glyphs.measure_width(word, face, size) for word in words.split()), default=0.0)
            size = max(text, size * min(1.0, room / max(1.0, widest)))
            how = {"breaks": cell.look == "name" or bool(cell.box), "plain": bool(self.style.air)}
            yield self.pen.words(words, face, size, room, tag, textColor=colour, **style, **how)
        if cell.hint and is_head:
            self.hints[column] = [self.pen.words(cell.hint, look.TEXT, text, room - 2, tag, **style, **_AROUND)]
        elif cell.hint:
            yield self.pen.words(cell.hint, look.ITALIC, text, room, tag, textColor=look.MUTED)

    def _box(self, cell: Cell, box: SheetBox, tag: Tag, words: list[Any]) -> BoxFlowable:
        if cell.look == "head":
            lines = 3 if min(self.columns) < _MIN_NAME_WIDTH_PT else 2
            least = max(1.2 * lines * self.style.text + 9.5, WRITABLE_HEIGHT_PT + 5.1)
            return BoxFlowable(self.pen, box, tag, minimum=least, again=words[0], size=self.letters, middle=True)
        high = self.style.lowest if box.name else self.style.row_height
        return BoxFlowable(self.pen, box, tag, minimum=self.style.tick if box.kind == "tick" else high)
