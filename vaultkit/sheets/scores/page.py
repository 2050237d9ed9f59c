"""Draws one page of a score sheet. First the heights are measured, then the boxes take what room is left."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from vaultkit.errors import InvalidError
from vaultkit.sheets import icons
from vaultkit.sheets import theme as look
from vaultkit.sheets.geometry.paper import MM, points
from vaultkit.sheets.geometry.reading import ReadingPlan
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.scores.design import Field, Row, ScoreDesign
from vaultkit.sheets.scores.panels import Panels, paragraph

_MM = 72 / 25.4
_LOWEST_ROW, _HIGHEST_ROW = 11.5 * _MM, 19 * _MM
_SUIT_SHARE = 0.27
_GAP = 3.2 * _MM
_TICK = 3.4 * _MM


@dataclass(frozen=True)
class Entry:
    """What is already known of one player's sheet, and which page of how many it is."""

    texts: Mapping[str, str]
    ticked: frozenset[str]
    numbers: Mapping[str, int | str]
    page: str


class ScorePage:
    """Draws the same design for one player after the other."""

    def __init__(self, design: ScoreDesign, document: Document) -> None:
        self.design = design
        self.document = document
        self.canvas = document.canvas
        self.plan = ReadingPlan(document.paper, side=15 * MM, above=10 * MM, below=15 * MM)
        self.x, self.bottom, self.width, height = self.plan.body.points
        self.top = self.bottom + height
        self.panels = Panels(design, document, (self.width - 6 * _MM) / 2)

    @cached_property
    def _purpose(self) -> tuple[Any, float]:
        words = paragraph(self.document.glyphs, self.design.purpose, look.ITALIC, 11, alignment=1, textColor=look.MUTED)
        return words, words.wrapOn(self.canvas, self.width * 0.84, 500)[1]

    @cached_property
    def _heads(self) -> list[tuple[Any, float]]:
        heads = []
        for column, (_, width) in zip(self.design.columns, self._columns, strict=True):
            words = paragraph(self.document.glyphs, column.how, look.TEXT, 10, leading=11.6, alignment=1)
            heads.append((words, words.wrapOn(self.canvas, width - 6, 500)[1]))
        return heads

    @cached_property
    def _columns(self) -> list[tuple[float, float]]:
        """x and width of each column of boxes."""
        start = self.x + self.width * _SUIT_SHARE
        room, total = self.x + self.width - start, sum(column.share for column in self.design.columns)
        places = []
        for column in self.design.columns:
            places.append((start, room * column.share / total))
            start += places[-1][1]
        return places

    @cached_property
    def row_height(self) -> float:
        """What is left for each suit once everything else has its place."""
        head = 20 + max(height for _, height in self._heads)
        ticks = len(self._tick_lines) * 7 * _MM + 3 * _MM
        fixed = 23.5 * _MM + 18 + self._purpose[1] + 12 * _MM + ticks + head + 4 * _MM + self.panels.height
        total = 13.5 * _MM if self.design.total else 0
        height = (self.top - self.bottom - fixed - total) / len(self.design.rows)
        if height < _LOWEST_ROW:
            raise InvalidError(
                f"The score sheet '{self.design.game}' has more words than fit on {self.document.paper.name} paper.",
                hint="Shorten its notes, or choose a larger paper.",
            )
        return min(height, _HIGHEST_ROW)

    def draw(self, entry: Entry) -> None:
        """One page."""
        y = self._title()
        y = self._fields(y, entry.texts)
        y = self._ticks(y, entry.ticked)
        y = self._table(y, entry.numbers)
        self.panels.draw(self.x, y - 4 * _MM, self.width)
        self.document.furniture(self.plan.body, self.design.credit, entry.page, y=points(9 * MM))

    def _title(self) -> float:
        middle, canvas = self.x + self.width / 2, self.canvas
        y = self.top - 12 * _MM
        self.document.write(self.design.title, middle, y, look.TITLE_BOLD, 30, align="center", colour=look.ACCENT)
        self.document.write(self.design.subtitle, middle, y - 18, look.TITLE, 13, align="center", colour=look.INK)
        y -= 18 + 4 * _MM
        canvas.setStrokeColor(self.document.colour(look.GOLD))
        canvas.setLineWidth(0.8)
        signs = self.design.rows
        step, size = 8.5 * _MM, 5 * _MM
        start = middle - step * (len(signs) - 1) / 2
        edge = step * (len(signs) - 1) / 2 + 7 * _MM
        level = y - size / 2
        canvas.line(self.x, level, middle - edge, level)
        canvas.line(middle + edge, level, self.x + self.width, level)
        for number, row in enumerate(signs):
            place = start + number * step - size / 2
            self._sign(row, place, y - size, size)
        words, height = self._purpose
        y -= size + 2.5 * _MM + height
        words.drawOn(canvas, self.x + self.width * 0.08, y)
        return y

    def _sign(self, row: Row, x: float, y: float, size: float) -> None:
        theme = self.document.glyphs.theme
        shade = theme.suit(row.icon)
        icons.draw_sign(self.canvas, theme, row.icon, x=x, y=y, size=size, colour=shade, letter=row.title)

    def _fields(self, y: float, texts: Mapping[str, str]) -> float:
        y -= 9 * _MM
        total = sum(field.share for field in self.design.fields)
        room = self.width - _GAP * (len(self.design.fields) - 1)
        x = self.x
        for field in self.design.fields:
            width = room * field.share / total
            self.document.write(field.title, x, y, look.BOX_BOLD, 10, colour=look.ACCENT)
            label = self.document.glyphs.width(field.title, look.BOX_BOLD, 10) + 5
            self._line(x + label, y - 2, x + width)
            words, size = texts.get(field.id, ""), 13.0
            while size > 10 and self.document.glyphs.width(words, look.BOLD, size) > width - label - 4:
                size -= 0.5
            words = self._fitting(words, size, width - label - 4)
            self.document.write(words, x + label + 2, y, look.BOLD, size)
            x += width + _GAP
        return y - 3 * _MM

    def _fitting(self, words: str, size: float, width: float) -> str:
        cut = words
        while cut and self.document.glyphs.width(cut + ("…" if cut != words else ""), look.BOLD, size) > width:
            cut = cut[:-1]
        return cut if cut == words else cut.rstrip() + "…"

    def _line(self, left: float, y: float, right: float) -> None:
        self.canvas.setStrokeColor(self.document.colour(look.INK))
        self.canvas.setLineWidth(0.6)
        self.canvas.line(left, y, right, y)

    def _tick_width(self, group: Field) -> float:
        width = self.document.glyphs.width
        options = sum(width(text, look.TEXT, 11) + _TICK + 10 for text in group.options.values())
        return width(group.title, look.BOX_BOLD, 10) + 7 + options

    @cached_property
    def _tick_lines(self) -> list[list[Field]]:
        lines: list[list[Field]] = [[]]
        for group in self.design.ticks:
            if lines[-1] and sum(self._tick_width(g) + 6 for g in [*lines[-1], group]) > self.width + 16:
                lines.append([])
            lines[-1].append(group)
        return lines

    def _ticks(self, y: float, ticked: frozenset[str]) -> float:
        for line in self._tick_lines:
            y -= 7 * _MM
            spare = self.width - sum(self._tick_width(group) - 7 for group in line)
            gap = spare / max(len(line) - 1, 1)
            x = self.x
            for group in line:
                x = self._tick_group(group, x, y, ticked) - 7 + gap
        return y - 3.4 * _MM

    def _tick_group(self, group: Field, x: float, y: float, ticked: frozenset[str]) -> float:
        self.document.write(group.title, x, y, look.BOX_BOLD, 10, colour=look.ACCENT)
        x += self.document.glyphs.width(group.title, look.BOX_BOLD, 10) + 7
        for option, text in group.options.items():
            self._box(x, y - 1.4, _TICK, _TICK, 1)
            if f"{group.id}.{option}" in ticked:
                self._cross(x, y - 1.4, _TICK)
            self.document.write(text, x + _TICK + 3, y, look.TEXT, 11)
            x += _TICK + 10 + self.document.glyphs.width(text, look.TEXT, 11)
        return x

    def _cross(self, x: float, y: float, size: float) -> None:
        self.canvas.setLineWidth(1.3)
        self.canvas.line(x + 2, y + 2, x + size - 2, y + size - 2)
        self.canvas.line(x + 2, y + size - 2, x + size - 2, y + 2)

    def _box(self, x: float, y: float, width: float, height: float, radius: float) -> None:
        self.canvas.setFillColor(self.document.colour(look.PAPER))
        self.canvas.setStrokeColor(self.document.colour(look.INK))
        self.canvas.setLineWidth(0.7)
        self.canvas.roundRect(x, y, width, height, radius, stroke=1, fill=1)

    def _table(self, y: float, numbers: Mapping[str, int | str]) -> float:
        y = self._table_head(y)
        for number in range(len(self.design.rows)):
            self._row(number, y, numbers)
            y -= self.row_height
        if self.design.total:
            y = self._sum(self.design.total, y, numbers)
        return y

    def _table_head(self, y: float) -> float:
        height = 20 + max(height for _, height in self._heads)
        canvas = self.canvas
        canvas.setFillColor(self.document.colour(look.HEAD))
        canvas.rect(self.x, y - 16, self.width, 16, stroke=0, fill=1)
        self.document.write("Suit", self.x + 8, y - 11.5, look.TITLE_BOLD, 10.5, colour=look.ON_HEAD)
        for column, (words, tall), (x, width) in zip(self.design.columns, self._heads, self._columns, strict=True):
            middle = x + width / 2
            self.document.write(
                column.title, middle, y - 11.5, look.TITLE_BOLD, 10.5, align="center", colour=look.ON_HEAD
            )
            words.drawOn(canvas, x + 3, y - 17.5 - tall)
        return y - height

    def _row(self, number: int, y: float, numbers: Mapping[str, int | str]) -> None:
        row, height, canvas = self.design.rows[number], self.row_height, self.canvas
        bottom = y - height
        if number % 2 == 0:
            canvas.setFillColor(self.document.colour(look.PANEL))
            canvas.rect(self.x, bottom, self.width, height, stroke=0, fill=1)
        shade = self.document.glyphs.theme.suit(row.icon)
        size = min(height - 4 * _MM, 12 * _MM)
        self._sign(row, self.x + 2 * _MM, bottom + (height - size) / 2, size)
        x = self.x + 2 * _MM + size + 3 * _MM
        self.document.write(row.title, x, bottom + height / 2 + 1, look.TITLE_BOLD, 14, colour=shade)
        self.document.write(row.hint, x, bottom + height / 2 - 12, look.ITALIC, 10, colour=look.MUTED)
        for column, (left, width) in enumerate(self._columns):
            name = row.field(column)
            if name:
                self._cell(left, bottom, width, numbers.get(name))
            elif row.aside:
                self._aside(row.aside, left, bottom, width)

    def _cell(self, x: float, bottom: float, width: float, number: int | str | None) -> None:
        inset_x, inset_y = 3 * _MM, 1.4 * _MM
        self._box(x + inset_x, bottom + inset_y, width - 2 * inset_x, self.row_height - 2 * inset_y, 3)
        if number is not None:
            self._number(str(number), x + width / 2, bottom + self.row_height / 2, width - 2 * inset_x - 8)

    def _number(self, text: str, x: float, middle: float, room: float) -> None:
        size = 19.0
        while size > 10 and self.document.glyphs.width(text, look.TITLE_BOLD, size) > room:
            size -= 0.5
        self.document.write(text, x, middle - size * 0.35, look.TITLE_BOLD, size, align="center")

    def _aside(self, text: str, x: float, bottom: float, width: float) -> None:
        words = paragraph(self.document.glyphs, text, look.ITALIC, 10, leading=11.4, textColor=look.MUTED)
        _, tall = words.wrapOn(self.canvas, width - 8, 500)
        words.drawOn(self.canvas, x + 5, bottom + (self.row_height - tall) / 2)

    def _sum(self, field: Field, y: float, numbers: Mapping[str, int | str]) -> float:
        height, canvas = 13.5 * _MM, self.canvas
        bottom = y - height
        canvas.setStrokeColor(self.document.colour(look.ACCENT))
        canvas.setLineWidth(1)
        canvas.line(self.x, y, self.x + self.width, y)
        canvas.line(self.x, bottom, self.x + self.width, bottom)
        left, level = self.x + 2 * _MM, bottom + height / 2 - 4
        self.document.write(field.title, left, level, look.TITLE_BOLD, 11, colour=look.ACCENT)
        x, width = self._columns[0]
        inset = 3 * _MM
        self._box(x + inset, bottom + 1.6 * _MM, width - 2 * inset, height - 3.2 * _MM, 3)
        number = numbers.get(field.id)
        if number is not None:
            self._number(str(number), x + width / 2, bottom + height / 2, width - 2 * inset - 8)
        room = self.x + self.width - x - width - 2 * _MM
        words = paragraph(self.document.glyphs, field.how, look.TEXT, 10, leading=12)
        _, tall = words.wrapOn(canvas, room, 500)
        words.drawOn(canvas, x + width, bottom + (height - tall) / 2)
        return bottom
