"""The upper part of a score sheet: its title, what it is for, and the lines and boxes about the game."""

from collections.abc import Iterator, Sequence

from vaultkit.look import icons
from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import points
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.qr import Code
from vaultkit.sheets.scoresheets.design import Line, ScoreDesign
from vaultkit.sheets.scoresheets.flow import ScoreBlock
from vaultkit.sheets.scoresheets.parts import SheetBox, TickGroup
from vaultkit.sheets.scoresheets.pen import Pen, Words
from vaultkit.sheets.scoresheets.style import MM

_SHARE = 2.8
"""The least room for writing, in widths of a letter for each share."""
_BETWEEN_LINES = 3.2 * MM
_OVER = 8
"""Points that stand free behind the last words of a line, and need no room."""


class Heading(ScoreBlock):
    """Title, subtitle, the signs of the suits on a rule, and one sentence about the sheet; `code` beside them."""

    def __init__(
        self, pen: Pen, design: ScoreDesign, width: float, code: Code | None = None, *, purpose: bool = True
    ) -> None:
        super().__init__(pen, width)
        self.code, full = code, not self.style.compact
        self.side = points(code.side) if code else 0.0
        self.inner = width - 2 * self.side
        self.icons = design.icons if full else ()
        self.sign = 5 * MM if self.icons else 0.0
        self.between = 1.2 * MM if full else 0.0
        self.below = self.sign + 4 * MM if self.sign else 2 * MM
        self.titles = [(self._title(design.title, look.TITLE_BOLD, self.style.title, look.ACCENT), "H1")]
        if design.subtitle and full:
            self.titles.append((self._title(design.subtitle, look.TITLE, self.style.subtitle, look.INK), "P"))
        text, size = design.purpose if purpose and full else "", max(11, self.style.text)
        self.purpose = pen.words(text, look.ITALIC, size, self.inner * 0.84, textColor=look.MUTED, alignment=1)
        titles = sum(words.tall for words, _ in self.titles) + self.between * (len(self.titles) - 1)
        tall = self.purpose.tall + 2 * MM if text else 0.0
        self.least = max(titles + self.below + tall, self.side)

    def _title(self, text: str, face: str, size: float, colour: str) -> Words:
        return self.pen.words(text, face, size, self.inner, leading=size * 1.12, textColor=colour, alignment=1)

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:  # noqa: ARG002 - it is always `least`
        """The code, then one part below the other."""
        if self.code is not None:
            self.code.draw(self.pen.document, x + self.width - self.side, top - self.side, tag)
        x, y = x + self.side, top
        for words, kind in self.titles:
            y -= words.tall
            self.pen.put(words, x, y, tag.add(kind))
            y -= self.between
        y -= self.below - self.between
        self._rule(x, y + (1.6 * MM if self.sign else 0.6 * MM))
        if self.purpose.tall:
            self.pen.put(self.purpose, x + self.inner * 0.08, y - self.purpose.tall, tag.add("P"))

    def _rule(self, x: float, bottom: float) -> None:
        """The signs with a rule at both sides, or the rule alone."""
        middle, level, step = x + self.inner / 2, bottom + self.sign / 2, self.sign * 1.7
        first = middle - step * (len(self.icons) - 1) / 2
        half = middle - first + 7 * MM if self.icons else 0.0
        self.pen.rule(look.GOLD, x, level, middle - half, 0.8)
        self.pen.rule(look.GOLD, middle + half, level, x + self.inner, 0.8)
        theme = self.pen.glyphs.theme
        for number, name in enumerate(self.icons):
            at = {"x": first + number * step - self.sign / 2, "y": bottom, "size": self.sign}
            icons.draw_sign(self.pen.canvas, theme, name, **at, colour=theme.suit(name), letter=name)


class Lines(ScoreBlock):
    """Player, session, date: labelled lines to write on, as many beside each other as have room."""

    def __init__(self, pen: Pen, lines: Sequence[tuple[Line, SheetBox]], width: float) -> None:
        super().__init__(pen, width)
        self.rows = self._in_rows(lines) if lines else []
        self.least = len(self.rows) * self.style.line + self.style.gap * bool(lines)

    def _in_rows(self, lines: Sequence[tuple[Line, SheetBox]]) -> list[Sequence[tuple[Line, SheetBox]]]:
        """All in one row, or in two of which the longer is as short as can be; else each in a row of its own."""
        needs = [self._label(line) + _SHARE * self.style.text * line.share + self.style.gap for line, _ in lines]
        cuts = [len(lines), *range(1, len(lines))]
        longer = {cut: max(sum(needs[:cut]), sum(needs[cut:])) for cut in cuts}
        cut = cuts[0] if longer[cuts[0]] <= self.width else min(longer, key=lambda at: longer[at])
        if longer[cut] > self.width:
            return [[line] for line in lines]
        return [row for row in (lines[:cut], lines[cut:]) if row]

    def _label(self, line: Line) -> float:
        return self.pen.glyphs.width(line.title, look.BOX_BOLD, self.style.text) + 5

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:  # noqa: ARG002 - it is always `least`
        """One row below the other."""
        for number, row in enumerate(self.rows, 1):
            left, y = x, top - number * self.style.line + 3
            room = self.width - _BETWEEN_LINES * (len(row) - 1)
            for line, box in row:
                width = room * line.share / sum(one.share for one, _ in row)
                label, place = self._label(line), tag.add("P")
                self.write(line.title, left, y, look.BOX_BOLD, self.style.text, colour=look.ACCENT, tag=place)
                self.pen.line(box, (left + label, y, width - label), place)
                left += width + _BETWEEN_LINES


class TickLines(ScoreBlock):
    """Groups of boxes to tick, one after the other, with line breaks where they are needed."""

    def __init__(self, pen: Pen, groups: Sequence[TickGroup], width: float) -> None:
        super().__init__(pen, width)
        self.side, self.step = 3.4 * MM * self.style.text / 10, self.style.text + 8
        self.places = list(self._places(groups))
        self.least = (1 + self.places[-1][3]) * self.step - 4 if groups else 0.0

    def _places(self, groups: Sequence[TickGroup]) -> Iterator[tuple[str, SheetBox | None, float, int]]:
        """Each title, and the words of each box with it: x from the left edge, and on which line from 0."""
        x, row = 0.0, 0
        for title, options in groups:
            widths = [self._width(title, None), *(self._width(*option) for option in options)]
            needed = [sum(widths), *widths[1:]]  # a title does not stand apart from its boxes where these have room
            for (words, box), width, room in zip([(title, None), *options], widths, needed, strict=True):
                if x and x + room > self.width + _OVER:
                    x, row = 0.0, row + 1
                yield words, box, x, row
                x += width
            x += _OVER

    def _width(self, words: str, box: SheetBox | None) -> float:
        text, width = self.style.text, self.pen.glyphs.width
        if box is None:
            return width(words, look.BOX_BOLD, text) + 7
        return self.side + 4 + width(words, look.TEXT, text + 1) + 9

    def draw(self, x: float, top: float, height: float, tag: Tag) -> None:  # noqa: ARG002 - it is always `least`
        """One line below the other."""
        text, place = self.style.text, tag
        for words, box, left, row in self.places:
            y = top - text - row * self.step
            if box is None:
                place = tag.add("P")
                self.write(words, x + left, y, look.BOX_BOLD, text, colour=look.ACCENT, tag=place)
            else:
                self.pen.tick(box, (x + left, y - 1.6, self.side, self.side), place)
                self.write(words, x + left + self.side + 4, y, look.TEXT, text + 1, tag=place)
