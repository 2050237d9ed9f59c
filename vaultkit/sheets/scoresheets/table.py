"""Draws a table of boxes. The rows take what room there is, between a lowest and a highest height."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Self

from vaultkit.errors import InvalidError
from vaultkit.look import icons
from vaultkit.look import theme as look
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.scoresheets.flow import ScoreBlock
from vaultkit.sheets.scoresheets.parts import Aside, Grid, GridLine, Head, SheetBox
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
        self.in_group = Counter(line.group for line in grid.lines)
        self.icon = self.style.row * 1.9 if any(line.icon for line in grid.lines) else 0.0
        parts = [pen.glyphs.width(line.part, look.TEXT, self.style.text) for line in grid.lines if line.part]
        self.part = min(max(parts) + _PAD, width * 0.2) if parts else 0.0
        """The width of the names of the lines in a group."""
        self.label = self._label()
        self.columns = self._columns()
        self.heads = [self._head(head, wide) for head, (_, wide) in zip(grid.heads, self.columns, strict=True)]
        boxes = [self._head_box(head.box) for head in grid.heads if head.box]
        self.bar = max([*boxes, *(6 + title.tall for title, _ in self.heads)])
        """The height of the coloured bar of heads."""
        self.how = max((how.tall + 5 for _, how in self.heads if how.tall), default=0.0)
        self.lows = self._lowest()
        self.fixed = self.bar + self.how + 2 * self.style.gap
        self.least = self.fixed + sum(self.lows)

    def _label(self) -> float:
        """The width of the titles of the lines, with their icons."""
        width, lines = self.pen.glyphs.width, self.grid.lines
        titles = [self._start(line) + width(line.title, self.face, self.style.row) for line in lines]
        widest = max(*titles, _PAD + width(self.grid.corner, self.face, self.style.head)) + 1
        hints = 0.24 * any(line.hint for line in lines)
        boxes = 0.22 * any(line.box for line in lines)
        least = max(widest, self.width * hints, self.width * boxes)
        return min(least + _PAD * 1.5, self.width * _MOST_LABEL - self.part)

    def _start(self, line: GridLine) -> float:
        """Where the title of a line begins, from the left edge."""
        return _PAD + (self.icon + _PAD if line.icon else 0)

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
        leading = self.style.leading
        return title, self.pen.words(head.how, look.TEXT, self.style.text, width - 6, leading=leading, alignment=1)

    def _title(self, text: str, size: float, room: float, **style: object) -> Words:
        """A title of that `size`, or of as much less, down to that of text, as lets its longest word fit."""
        widest = max((self.pen.glyphs.width(word, self.face, size) for word in text.split()), default=1.0)
        size = max(self.style.text, size * min(1.0, room / widest))
        return self.pen.words(text, self.face, size, room, leading=size * 1.1, **style)

    def _head_box(self, box: SheetBox) -> float:
        """The height of a bar with this box in it."""
        lines = 3 if min(width for _, width in self.columns) < _NARROW else 2
        return 1.2 * lines * self.style.text + 9.5 if box.name else 8 * MM

    @cached_property
    def labels(self) -> list[tuple[Words, Words, Words]]:
        """The title, the hint and the name in its group of each line."""
        return [self._words(line) for line in self.grid.lines]

    def _words(self, line: GridLine) -> tuple[Words, Words, Words]:
        room = self.label - self._start(line) - 3 + (0 if line.part else self.part)
        colour = look.ACCENT if line.total or not line.icon else self.pen.glyphs.theme.suit(line.icon)
        title = self._title(line.title, self.style.row, room, textColor=colour)
        hint = self.pen.words(line.hint, look.ITALIC, self.style.text, room, textColor=look.MUTED)
        return title, hint, self.pen.words(line.part, look.TEXT, self.style.text, self.part - 2)

    def _aside(self, aside: Aside, number: int) -> Words:
        width = sum(width for _, width in self.columns[number : number + aside.span]) - 10
        return self.pen.words(aside.text, look.ITALIC, self.style.text, width, textColor=look.MUTED)

    def _lowest(self) -> list[float]:
        """The least height of each line. Those to write in are all alike, so that the words of each have room."""
        needs = [self._needs(line, *words) for line, words in zip(self.grid.lines, self.labels, strict=True)]
        pairs = list(zip(self.grid.lines, needs, strict=True))
        alike = max([self.style.lowest, *(need for line, need in pairs if not line.ticks)])
        return [max(self.style.tick, need) if line.ticks else alike for line, need in pairs]

    def _needs(self, line: GridLine, title: Words, hint: Words, part: Words) -> float:
        asides = [self._aside(cell, n).tall + 4 for n, cell in enumerate(line.cells) if isinstance(cell, Aside)]
        lines = self.in_group[line.group] if line.part else 1
        return max(*asides, part.tall + 2, (title.tall + hint.tall + 4) / lines)

    @property
    def most(self) -> float:
        """All lines at their highest."""
        highest = self.style.highest
        both = zip(self.grid.lines, self.lows, strict=True)
        return self.fixed + sum(low if line.ticks else max(low, highest) for line, low in both)

    def split(self, room: float) -> tuple[Self, Self] | None:
        """Two tables with the same heads, divided between two groups of lines."""
        lines = self.grid.lines
        breaks = [n for n, (one, following) in enumerate(pairwise(lines), 1) if one.group != following.group]
        fitting = [n for n in breaks if self.fixed + sum(self.lows[:n]) <= room]
        if not fitting:
            return None
        first, rest = (replace(self.grid, lines=part) for part in (lines[: fitting[-1]], lines[fitting[-1] :]))
        rest = replace(rest, heads=tuple(replace(head, box=None) for head in self.grid.heads))
        return type(self)(self.pen, first, self.width), type(self)(self.pen, rest, self.width)

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:
        """Heads, then one line after the other; what room is left over goes to those to write in."""
        table, y, before = tag.add("Table"), top - self.style.gap, -1
        self._draw_heads(x, y, table.add("TR"))
        y -= self.bar + self.how
        more = max(0.0, height - self.least) / max(sum(not line.ticks for line in self.grid.lines), 1)
        for line, low, words in zip(self.grid.lines, self.lows, self.labels, strict=True):
            high = low if line.ticks else low + more
            if line.group != before:
                self._draw_ground(line, (x, y, high * self.in_group[line.group]), fine=before >= 0)
            if line.total:
                self.pen.rule(look.ACCENT, x, y, x + self.width, 1)
            before = line.group
            row = table.add("TR")
            if line.title or line.box:
                self._draw_name(line, words[:2], (x, y, high), row)
            if line.part:
                self.pen.put_around(words[2:], x + self.label, y - high / 2, row.add("TH", scope="Row"))
            self._draw_cells(line, (x, y - high, high), row)
            y -= high
        self.pen.rule(look.ACCENT, x, y, x + self.width, 1)

    def _draw_ground(self, line: GridLine, place: tuple[float, float, float], *, fine: bool) -> None:
        """A ground for every other group of lines, and a `fine` rule above it; `place` is x, top and height."""
        x, top, height = place
        if line.group % 2 == 0 and not line.total:
            self.pen.fill(look.PANEL, x, top - height, self.width, height)
        if fine:
            self.pen.rule(look.LINE, x, top, x + self.width, 0.4)

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

    def _draw_cells(self, line: GridLine, place: tuple[float, float, float], row: Tag) -> None:
        """`place` is x, bottom and height."""
        x, bottom, height = place
        above, covered = min(1.4 * MM, max(0.4 * MM, (height - WRITABLE) / 2)), 0
        for number, (cell, (left, width)) in enumerate(zip(line.cells, self.columns, strict=True)):
            if number < covered:
                continue
            tag = row.add("TD")
            if isinstance(cell, SheetBox):
                self._draw_box(cell, (x + left, bottom, width, height), above, tag)
            elif isinstance(cell, Aside):
                covered, tag.columns = number + cell.span, cell.span
                self.pen.put_around([self._aside(cell, number)], x + left + 5, bottom + height / 2, tag)

    def _draw_name(self, line: GridLine, words: Sequence[Words], place: tuple[float, float, float], row: Tag) -> None:
        """The title of a line, or of the group that begins with it: its cell reaches down over all of them.

        `place` is x, top and the height of a line.
        """
        x, top, height = place
        name = row.add("TH", scope="Row")
        name.rows = self.in_group[line.group] if line.part else 1
        name.columns = 2 if self.part and not line.part else 1
        tall, left = height * name.rows, self._start(line)
        middle, theme = top - tall / 2, self.pen.glyphs.theme
        if line.icon:
            size, shade = min(self.icon, tall - 4), theme.suit(line.icon)
            at = {"x": x + _PAD + (self.icon - size) / 2, "y": middle - size / 2, "size": size}
            icons.draw_sign(self.pen.canvas, theme, line.icon, **at, colour=shade, letter=line.title)
        if line.box:
            self.pen.box(line.box, (x + left, top - tall + 3, self.label - left - 3, tall - 6), name)
        else:
            self.pen.put_around(words, x + left, middle + self.style.row * 0.07, name)
