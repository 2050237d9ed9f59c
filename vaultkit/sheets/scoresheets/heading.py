"""The upper part of a score sheet: its title, what it is for, and the lines and boxes about the game."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

from vaultkit.look import icons
from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import points
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.qr import Code
from vaultkit.sheets.scoresheets.design import Line, ScoreDesign, Ticks
from vaultkit.sheets.scoresheets.flow import ScoreBlock
from vaultkit.sheets.scoresheets.pen import Pen
from vaultkit.sheets.scoresheets.style import MM

_SHARE = 2.8
"""The least room for writing, in widths of a letter for each share."""


class Solid(ABC):
    """A block of a fixed height that cannot be divided."""

    least: float

    @property
    def most(self) -> float:
        return self.least

    def split(self, room: float) -> "tuple[ScoreBlock, ScoreBlock] | None":  # noqa: ARG002 - it is never divided
        """Nothing: it stays in one piece."""
        return None

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:  # noqa: ARG002 - it is always `least`
        """Draws it below `top`."""
        self.paint(x, top, tag)

    @abstractmethod
    def paint(self, x: float, top: float, tag: Tag) -> None:
        """Draws it below `top`; what it says goes under `tag`."""


class Heading(Solid):
    """Title, subtitle, the signs of the suits on a rule, and one sentence about the sheet; `code` beside them."""

    def __init__(
        self, pen: Pen, design: ScoreDesign, width: float, code: Code | None = None, *, purpose: bool = True
    ) -> None:
        self.pen, self.code, self.right = pen, code, width
        style = pen.style
        self.side = points(code.side) if code else 0.0
        self.width = width = width - 2 * self.side
        centred = {"alignment": 1}
        parts = [(design.title, look.TITLE_BOLD, style.title, look.ACCENT, "H1")]
        if design.subtitle and not style.compact:
            parts.append((design.subtitle, look.TITLE, style.subtitle, look.INK, "P"))
        self.parts = [
            (*pen.words(text, face, size, width, leading=size * 1.12, textColor=colour, **centred), kind)
            for text, face, size, colour, kind in parts
        ]
        self.icons = () if style.compact else design.icons
        self.sign = 5 * MM if self.icons else 0.0
        said = design.purpose if purpose and not style.compact else ""
        self.purpose = pen.words(
            said, look.ITALIC, max(11, style.text), width * 0.84, textColor=look.MUTED, **centred
        )  # fmt: skip
        self.below = self.sign + 4 * MM if self.sign else 2 * MM
        self.tall = self.purpose[1] if said else 0.0
        tall = self.tall + 2 * MM if said else 0.0
        self.between = 0.0 if style.compact else 1.2 * MM
        titles = sum(height for _, height, _ in self.parts) + self.between * (len(self.parts) - 1)
        self.least = max(titles + self.below + tall, self.side)

    def paint(self, x: float, top: float, tag: Tag) -> None:
        y = top
        if self.code is not None:
            self.code.draw(self.pen.document, x + self.right - self.side, top - self.side, tag)
            x += self.side
        for words, tall, kind in self.parts:
            y -= tall
            self.pen.put(words, x, y, tag.add(kind))
            y -= self.between
        y -= self.below - self.between
        self._rule(x, y + 1.6 * MM if self.sign else y + 0.6 * MM)
        if self.tall:
            self.pen.put(self.purpose[0], x + self.width * 0.08, y - self.tall, tag.add("P"))

    def _rule(self, x: float, bottom: float) -> None:
        """The signs with a rule at both sides, or the rule alone."""
        middle, level, step = x + self.width / 2, bottom + self.sign / 2, self.sign * 1.7
        names = self.icons
        half = (step * (len(names) - 1) / 2 + 7 * MM) if names else 0.0
        self.pen.rule(look.GOLD, x, level, middle - half, 0.8)
        self.pen.rule(look.GOLD, middle + half, level, x + self.width, 0.8)
        theme = self.pen.glyphs.theme
        for number, name in enumerate(names):
            left = middle + (number - (len(names) - 1) / 2) * step - self.sign / 2
            icons.draw_sign(
                self.pen.canvas, theme, name, x=left, y=bottom, size=self.sign, colour=theme.suit(name), letter=name
            )  # fmt: skip


class Lines(Solid):
    """Player, session, date: labelled lines to write on, as many beside each other as have room."""

    def __init__(self, pen: Pen, lines: Sequence[Line], width: float, prefix: str, who: str) -> None:
        self.pen, self.width, self.prefix, self.who = pen, width, prefix, who
        self.rows = self._in_rows(lines) if lines else []
        self.least = len(self.rows) * pen.style.line + pen.style.gap * bool(lines)

    def _in_rows(self, lines: Sequence[Line]) -> list[Sequence[Line]]:
        """All in one row, or in two of which the longer is as short as can be; else each in a row of its own."""
        needs = [self._needs(line) for line in lines]
        if sum(needs) <= self.width:
            return [lines]
        cut = min(range(1, len(lines) + 1), key=lambda at: max(sum(needs[:at]), sum(needs[at:])))
        if max(sum(needs[:cut]), sum(needs[cut:])) <= self.width:
            return [lines[:cut], lines[cut:]]
        return [[line] for line in lines]

    def _label(self, line: Line) -> float:
        return self.pen.glyphs.width(line.title, look.BOX_BOLD, self.pen.style.text) + 5

    def _needs(self, line: Line) -> float:
        return self._label(line) + _SHARE * self.pen.style.text * line.share + self.pen.style.gap

    def paint(self, x: float, top: float, tag: Tag) -> None:
        style = self.pen.style
        for number, row in enumerate(self.rows, 1):
            self._row(row, x, top - number * style.line + 3, tag)

    def _row(self, row: Sequence[Line], x: float, y: float, tag: Tag) -> None:
        style, gap = self.pen.style, 3.2 * MM
        room = self.width - gap * (len(row) - 1)
        total = sum(line.share for line in row)
        for line in row:
            width, label, place = room * line.share / total, self._label(line), tag.add("P")
            write = self.pen.document.write
            write(line.title, x, y, look.BOX_BOLD, style.text, colour=look.ACCENT, tag=place)
            self.pen.line(self.prefix + line.id, self.who + line.title, (x + label, y, width - label), place)
            x += width + gap


class TickLines(Solid):
    """Groups of boxes to tick, one after the other, with line breaks where they are needed."""

    def __init__(self, pen: Pen, groups: Sequence[Ticks], width: float, prefix: str, who: str) -> None:
        self.pen, self.groups, self.width, self.prefix, self.who = pen, groups, width, prefix, who
        self.size = 3.4 * MM * pen.style.text / 10
        self.least = (1 + self._rows) * (pen.style.text + 8) - 4 if groups else 0.0

    @cached_property
    def _places(self) -> list[tuple[float, int]]:
        """Where each title and each option begins: x from the left edge, and on which line from 0."""
        places, x, row = [], 0.0, 0
        for group in self.groups:
            widths = self._widths(group)
            whole = sum(widths)
            if x and x + whole > self.width + 8:
                x, row = 0.0, row + 1
            for width in widths:
                if x and x + width > self.width + 8:
                    x, row = 0.0, row + 1
                places.append((x, row))
                x += width
            x += 8
        return places

    @property
    def _rows(self) -> int:
        return self._places[-1][1] if self._places else 0

    def _widths(self, group: Ticks) -> list[float]:
        text, width = self.pen.style.text, self.pen.glyphs.width
        options = [self.size + 4 + width(words, look.TEXT, text + 1) + 9 for _, words in group.options]
        return [width(group.title, look.BOX_BOLD, text) + 7, *options]

    def paint(self, x: float, top: float, tag: Tag) -> None:
        text, places = self.pen.style.text, iter(self._places)
        write = self.pen.document.write
        for group in self.groups:
            left, row = next(places)
            place = tag.add("P")
            write(
                group.title, x + left, self._level(top, row), look.BOX_BOLD, text, colour=look.ACCENT, tag=place
            )  # fmt: skip
            for option, words in group.options:
                left, row = next(places)
                y = self._level(top, row)
                tip = f"{self.who}{group.title}: {words}"
                box = (x + left, y - 1.6, self.size, self.size)
                self.pen.tick(f"{self.prefix}{group.id}.{option}", tip, box, place)
                write(words, x + left + self.size + 4, y, look.TEXT, text + 1, tag=place)

    def _level(self, top: float, row: int) -> float:
        return top - self.pen.style.text - row * (self.pen.style.text + 8)
