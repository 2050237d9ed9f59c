"""The blocks of a score sheet, from its title down to its panels."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from vaultkit.errors import InvalidError
from vaultkit.games.definition import Explanation
from vaultkit.look import icons
from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import ReadingPlan, points
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.qr import Code
from vaultkit.sheets.scoresheets.design import ScoreDesign, Ticks
from vaultkit.sheets.scoresheets.parts import Cell, SheetBox, SheetParts
from vaultkit.sheets.scoresheets.pen import BETWEEN, MM, WRITABLE, BoxFlowable, Drawn, Item, Pen, arrange, row_table
from vaultkit.sheets.text.blocks import Block
from vaultkit.sheets.text.builder import TextBuilder
from vaultkit.sheets.text.flowables import Table, TableStyle
from vaultkit.sheets.text.inline import Inline
from vaultkit.sheets.text.paragraphs import Setting
from vaultkit.sheets.text.tables import head_row, white_around
from vaultkit.vault.markdown import parse

_SHARE = 2.8
"""The least room for writing, in widths of a letter for each share."""
_SIGN, _STEP = 5 * MM, 8.5 * MM


class SheetBlocks:
    """Makes the blocks of one sheet of a design, for the body of a plan; their tags go under one of their own."""

    def __init__(self, pen: Pen, design: ScoreDesign, plan: ReadingPlan) -> None:
        self.pen, self.style, self.design, self.tag = pen, pen.style, design, Tag("Sect")
        self.width, self.column = points(plan.body.width), points(plan.column_width)
        self.made: list[Block] = []

    def _add(self, flowable: Any) -> None:
        self.made.append(Block(flowable, span=True, structure=self.tag))

    def heading(self, code: Code | None) -> None:
        """Title, subtitle, the signs of the suits on a rule, and one sentence about the sheet; the code beside them."""
        design, style, full = self.design, self.style, not self.style.compact
        side = points(code.side) if code else 0.0
        width, aside = self.width - 2 * side, 0.08 * (self.width - 2 * side)
        made: list[Any] = []

        def write(kind: str, text: str, face: str, size: float, **looks: Any) -> None:
            if text:
                looks |= {"alignment": 1, "spaceAfter": 3 * full}
                made.append(self.pen.words(text, face, size, width, self.tag.add(kind), **looks))

        write("H1", design.title, look.TITLE_BOLD, style.title, leading=style.title * 1.12, textColor=look.ACCENT)
        write("P", design.subtitle * full, look.TITLE, style.subtitle, leading=style.subtitle * 1.12)
        signs = design.icons if full else ()
        made.append(Drawn(width, (7 if signs else 2) * MM, lambda: self._rule(signs, width)))
        purpose, looks = design.purpose * style.purpose, {"leftIndent": aside, "rightIndent": aside}
        write("P", purpose, look.ITALIC, max(11, style.text), textColor=look.MUTED, **looks)
        beside = Drawn(side, side, lambda: code.draw(self.pen.document, 0, 0, self.tag)) if code else ""
        self._add(Table([["", made, beside]], [side, width, side], style=TableStyle(white_around(0, 0, 0))))

    def _rule(self, signs: Sequence[str], width: float) -> None:
        """Draws the signs of suits on a golden rule, or the rule alone."""
        canvas, theme, middle, level = self.pen.canvas, self.pen.glyphs.theme, width / 2, 3.5 * MM if signs else 2 * MM
        first = middle - _STEP * (len(signs) - 1) / 2
        half = middle - first + 7 * MM if signs else 0.0
        canvas.pen(look.GOLD, 0.8)
        canvas.lines([(0, level, middle - half, level), (middle + half, level, width, level)])
        for number, name in enumerate(signs):
            at = {"x": first + number * _STEP - _SIGN / 2, "y": level - _SIGN / 2, "size": _SIGN}
            icons.draw_sign(canvas, theme, name, **at, colour=theme.suit(name), letter=name)

    def body(self, parts: SheetParts) -> None:
        """The lines and boxes about the game, the table, and the lists."""
        gap = 1.2 * self.style.gap
        made = []
        for line, box in parts.lines:
            tag, need = self.tag.add("P"), self.pen.label(line.title) + (_SHARE * line.share + 1) * self.style.text
            made.append(Item(line.title, box, tag, tag, need, line.share))
        self._rows([made], self.style.line, gap)
        self._rows([self._ticks(*group) for group in parts.ticks], self.style.text + 8)
        self._add(TableMaker(self.pen, parts, self.width, self.tag).make())
        for listing, boxes in parts.lists:
            self.text(Explanation(listing.title, listing.how), wide=True)
            need = (self.width + BETWEEN) / (listing.columns if self.style.columns > 1 else 1)
            held, items = self.tag.add("L", numbering="Decimal"), []
            for number, box in enumerate(boxes, 1):
                tag = held.add("LI")
                items.append([Item(f"{number}", box, tag.add("Lbl"), tag.add("LBody"), need)])
            self._rows(items, self.style.listed, gap)

    def _rows(self, groups: Sequence[Sequence[Item]], step: float, gap: float = 0.0) -> None:
        rows = arrange(groups, self.width)
        for row in rows:
            self._add(row_table(self.pen, row, self.width, step, gap if row is rows[-1] else 0.0))

    def _ticks(self, group: Ticks, boxes: Sequence[SheetBox]) -> list[Item]:
        """A title, and boxes with their words."""
        tag, options = self.tag.add("P"), zip(group.options.values(), boxes, strict=True)
        ticks = [Item(words, box, tag, tag, self.pen.ticked(words) + BETWEEN) for words, box in options]
        return [Item(group.title, None, tag, tag, self.pen.label(group.title) + BETWEEN), *ticks]

    def text(self, panel: Explanation | str, *, wide: bool = False) -> None:
        """Words in Markdown, set as a note is."""
        size, width = self.style.text, self.width if wide else self.column
        setting = Setting(Inline(self.pen.glyphs, live=False, size=size), width, width, width, size, pictures=False)
        words = panel if isinstance(panel, str) else _markdown(panel)
        self.made += [block.spanning(wide) for block in TextBuilder(setting, self.tag).build(parse(words))]


def _markdown(panel: Explanation) -> str:
    """A panel as a note: a heading, a paragraph, a list, a table, and paragraphs."""
    items = "\n".join(f"- {item}" for item in panel.items)
    rows = [panel.head, ("---",) * len(panel.head), *panel.rows] if panel.head else []
    table = "\n".join(f"|{'|'.join(cell.replace('|', '&#124;') for cell in row)}|" for row in rows)
    return "\n\n".join(filter(None, (f"### {panel.title}", panel.text, items, table, *panel.after)))


_PAD = 6.0
_MOST_LABEL = 0.45
_AROUND = {"leftIndent": 3, "rightIndent": 3, "spaceAfter": 3}
_NARROW = 60.0
"""In a box narrower than this a name takes three lines."""
_DIGITS = 2.0
"""A column is at least so many times as wide as the size of its letters."""


class Look(NamedTuple):
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
    "head": Look("", look.ON_HEAD, 2, 3, "head", scope="Column"),
    "title": Look("", look.ACCENT, _PAD, 2, "row"),
    "total": Look("", look.ACCENT, _PAD, 2, "row"),
    "name": Look(look.TEXT, look.INK, 0, 1),
    "aside": Look(look.ITALIC, look.MUTED, 5, 2, scope=""),
}


class TableMaker:
    """Makes the table of a sheet, `width` points wide; its tags go under `tag`."""

    def __init__(self, pen: Pen, parts: SheetParts, width: float, tag: Tag) -> None:
        self.pen, self.style, self.parts, self.tag = pen, pen.style, parts, tag
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
        self.letters = pen.name_size(heads, min(self.columns) * 0.88)
        self.rows: list[list[Any]] = []
        self.hints: list[Any] = [""] * len(self.widths)
        self.looks = white_around(0, 0, 0)
        self.groups = 0

    def _wide(self, cell: Cell) -> float:
        """The width of the words of a cell on one line, with a sign."""
        return self.pen.glyphs.width(cell.words, *self._letters(cell)) + (self.sign if cell.icon else 0.0)

    def _letters(self, cell: Cell) -> tuple[str, float]:
        """The face of the words of a cell, and their size if there is room for it."""
        looks = _LOOKS[cell.look]
        return looks.face or self.style.face, getattr(self.style, looks.size)

    def _columns(self, room: float, shares: Sequence[int]) -> list[float]:
        """The widths of the columns of boxes.

        Raises InvalidError where columns are so narrow that hardly two digits have room.
        """
        unit, least = room / sum(shares), _DIGITS * self.style.text
        if min(shares) * unit < least:
            most = max(1, int(len(shares) * min(shares) * unit / least))
            hint = "Use fewer columns or shorter names of rows, or choose a larger paper."
            raise InvalidError(f"The score sheet has {len(shares)} columns, and at most {most} columns fit.", hint=hint)
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
        self.looks += [("VALIGN", (0, 0), (-1, 0), "MIDDLE"), ("VALIGN", (0, heads), (-1, -1), "MIDDLE")]
        self.looks += [*head_row(theme, 0.6), ("LEFTPADDING", (0, 0), (0, 0), _PAD)]
        self.looks += [("LINEBELOW", (0, -1), (-1, -1), 1, theme.colour(look.ACCENT))]
        made = Table(self.rows, self.widths, repeatRows=heads, style=self.looks)
        made.spaceBefore, made.spaceAfter = self.style.gap * 0.4, self.style.gap
        return made

    def _cell(self, cell: Cell, column: int, row: Tag) -> Any:
        top, right, looks = len(self.rows), column + cell.columns, _LOOKS[cell.look]
        start, end, wide = (column, top), (right - 1, top + cell.rows - 1), sum(self.widths[column:right])
        tag = row.add("TH" if looks.scope else "TD", scope=looks.scope)
        tag.rows, tag.columns = cell.rows, cell.columns
        self.looks += [("SPAN", start, end), *self._ground(cell, top, end[1])]
        words = list(self._words(cell, column, wide, tag))
        if cell.box:
            return self._box(cell, cell.box, tag, words)
        self.looks += white_around(looks.left, looks.above, looks.above, start, start)
        return self._signed(cell, words, wide - 2 * looks.left) if cell.icon else words

    def _signed(self, cell: Cell, words: list[Any], wide: float) -> Any:
        """Words behind the sign of a suit, or behind a letter where there is none."""
        theme, side = self.pen.glyphs.theme, min(self.sign - _PAD, self.style.high - 4)
        at: dict[str, Any] = {"x": 0, "y": 0, "size": side, "colour": theme.suit(cell.icon), "letter": cell.words}
        sign = Drawn(side, side, lambda: icons.draw_sign(self.pen.canvas, theme, cell.icon, **at))
        style = [*white_around(0, 0, 0), ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]
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
