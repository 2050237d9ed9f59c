"""Draws a table of boxes. The rows take what room there is, between a lowest and a highest height."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Self

from vaultkit.errors import InvalidError
from vaultkit.look import icons
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.flow import ScoreBlock
from vaultkit.sheets.scoresheets.parts import Cell, Grid, Group, Head, SheetBox
from vaultkit.sheets.scoresheets.pen import Pen, Place, Words
from vaultkit.sheets.scoresheets.style import MM, WRITABLE

_PAD = 6.0
_MOST_LABEL = 0.45
_NARROW = 60.0
"""In a box narrower than this a name takes three lines."""
_DIGITS = 2.0
"""A column is at least so many times as wide as the size of its letters."""


class Table(ScoreBlock):
    """A block with the table `grid`, `width` points wide."""

    def __init__(self, pen: Pen, grid: Grid, width: float) -> None:
        super().__init__(pen, width)
        self.grid, self.face = grid, self.style.face
        self.icon = self.style.row * 1.9 if any(group.icon for group in grid.groups) else 0.0
        names = [name for group in grid.groups for name, _ in group.lines if name]
        widest = max((pen.glyphs.width(name, look.TEXT, self.style.text) for name in names), default=0.0)
        self.part = min(widest + _PAD, width * 0.2) if names else 0.0
        """The width of the names of the lines in a group."""
        self.label = self._label()
        self.columns = self._columns()
        self.heads = [self._head(head, wide) for head, (_, wide) in zip(grid.heads, self.columns, strict=True)]
        boxes = [self._head_box(head.box) for head in grid.heads if head.box]
        self.bar = max([*boxes, *(6 + title.tall for title, _ in self.heads)])
        """The height of the coloured bar of heads."""
        self.how = max((how.tall + 5 for _, how in self.heads if how.tall), default=0.0)
        self.titles = [self._title_of(group) for group in grid.groups]
        self.names = [[self._name(name) for name, _ in group.lines] for group in grid.groups]
        self.lows = self._lowest()
        self.fixed = self.bar + self.how + 2 * self.style.gap
        self.least = self.fixed + self._high(self.lows)

    def _label(self) -> float:
        """The width of the titles of the groups, with their icons."""
        width, groups = self.pen.glyphs.width, self.grid.groups
        titles = [self._start(group) + width(group.title, self.face, self.style.row) for group in groups]
        widest = max(*titles, _PAD + width(self.grid.corner, self.face, self.style.head)) + 1
        hints = self.width * 0.24 * any(group.hint for group in groups)
        boxes = self.width * 0.22 * any(group.box for group in groups)
        return min(max(widest, hints, boxes) + _PAD * 1.5, self.width * _MOST_LABEL - self.part)

    def _start(self, group: Group) -> float:
        """Where the title of a group begins, from the left edge."""
        return _PAD + (self.icon + _PAD if group.icon else 0)

    def _columns(self) -> list[tuple[float, float]]:
        """Where each column of cells begins, from the left edge, and its width.

        Raises InvalidError where columns are so narrow that hardly two digits have room.
        """
        start, shares = self.label + self.part, [head.share for head in self.grid.heads]
        unit, least = (self.width - start) / sum(shares), _DIGITS * self.style.text
        if min(shares) * unit < least:
            most = max(1, int(len(shares) * min(shares) * unit / least))
            raise InvalidError(
                f"The score sheet has {len(shares)} columns, and at most {most} columns fit.",
                hint="Use fewer columns or shorter names of rows, or choose a larger paper.",
            )
        return [(start + unit * sum(shares[:number]), unit * share) for number, share in enumerate(shares)]

    def _head(self, head: Head, width: float) -> tuple[Words, Words]:
        """The words of a column's head: its title, and what counts."""
        title = self._title(head.title, self.style.head, width - 4, alignment=1, textColor=look.ON_HEAD)
        return title, self.pen.words(head.how, look.TEXT, self.style.text, width - 6, alignment=1)

    def _title(self, text: str, size: float, room: float, **style: object) -> Words:
        """A title of that `size`, or of as much less, down to that of text, as lets its longest word fit."""
        widest = max((self.pen.glyphs.width(word, self.face, size) for word in text.split()), default=1.0)
        size = max(self.style.text, size * min(1.0, room / widest))
        return self.pen.words(text, self.face, size, room, leading=size * 1.1, **style)

    def _head_box(self, box: SheetBox) -> float:
        """The height of a bar with this box in it."""
        lines = 3 if min(width for _, width in self.columns) < _NARROW else 2
        return 1.2 * lines * self.style.text + 9.5 if box.name else 8 * MM

    def _title_of(self, group: Group) -> tuple[Words, Words]:
        """The title of a group, and its hint."""
        room = self.label - self._start(group) - 3 + (0 if group.lines[0][0] else self.part)
        colour = look.ACCENT if group.total or not group.icon else self.pen.glyphs.theme.suit(group.icon)
        title = self._title(group.title, self.style.row, room, textColor=colour)
        return title, self.pen.words(group.hint, look.ITALIC, self.style.text, room, textColor=look.MUTED)

    def _name(self, name: str) -> Words:
        return self.pen.words(name, look.TEXT, self.style.text, self.part - 2)

    def _aside(self, cells: Sequence[Cell], number: int) -> tuple[int, Words]:
        """The words that stand in a cell, and over how many they reach."""
        span = 1 + sum(1 for _ in takewhile(lambda cell: cell is None, cells[number + 1 :]))
        width = sum(width for _, width in self.columns[number : number + span]) - 10
        style = {"textColor": look.MUTED}
        return span, self.pen.words(str(cells[number]), look.ITALIC, self.style.text, width, **style)

    def _lowest(self) -> list[float]:
        """The least height of the lines of each group. Those to write in are all alike: the words of each have room."""
        needs = list(map(self._needs, self.grid.groups, self.titles, self.names))
        written = [need for group, need in zip(self.grid.groups, needs, strict=True) if not group.ticks]
        alike, tick = max([self.style.lowest, *written]), self.style.tick
        return [max(tick, n) if group.ticks else alike for group, n in zip(self.grid.groups, needs, strict=True)]

    def _needs(self, group: Group, title: Sequence[Words], names: Sequence[Words]) -> float:
        places = [(cells, n) for _, cells in group.lines for n, cell in enumerate(cells) if isinstance(cell, str)]
        asides = [self._aside(*place)[1].tall + 4 for place in places]
        beside = (sum(words.tall for words in title) + 4) / len(group.lines)
        return max(*asides, *(name.tall + 2 for name in names), beside)

    def _high(self, lines: Sequence[float]) -> float:
        """The height of groups whose lines are so high."""
        return sum(len(group.lines) * line for group, line in zip(self.grid.groups, lines, strict=False))

    @property
    def most(self) -> float:
        """All lines at their highest."""
        both = zip(self.grid.groups, self.lows, strict=True)
        return self.fixed + self._high([n if group.ticks else max(n, self.style.highest) for group, n in both])

    def split(self, room: float) -> tuple[Self, Self] | None:
        """Two tables with the same heads, divided between two groups of lines."""
        groups = self.grid.groups
        cut = max((n for n in range(len(groups)) if self.fixed + self._high(self.lows[:n]) <= room), default=0)
        if not cut:
            return None
        heads = [replace(head, box=None) for head in self.grid.heads]
        parts = replace(self.grid, groups=groups[:cut]), replace(self.grid, groups=groups[cut:], heads=heads)
        return type(self)(self.pen, parts[0], self.width), type(self)(self.pen, parts[1], self.width)

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:
        """Heads, then one group after the other; what room is left over goes to the lines to write in."""
        table, y = tag.add("Table"), top - self.style.gap
        self._draw_heads(x, y, table.add("TR"))
        y -= self.bar + self.how
        more = max(0.0, height - self.least) / max(self._high([not group.ticks for group in self.grid.groups]), 1)
        for number, group in enumerate(self.grid.groups):
            high = self.lows[number] + (0 if group.ticks else more)
            tall = high * len(group.lines)
            if number % 2 == 0 and not group.total:
                self.pen.fill(look.PANEL, x, y - tall, self.width, tall)
            colour, thick = (look.ACCENT, 1.0) if group.total else (look.LINE, 0.4)
            if number:
                self.pen.rule(colour, x, y, x + self.width, thick)
            rows = [table.add("TR") for _ in group.lines]
            self._draw_title(group, self.titles[number], (x, y, tall), rows[0])
            for (name, cells), words, row in zip(group.lines, self.names[number], rows, strict=True):
                if name:
                    self.pen.put_around([words], x + self.label, y - high / 2, row.add("TH", scope="Row"))
                self._draw_cells(cells, (x, y - high, high), row)
                y -= high
        self.pen.rule(look.ACCENT, x, y, x + self.width, 1)

    def _draw_heads(self, x: float, top: float, row: Tag) -> None:
        pen, bottom, size = self.pen, top - self.bar, self.style.head
        pen.fill(look.HEAD, x, bottom, self.width, self.bar, outline=look.HEAD_LINE)
        corner = row.add("TH", scope="Column")
        corner.columns = 2 if self.part else 1
        level = top - self.bar / 2 - size * 0.35
        self.write(self.grid.corner, x + _PAD, level, self.face, size, colour=look.ON_HEAD, tag=corner)
        for head, (title, how), (left, width) in zip(self.grid.heads, self.heads, self.columns, strict=True):
            cell = row.add("TH", scope="Column")
            if head.box:
                self._draw_box(head.box, (x + left, bottom, width, self.bar), 2.5, cell)
            else:
                pen.put_around([title], x + left + 2, top - self.bar / 2, cell)
            pen.put(how, x + left + 3, bottom - 2 - how.tall, cell)

    def _draw_box(self, box: SheetBox, cell: Place, above: float, tag: Tag) -> None:
        """A box with white around it; `above` is that above and below."""
        x, bottom, width, height = cell
        aside = min(3 * MM, width * 0.06)
        self.pen.box(box, (x + aside, bottom + above, width - 2 * aside, height - 2 * above), tag)

    def _draw_cells(self, cells: Sequence[Cell], place: tuple[float, float, float], row: Tag) -> None:
        """`place` is x, bottom and height."""
        x, bottom, height = place
        above, covered = min(1.4 * MM, max(0.4 * MM, (height - WRITABLE) / 2)), 0
        for number, (cell, (left, width)) in enumerate(zip(cells, self.columns, strict=True)):
            if number < covered:
                continue
            tag = row.add("TD")
            if isinstance(cell, SheetBox):
                self._draw_box(cell, (x + left, bottom, width, height), above, tag)
            elif cell:
                tag.columns, words = self._aside(cells, number)
                covered = number + tag.columns
                self.pen.put_around([words], x + left + 5, bottom + height / 2, tag)

    def _draw_title(self, group: Group, words: Sequence[Words], place: tuple[float, float, float], row: Tag) -> None:
        """The title of a group: its cell reaches down over all lines. `place` is x, top and height."""
        x, top, tall = place
        name = row.add("TH", scope="Row")
        name.rows, name.columns = len(group.lines), 2 if self.part and not group.lines[0][0] else 1
        middle, theme, left = top - tall / 2, self.pen.glyphs.theme, self._start(group)
        if group.icon:
            size, shade = min(self.icon, tall - 4), theme.suit(group.icon)
            at = {"x": x + _PAD + (self.icon - size) / 2, "y": middle - size / 2, "size": size}
            icons.draw_sign(self.pen.canvas, theme, group.icon, **at, colour=shade, letter=group.title)
        if group.box:
            self.pen.box(group.box, (x + left, top - tall + 3, self.label - left - 3, tall - 6), name)
        else:
            self.pen.put_around(words, x + left, middle + self.style.row * 0.07, name)
