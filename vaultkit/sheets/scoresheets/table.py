"""Draws a table of boxes. The rows take what room there is, between a lowest and a highest height."""

from dataclasses import replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

from vaultkit.errors import InvalidError
from vaultkit.look import icons
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.grid import Aside, Grid, GridLine, Head
from vaultkit.sheets.scoresheets.pen import FieldBox, Pen, Place
from vaultkit.sheets.scoresheets.style import MM, WRITABLE

_PAD = 6.0
_MOST_LABEL = 0.45
_NARROW = 60.0
"""In a box narrower than this a name takes three lines."""
_DIGITS = 2.0
"""A column is at least so many times as wide as the size of its letters."""

Drawn = tuple[Any, float]


class Table:
    """A block with the table `grid`, `width` points wide."""

    def __init__(self, pen: Pen, grid: Grid, width: float) -> None:
        self.pen, self.grid, self.width = pen, grid, width
        self.style = pen.style
        self.icon = self.style.row * 1.9 if any(line.icon for line in grid.lines) else 0.0
        self._check_width()

    @cached_property
    def label(self) -> float:
        """The width of the titles of the lines, with their icons."""
        width, face = self.pen.glyphs.width, self.style.face
        titles = [self._start(line) + width(line.title, face, self.style.row) for line in self.grid.lines]
        widest = max(*titles, _PAD + width(self.grid.corner, face, self.style.head)) + 1
        hints = any(line.hint for line in self.grid.lines)
        boxes = any(line.box for line in self.grid.lines)
        least = max(widest, self.width * 0.24 * hints, self.width * 0.22 * boxes)
        room = self.width * _MOST_LABEL - self.part
        return min(least + _PAD * 1.5, room)

    def _start(self, line: GridLine) -> float:
        """Where the title of a line begins, from the left edge."""
        return _PAD + (self.icon + _PAD if line.icon else 0)

    @cached_property
    def part(self) -> float:
        """The width of the names of the lines in a group."""
        parts = [self.pen.glyphs.width(line.part, look.TEXT, self.style.text) for line in self.grid.lines if line.part]
        return min(max(parts) + _PAD, self.width * 0.2) if parts else 0.0

    @property
    def _label_columns(self) -> int:
        """Over how many columns of the table a title reaches: that of its group's lines, and of the lines in it."""
        return 2 if self.part else 1

    @cached_property
    def columns(self) -> list[tuple[float, float]]:
        """Where each column of cells begins, from the left edge, and its width."""
        start = self.label + self.part
        room, total = self.width - start, sum(head.share for head in self.grid.heads)
        places = []
        for head in self.grid.heads:
            places.append((start, room * head.share / total))
            start += places[-1][1]
        return places

    def _check_width(self) -> None:
        """Raises InvalidError where columns are so narrow that hardly two digits have room."""
        narrowest, least = min(width for _, width in self.columns), _DIGITS * self.style.text
        if narrowest < least:
            most = max(1, int(len(self.columns) * narrowest / least))
            raise InvalidError(
                f"The score sheet has {len(self.columns)} columns, and at most {most} columns fit.",
                hint="Use fewer columns or shorter names of rows, or choose a larger paper.",
            )

    @cached_property
    def _heads(self) -> list[tuple[Drawn, Drawn | None]]:
        """The words of each column's head: its title, and what counts."""
        return [self._head(head, width) for head, (_, width) in zip(self.grid.heads, self.columns, strict=True)]

    def _head(self, head: Head, width: float) -> tuple[Drawn, Drawn | None]:
        style, face = self.style, self.style.face
        size = self._fitting(head.title, face, style.head, width - 4)
        title = self.pen.words(
            head.title, face, size, width - 4, leading=size * 1.1, alignment=1, textColor=look.ON_HEAD
        )  # fmt: skip
        if not head.how:
            return title, None
        return title, self.pen.words(head.how, look.TEXT, style.text, width - 6, leading=style.leading, alignment=1)

    def _fitting(self, text: str, face: str, size: float, room: float) -> float:
        """`size`, or as much less, down to that of text, as lets the longest word of `text` fit."""
        widest = max((self.pen.glyphs.width(word, face, size) for word in text.split()), default=0.0)
        return max(self.style.text, size * min(1.0, room / widest)) if widest else size

    @cached_property
    def _bar(self) -> float:
        """The height of the coloured bar of heads."""
        boxes = max((self._head_box(head.box) for head in self.grid.heads if head.box), default=0.0)
        return max(boxes, 6 + max(title[1] for title, _ in self._heads))

    def _head_box(self, box: FieldBox) -> float:
        lines = 3 if min(width for _, width in self.columns) < _NARROW else 2
        return 1.2 * lines * self.style.text + 9.5 if box.lines else 8 * MM

    @cached_property
    def _how(self) -> float:
        return max((how[1] for _, how in self._heads if how), default=-5.0) + 5

    @cached_property
    def _lowest(self) -> list[float]:
        """The least height of each line. Those to write in are all alike, so that the words of each have room."""
        written = [self._needs(line) for line in self.grid.lines if not line.ticks]
        alike = max([self.style.lowest, *written])
        return [max(self.style.tick, self._needs(line)) if line.ticks else alike for line in self.grid.lines]

    def _heights(self, height: float) -> list[float]:
        """The height of each line where the table is so high: what is left over goes to those to write in."""
        written = sum(not line.ticks for line in self.grid.lines)
        more = max(0.0, height - self.least) / max(written, 1)
        return [low + (0 if line.ticks else more) for line, low in zip(self.grid.lines, self._lowest, strict=True)]

    def _needs(self, line: GridLine) -> float:
        title, hint = self._words(line)
        asides = [self._aside(cell, n)[1] + 4 for n, cell in enumerate(line.cells) if isinstance(cell, Aside)]
        part = self._part(line)[1] + 2 if line.part else 0.0
        lines = 1 if not line.part else sum(other.group == line.group for other in self.grid.lines)
        return max(*asides, part, (title[1] + hint[1] + 4) / lines, 0.0)

    def _words(self, line: GridLine) -> tuple[Drawn, Drawn]:
        room = self.label - self._start(line) - 3
        room += self.part if not line.part else 0
        colour = look.ACCENT if line.total or not line.icon else self.pen.glyphs.theme.suit(line.icon)
        size = self.style.row
        size = self._fitting(line.title, self.style.face, size, room)
        title = self.pen.words(line.title, self.style.face, size, room, leading=size * 1.1, textColor=colour)
        hint = self.pen.words(line.hint, look.ITALIC, self.style.text, room, textColor=look.MUTED)
        return title if line.title else (title[0], 0.0), hint if line.hint else (hint[0], 0.0)

    def _part(self, line: GridLine) -> Drawn:
        return self.pen.words(line.part, look.TEXT, self.style.text, self.part - 2)

    def _aside(self, aside: Aside, number: int) -> Drawn:
        width = sum(width for _, width in self.columns[number : number + aside.span]) - 10
        return self.pen.words(aside.text, look.ITALIC, self.style.text, width, textColor=look.MUTED)

    @property
    def least(self) -> float:
        """All lines at their lowest."""
        return self._fixed + sum(self._lowest)

    @property
    def most(self) -> float:
        """All lines at their highest."""
        highest = self.style.highest
        both = zip(self.grid.lines, self._lowest, strict=True)
        return self._fixed + sum(low if line.ticks else max(low, highest) for line, low in both)

    @property
    def _fixed(self) -> float:
        return self._bar + self._how + 2 * self.style.gap

    def split(self, room: float) -> "tuple[Table, Table] | None":
        """Two tables with the same heads, divided between two groups of lines."""
        lines = self.grid.lines
        breaks = [n for n, (one, following) in enumerate(pairwise(lines), 1) if one.group != following.group]
        fitting = [n for n in breaks if self._fixed + sum(self._lowest[:n]) <= room]
        if not fitting:
            return None
        first, rest = (replace(self.grid, lines=part) for part in (lines[: fitting[-1]], lines[fitting[-1] :]))
        named = tuple(replace(head, box=None) for head in self.grid.heads)
        return Table(self.pen, first, self.width), Table(self.pen, replace(rest, heads=named), self.width)

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:
        """Heads, then one line after the other."""
        table = tag.add("Table")
        heights = self._heights(height)
        y = top - self.style.gap
        self._draw_heads(x, y, table.add("TR"))
        y -= self._bar + self._how
        self._draw_bands(x, y, heights)
        for number, (line, high) in enumerate(zip(self.grid.lines, heights, strict=True)):
            group = sum(heights[n] for n, one in enumerate(self.grid.lines) if n >= number and one.group == line.group)
            self._draw_line(line, (x, y, group if line.part else high, high), table.add("TR"))
            y -= high
        self.pen.rule(look.ACCENT, x, y, x + self.width, 1)

    def _draw_bands(self, x: float, top: float, heights: list[float]) -> None:
        """A ground for every other group of lines, and a fine rule below each group."""
        bottoms = [top - below for below in accumulate(heights)]
        for line, bottom, height in zip(self.grid.lines, bottoms, heights, strict=True):
            if line.group % 2 == 0 and not line.total:
                self.pen.fill(look.PANEL, x, bottom, self.width, height)
        for (one, following), bottom in zip(pairwise(self.grid.lines), bottoms, strict=False):
            if one.group != following.group:
                self.pen.rule(look.LINE, x, bottom, x + self.width, 0.4)

    def _draw_heads(self, x: float, top: float, row: Tag) -> None:
        pen, size = self.pen, self.style.head
        pen.fill(look.HEAD, x, top - self._bar, self.width, self._bar, outline=look.HEAD_LINE)
        for level in (top, top - self._bar):
            pen.rule(look.HEAD_LINE, x, level, x + self.width, 0.6)
        level = top - self._bar / 2 - size * 0.35
        corner = row.add("TH", scope="Column")
        corner.columns = self._label_columns
        pen.document.write(self.grid.corner, x + _PAD, level, self.style.face, size, colour=look.ON_HEAD, tag=corner)
        for head, (title, how), (left, width) in zip(self.grid.heads, self._heads, self.columns, strict=True):
            cell = row.add("TH", scope="Column")
            if head.box:
                aside = _aside_of(width)
                place = (x + left + aside, top - self._bar + 2.5, width - 2 * aside, self._bar - 5)
                pen.box(head.box, place, cell)
            else:
                pen.put(title[0], x + left + 2, top - (self._bar + title[1]) / 2, cell)
            if how:
                pen.put(how[0], x + left + 3, top - self._bar - 2 - how[1], cell)

    def _draw_line(self, line: GridLine, place: Place, row: Tag) -> None:
        """`place` is x, top, the height of the lines that the title stands beside, and that of this line."""
        x, top, tall, height = place
        bottom = top - height
        if line.total:
            self.pen.rule(look.ACCENT, x, top, x + self.width, 1)
        self._draw_label(line, (x, top, tall, height), row)
        covered = 0
        for number, (cell, (left, width)) in enumerate(zip(line.cells, self.columns, strict=True)):
            if number < covered:
                continue
            tag = row.add("TD")
            if isinstance(cell, FieldBox):
                self._draw_box(cell, (x + left, bottom, width, height), tag)
            elif isinstance(cell, Aside):
                covered, tag.columns = number + cell.span, cell.span
                words, high = self._aside(cell, number)
                self.pen.put(words, x + left + 5, bottom + (height - high) / 2, tag)

    def _draw_box(self, box: FieldBox, place: Place, tag: Tag) -> None:
        x, bottom, width, height = place
        aside = _aside_of(width)
        above = min(1.4 * MM, max(0.4 * MM, (height - WRITABLE) / 2))
        self.pen.box(box, (x + aside, bottom + above, width - 2 * aside, height - 2 * above), tag)

    def _draw_label(self, line: GridLine, place: Place, row: Tag) -> None:
        x, top, tall, height = place
        if line.title or line.box:
            self._draw_name(line, (x, top, tall, height), row)
        if line.part:
            words, high = self._part(line)
            self.pen.put(words, x + self.label, top - (height + high) / 2, row.add("TH", scope="Row"))

    def _draw_name(self, line: GridLine, place: Place, row: Tag) -> None:
        """The title of a line, or of the group that begins with it: its cell reaches down over all of them."""
        x, top, tall, _ = place
        name = row.add("TH", scope="Row")
        name.rows = sum(other.group == line.group for other in self.grid.lines) if line.part else 1
        name.columns = 1 if line.part else self._label_columns
        title, hint = self._words(line)
        middle = top - tall / 2
        theme = self.pen.glyphs.theme
        if line.icon:
            size, shade = min(self.icon, tall - 4), theme.suit(line.icon)
            at = {"x": x + _PAD + (self.icon - size) / 2, "y": middle - size / 2, "size": size}
            icons.draw_sign(self.pen.canvas, theme, line.icon, **at, colour=shade, letter=line.title)
        left = x + self._start(line)
        if line.box:
            self.pen.box(line.box, (left, top - tall + 3, self.label - (left - x) - 3, tall - 6), name)
        elif line.title:
            y = middle + (title[1] + hint[1]) / 2 - title[1] + self.style.row * 0.07
            self.pen.put(title[0], left, y, name)
            if line.hint:
                self.pen.put(hint[0], left, y - hint[1], name)


def _aside_of(width: float) -> float:
    """The white at each side of a box in a column of `width` points."""
    return min(3 * MM, width * 0.06)
