"""The lower part of a score sheet: panels of explanation in two columns, lists to write in, and a short reminder."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.design import Listing, Panel
from vaultkit.sheets.scoresheets.heading import Solid
from vaultkit.sheets.scoresheets.pen import Pen
from vaultkit.sheets.scoresheets.style import MM

_CELL = 4.0
_BETWEEN = 9.0
_GUTTER = 6 * MM
_MANY = 14
"""Of more panels than this not every way to share them out is tried."""


class Panels(Solid):
    """Panels, shared out over `columns` so that all end at about the same level."""

    def __init__(self, pen: Pen, panels: Sequence[Panel], width: float, columns: int) -> None:
        self.pen, self.panels, self.width = pen, panels, width
        self.each = (width - _GUTTER * (columns - 1)) / columns
        drawn = [PanelBlock(pen, panel, self.each) for panel in panels]
        self.columns = [drawn] if columns == 1 else _shared_out(drawn)
        self.least = max(sum(panel.least for panel in column) for column in self.columns) + pen.style.gap / 2

    def split(self, room: float) -> "tuple[Panels, Panels] | None":
        """As many of the first panels as `room` holds, and the others."""
        for count in range(len(self.panels) - 1, 0, -1):
            first = Panels(self.pen, self.panels[:count], self.width, len(self.columns))
            if first.least <= room:
                return first, Panels(self.pen, self.panels[count:], self.width, len(self.columns))
        return None

    def paint(self, x: float, top: float, tag: Tag) -> None:
        for number, column in enumerate(self.columns):
            left, y = x + number * (self.each + _GUTTER), top - self.pen.style.gap / 2
            for panel in column:
                panel.paint(left, y, tag)
                y -= panel.least


class PanelBlock(Solid):
    """One panel."""

    def __init__(self, pen: Pen, panel: Panel, width: float) -> None:
        self.pen, self.panel, self.width = pen, panel, width

    @cached_property
    def least(self) -> float:  # type: ignore[override]
        """The height of its title and all its words."""
        words = [self._title, *self._before, *self._items, *self._after]
        return sum(tall for _, tall in words) + 9 + 2 * len(words) + sum(self._rows) + 6 * bool(self.panel.head)

    @cached_property
    def _title(self) -> tuple[Any, float]:
        size = max(11.0, self.pen.style.text)
        return self.pen.words(self.panel.title, look.TITLE_BOLD, size, self.width, textColor=look.ACCENT)

    def _text(self, text: str, **style: Any) -> tuple[Any, float]:
        return self.pen.words(
            text, look.TEXT, self.pen.style.text, self.width, leading=self.pen.style.leading + 0.4, **style
        )

    @cached_property
    def _before(self) -> list[tuple[Any, float]]:
        return [self._text(self.panel.text)] if self.panel.text else []

    @cached_property
    def _items(self) -> list[tuple[Any, float]]:
        return [self._text(item, leftIndent=self.pen.style.text * 0.9, bullet="•") for item in self.panel.items]

    @cached_property
    def _after(self) -> list[tuple[Any, float]]:
        return [self._text(text) for text in self.panel.after]

    @cached_property
    def _widths(self) -> list[float]:
        """Each column as wide as its longest cell, and the rest shared; if that is too much, in proportion."""
        lines, size, width = [self.panel.head, *self.panel.rows], self.pen.style.text, self.pen.glyphs.width
        wide = [max(width(line[n].replace("*", ""), look.BOLD, size) for line in lines) + _BETWEEN + _CELL
                for n in range(len(self.panel.head))]  # fmt: skip
        spare = self.width - sum(wide)
        if spare >= 0:
            return [one + spare / len(wide) for one in wide]
        floor = [max(width(w, look.BOLD, size) for line in lines for w in line[n].replace("*", "").split() or [""])
                 + _BETWEEN + _CELL for n in range(len(wide))]  # fmt: skip
        room = self.width - sum(floor)
        more = sum(a - b for a, b in zip(wide, floor, strict=True)) or 1.0
        return [b + (a - b) * max(room, 0) / more for a, b in zip(wide, floor, strict=True)]

    @cached_property
    def _cells(self) -> list[list[tuple[Any, float]]]:
        size, made = self.pen.style.text, []
        for number, line in enumerate([self.panel.head, *self.panel.rows] if self.panel.head else []):
            face, ink = (look.TEXT, look.INK) if number else (look.BOLD, look.ON_HEAD)
            made.append([
                self.pen.words(cell, face, size, width - _BETWEEN, textColor=ink)
                for cell, width in zip(line, self._widths, strict=True)
            ])  # fmt: skip
        return made

    @cached_property
    def _rows(self) -> list[float]:
        return [max(tall for _, tall in line) + 4.2 for line in self._cells]

    def paint(self, x: float, top: float, tag: Tag) -> None:
        """Title, paragraph, list, table, paragraphs."""
        y = self._put(self._title, x, top - 7, tag.add("H2"))
        for words in self._before:
            y = self._put(words, x, y, tag.add("P"))
        if self._items:
            listed = tag.add("L", numbering="Disc")
            for words in self._items:
                y = self._put_item(words, x, y, listed.add("LI"))
        if self._cells:
            y = self._draw_table(x, y - 2, tag.add("Table")) - 4
        for words in self._after:
            y = self._put(words, x, y, tag.add("P"))

    def _put(self, words: tuple[Any, float], x: float, top: float, tag: Tag) -> float:
        self.pen.put(words[0], x, top - words[1], tag)
        return top - words[1] - 2

    def _put_item(self, words: tuple[Any, float], x: float, top: float, item: Tag) -> float:
        """The same for a paragraph with a bullet, which is the item's label."""
        words[0].label, words[0].tag = item.add("Lbl"), item.add("LBody")
        words[0].drawOn(self.pen.canvas, x, top - words[1])
        return top - words[1] - 2

    def _draw_table(self, x: float, y: float, table: Tag) -> float:
        for number, (line, tall) in enumerate(zip(self._cells, self._rows, strict=True)):
            stripe = look.PAPER if number % 2 else look.PANEL
            ground = stripe if number else look.HEAD
            self.pen.fill(ground, x, y - tall, self.width, tall, outline="" if number else look.HEAD_LINE)
            self.pen.rule(look.LINE, x, y - tall, x + self.width, 0.4)
            row, left = table.add("TR"), x + _CELL
            for (words, high), width in zip(line, self._widths, strict=True):
                cell = row.add("TD") if number else row.add("TH", scope="Column")
                self.pen.put(words, left, y - (tall + high) / 2 - 0.6, cell)
                left += width
            y -= tall
        return y


