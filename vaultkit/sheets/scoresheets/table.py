"""The table of boxes, as a table of ReportLab's."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from vaultkit.errors import InvalidError
from vaultkit.look import icons
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.parts import Cell, SheetBox, SheetParts
from vaultkit.sheets.scoresheets.pen import WRITABLE, BoxFlowable, Pen
from vaultkit.sheets.text.flowables import Flowable, Table
from vaultkit.sheets.text.tables import head_row, white_around

_PAD = 6.0
_MOST_LABEL = 0.45
_AROUND = {"leftIndent": 3, "rightIndent": 3, "spaceAfter": 3}
_NARROW = 60.0
"""In a box narrower than this a name takes three lines."""
_DIGITS = 2.0
"""A column is at least so many times as wide as the size of its letters."""


class Look(NamedTuple):
    """How the words of a cell look, with white at their left and above them, and the kind and scope of their tag."""

    face: str
    colour: str
    left: float
    above: float
    kind: str = "TH"
    scope: str = "Row"


_LOOKS = {
    "head": Look("", look.ON_HEAD, 2, 3, scope="Column"),
    "title": Look("", look.ACCENT, _PAD, 2),
    "total": Look("", look.ACCENT, _PAD, 2),
    "name": Look(look.TEXT, look.INK, 0, 1),
    "aside": Look(look.ITALIC, look.MUTED, 5, 2, "TD", ""),
}


class Signed(Flowable):  # type: ignore[misc]
    """Words behind the sign of a suit, or behind a letter where there is none."""

    def __init__(self, pen: Pen, cell: Cell, words: Sequence[Any], start: float) -> None:
        super().__init__()
        self.pen, self.cell, self.words, self.start = pen, cell, words, start

    def wrap(self, wide: float, high: float) -> tuple[float, float]:
        """All of its width, and the height of its words."""
        self.heights = [one.wrapOn(None, wide - self.start, high)[1] for one in self.words]
        self.width, self.height, self.side = wide, sum(self.heights), min(self.start - _PAD, high)
        return self.width, self.height

    def draw(self) -> None:
        """Draws the sign, and the words one below the other."""
        theme, y, icon = self.pen.glyphs.theme, self.height, self.cell.icon
        at = {"x": (self.start - _PAD - self.side) / 2, "y": (self.height - self.side) / 2, "size": self.side}
        icons.draw_sign(self.canv, theme, icon, **at, colour=theme.suit(icon), letter=self.cell.words)
        for one, high in zip(self.words, self.heights, strict=True):
            y -= high
            one.drawOn(self.canv, self.start, y)


class TableMaker:
    """Makes the table of a sheet, `width` points wide; its tags go under `tag`."""

    def __init__(self, pen: Pen, parts: SheetParts, width: float, tag: Tag) -> None:
        self.pen, self.style, self.parts, self.tag = pen, pen.style, parts, tag
        self.sizes = {"head": pen.style.head, "title": pen.style.row, "total": pen.style.row}
        every = [cell for line in parts.table for cell in line if cell]
        self.sign = self.style.row * 1.9 + _PAD if any(cell.icon for cell in every) else 0.0
        part = min(max((self._wide(cell) + _PAD for cell in every if cell.look == "name"), default=0.0), width * 0.2)
        titles = [cell for cell in every if cell.look in ("title", "total")]
        asked = [width * (0.24 * bool(cell.hint) + 0.22 * bool(cell.box)) for cell in titles]
        label = max(*asked, *(self._wide(cell) + _PAD + 1 for cell in (*titles, every[0]))) + _PAD * 1.5
        leading = [min(label, width * _MOST_LABEL - part), part][: len(parts.table[0]) - len(parts.shares)]
        self.columns = self._columns(width - sum(leading), parts.shares)
        self.widths = [*leading, *self.columns]
        heads = [cell.box for cell in every if cell.box and cell.look == "head"]
        self.letters = pen.name_size(heads, min(self.columns) * 0.88) if heads else 0.0
        self.rows: list[list[Any]] = []
        self.hints: list[Any] = [""] * len(self.widths)
        self.looks = white_around(0, 0, 0)
        self.groups = 0

    def _wide(self, cell: Cell) -> float:
        """The width of the words of a cell on one line, with a sign."""
        face, size = _LOOKS[cell.look].face or self.style.face, self.sizes.get(cell.look, self.style.text)
        return self.pen.glyphs.width(cell.words, face, size) + (self.sign if cell.icon else 0.0)

    def _columns(self, room: float, shares: Sequence[int]) -> list[float]:
        """The widths of the columns of boxes.

        Raises InvalidError where columns are so narrow that hardly two digits have room.
        """
        unit, least = room / sum(shares), _DIGITS * self.style.text
        if min(shares) * unit < least:
            most = max(1, int(len(shares) * min(shares) * unit / least))
            raise InvalidError(
                f"The score sheet has {len(shares)} columns, and at most {most} columns fit.",
                hint="Use fewer columns or shorter names of rows, or choose a larger paper.",
            )
        return [unit * share for share in shares]

    def make(self) -> Any:
        """The table; below the coloured bar of its heads stands what counts."""
        table, heads = self.tag.add("Table"), 1
        for line in self.parts.table:
            row = table.add("TR")
            self.rows.append([self._cell(cell, number, row) if cell else "" for number, cell in enumerate(line)])
            if len(self.rows) == 1 and any(self.hints):
                self.rows.append(self.hints)
                heads = 2
        theme = self.pen.glyphs.theme
        self.looks += [
            ("LEFTPADDING", (0, 0), (0, 0), _PAD),
            ("VALIGN", (0, 0), (-1, 0), "MIDDLE"),
            ("VALIGN", (0, heads), (-1, -1), "MIDDLE"),
        ]
        self.looks += [*head_row(theme, 0.6), ("LINEBELOW", (0, -1), (-1, -1), 1, theme.colour(look.ACCENT))]
        made = Table(self.rows, self.widths, repeatRows=heads, style=self.looks)
        made.spaceBefore, made.spaceAfter = self.style.gap * 0.4, self.style.gap
        return made

    def _cell(self, cell: Cell, column: int, row: Tag) -> Any:
        top, right, looks = len(self.rows), column + cell.columns, _LOOKS[cell.look]
        start, end = (column, top), (right - 1, top + cell.rows - 1)
        tag = row.add(looks.kind, scope=looks.scope)
        tag.rows, tag.columns = cell.rows, cell.columns
        self.looks += [("SPAN", start, end), *self._ground(cell, top, end[1])]
        words = list(self._words(cell, column, sum(self.widths[column:right]), tag))
        if cell.box:
            return self._box(cell, cell.box, tag, words)
        white = {"LEFT": looks.left, "RIGHT": looks.left, "TOP": looks.above, "BOTTOM": looks.above}
        self.looks += [(f"{side}PADDING", start, start, points) for side, points in white.items()]
        return Signed(self.pen, cell, words, self.sign) if cell.icon else words

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
        looks, text, size = _LOOKS[cell.look], self.style.text, self.sizes.get(cell.look, self.style.text)
        room, face = wide - 2 * looks.left - (self.sign if cell.icon else 0.0), looks.face or self.style.face
        is_head = cell.look == "head"
        style = {"once": is_head, "alignment": int(is_head and column >= len(self.widths) - len(self.columns))}
        if cell.words:
            colour = self.pen.glyphs.theme.suit(cell.icon) if cell.icon else looks.colour
            widest = max(self.pen.glyphs.width(word, face, size) for word in cell.words.split())
            size = max(text, size * min(1.0, room / widest))
            yield self.pen.words(cell.words, face, size, room, tag, textColor=colour, **style)
        if cell.hint and is_head:
            self.hints[column] = [self.pen.words(cell.hint, look.TEXT, text, room - 2, tag, **style, **_AROUND)]
        elif cell.hint:
            yield self.pen.words(cell.hint, look.ITALIC, text, room, tag, textColor=look.MUTED)

    def _box(self, cell: Cell, box: SheetBox, tag: Tag, words: list[Any]) -> BoxFlowable:
        if cell.look == "head":
            lines = 3 if min(self.columns) < _NARROW else 2
            least = max(1.2 * lines * self.style.text + 9.5, WRITABLE + 5.1)
            return BoxFlowable(self.pen, box, tag, least=least, again=words[0], size=self.letters, middle=True)
        if box.kind == "tick":
            return BoxFlowable(self.pen, box, tag, least=self.style.tick)
        return BoxFlowable(self.pen, box, tag, least=self.style.lowest if box.name else self.style.high)