class Reminder(Solid):
    """One paragraph in the place of the panels, or below them."""

    def __init__(self, pen: Pen, text: str, width: float, *, colour: str = look.INK) -> None:
        self.pen = pen
        style = {"leading": pen.style.leading, "textColor": colour}
        self.words, tall = pen.words(text, look.TEXT, pen.style.text, width, **style)
        self.least = tall + 2

    def paint(self, x: float, top: float, tag: Tag) -> None:
        self.pen.put(self.words, x, top - self.least, tag.add("P"))


class Lined:
    """A titled list of numbered lines to write on."""

    def __init__(self, pen: Pen, listing: Listing, width: float, prefix: str, who: str) -> None:
        self.pen, self.listing, self.width, self.prefix, self.who = pen, listing, width, prefix, who
        self.columns = 1 if pen.style.columns == 1 else listing.columns
        self.rows = -(-listing.count // self.columns)
        self.head = PanelBlock(pen, Panel(listing.title, listing.how), width)

    @property
    def least(self) -> float:
        """All lines as close as they may be."""
        return self.head.least + self.rows * self.pen.style.line + self.pen.style.gap

    @property
    def most(self) -> float:
        """All lines with ample room."""
        return self.head.least + self.rows * self.pen.style.line * 1.45 + self.pen.style.gap

    def split(self, room: float) -> None:
        """Nothing: a list stays in one piece."""

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:
        """Title, words, and the lines, numbered down the columns."""
        gap = self.pen.style.gap / 2
        self.head.paint(x, top - gap, tag)
        step = (height - self.head.least - 2 * gap) / self.rows
        width = (self.width - _GUTTER * (self.columns - 1)) / self.columns
        listed, size = tag.add("L", numbering="Decimal"), self.pen.style.text
        for number in range(self.listing.count):
            column, row = divmod(number, self.rows)
            left, y = x + column * (width + _GUTTER), top - gap - self.head.least - (row + 1) * step + 3
            item = listed.add("LI")
            self.pen.document.write(
                f"{number + 1}", left, y, look.BOLD, size, colour=look.ACCENT, tag=item.add("Lbl")
            )  # fmt: skip
            name, tip = f"{self.prefix}{self.listing.id}.{number + 1}", f"{self.who}{self.listing.title} {number + 1}"
            self.pen.line(name, tip, (left + size * 1.6, y, width - size * 1.6), item.add("LBody"))


def _shared_out(panels: list[PanelBlock]) -> list[list[PanelBlock]]:
    """Two columns of heights as even as can be; each keeps the panels' order, and the first panel is in the first."""

    def columns(bits: int) -> list[list[PanelBlock]]:
        return [[one for n, one in enumerate(panels) if bits >> n & 1 == side] for side in (0, 1)]

    def taller(bits: int) -> float:
        return max(sum(one.least for one in column) for column in columns(bits))

    if len(panels) > _MANY:
        return [panels[::2], panels[1::2]]
    return columns(min(range(0, 1 << len(panels), 2), key=taller))
