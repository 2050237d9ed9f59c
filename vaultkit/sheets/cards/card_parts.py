"""Parts of a card below its title: labels and values in a strip, boxes to write in, and hands of small cards."""

import math
from collections.abc import Sequence
from typing import Any

from vaultkit.sheets.cards.print_card import Hand
from vaultkit.sheets.cards.text_sizes import MIN_TEXT_SIZE_PT
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.flowables import Flowable, page_box
from vaultkit.theme import icons
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.lengths import MM_POINTS
from vaultkit.theme.model import Theme

_COLUMN_COUNTS = (2, 3, 4, 6)
"""The numbers of columns of a strip; the least with which it has the fewest rows is taken."""
_GAP_PT, _PADDING_PT, _ROW_GAP_PT, _CORNER_RADIUS_PT = 7.0, 3.0, 1.0, 1.6
"""The white between cells, around and between rows, and the radius of the strip's corners."""
_BOX_COUNT, _BOX_HEIGHT_PT, _BOX_GAP_PT = 5, 12.5, 3.0
"""The boxes in a row, and their height and distance."""

Cell = tuple[float, Any]
"""A paragraph, and the width that it needs for one line."""


class FactStrip(Flowable):  # type: ignore[misc]
    """Labels with their values in rows on a tinted ground, in columns: a cell takes as many as it needs."""

    def __init__(self, cells: Sequence[Cell], theme: Theme) -> None:
        super().__init__()
        self._cells, self._theme = cells, theme
        self.spaceBefore = self.spaceAfter = 3

    def wrap(self, available_width: float, _high: float) -> tuple[float, float]:
        """Return the available width, and the height of all rows."""
        room = available_width - 2 * _PADDING_PT
        self._rows = min((self._arrange(count, room) for count in _COLUMN_COUNTS), key=len)
        self._heights = [max(cell.wrapOn(self.canv, wide, 10_000)[1] for _, wide, cell in row) for row in self._rows]
        self.width = available_width
        self.height = sum(self._heights) + _ROW_GAP_PT * (len(self._rows) - 1) + 2 * _PADDING_PT
        return self.width, self.height

    def _arrange(self, count: int, room: float) -> list[list[tuple[float, float, Any]]]:
        """Return rows of cells in `count` columns, each with its left edge and width; the last cell takes the rest."""
        column, used, rows = (room + _GAP_PT) / count, count, list[list[tuple[float, float, Any]]]()
        for width, paragraph in self._cells:
            span = min(count, math.ceil((width + _GAP_PT) / column))
            if used + span > count:
                used = 0
                rows.append([])
            rows[-1].append((used * column, span * column - _GAP_PT, paragraph))
            used += span
        return [[*row, (row_end[0], room - row_end[0], row_end[2])] for *row, row_end in rows]

    def split(self, available_width: float, available_height: float) -> list[Any]:
        """Return a strip of the rows that fit and one of the others, or [] if not even one row fits."""
        self.wrap(available_width, available_height)
        height, count = 2 * _PADDING_PT - _ROW_GAP_PT, 0
        for row, row_height in zip(self._rows, self._heights, strict=True):
            height += row_height + _ROW_GAP_PT
            count += len(row) if height <= available_height else 0
        parts = [self._cells[:count], self._cells[count:]] if count else []
        return [FactStrip(part, self._theme) for part in parts if part]

    def draw(self) -> None:
        canvas, top = self.canv, self.height - _PADDING_PT
        canvas.fill(look.PANEL)
        canvas.roundRect(0, 0, self.width, self.height, _CORNER_RADIUS_PT, stroke=0, fill=1)
        for row, height in zip(self._rows, self._heights, strict=True):
            for x, width, cell in row:
                _, cell_height = cell.wrapOn(canvas, width, 10_000)
                cell.drawOn(canvas, _PADDING_PT + x, top - cell_height)
            top -= height + _ROW_GAP_PT


class WriteBoxes(Flowable):  # type: ignore[misc]
    """A label, and a row of empty boxes to write in."""

    def __init__(self, label: str, glyphs: Glyphs, size: float, tag: Tag) -> None:
        super().__init__()
        self._label, self._glyphs, self._size, self._tag = label, glyphs, size, tag
        self.spaceBefore = self.spaceAfter = 3

    def wrap(self, available_width: float, _high: float) -> tuple[float, float]:
        """Return the available width, and the height of a box."""
        self.width, self.height = available_width, max(_BOX_HEIGHT_PT, self._size * 1.3)
        return self.width, self.height

    def draw(self) -> None:
        canvas, label = self.canv, f"{self._label} "
        with canvas.tag_content(self._tag):
            self._glyphs.write(canvas, label, (0, self.height * 0.32), look.TEXT, self._size, colour=look.MUTED)
        left = self._glyphs.measure_width(label, look.TEXT, self._size) + _BOX_GAP_PT
        step = (self.width - left + _BOX_GAP_PT) / _BOX_COUNT
        canvas.pen(look.MUTED, 0.6)
        for number in range(_BOX_COUNT):
            x = left + number * step
            canvas.roundRect(x, 0, step - _BOX_GAP_PT, self.height, _CORNER_RADIUS_PT, stroke=1, fill=0)


_CARD_WIDTH_PT, _CARD_HEIGHT_PT, _CARD_GAP_PT = 4.2 * MM_POINTS, 5.7 * MM_POINTS, 0.45 * MM_POINTS
_RANK_SIZE_PT, _SIGN_SIZE_PT = 7.5, 6.2
"""The sizes of ranks and signs, in points, at the usual minimum text size; they grow with it."""
_MAX_NAME_SIZE_PT, _USUAL_TEXT_SIZE_PT = 9.6, 10.5
"""The maximum size of a hand's name, in points, beside words of the usual size; it grows with their size."""
_ROW_MARGIN_PT = 1.8
_WORDS_GAP_PT = 4.0


class HandRow(Flowable):  # type: ignore[misc]
    """One hand. The small cards stand beside the words, or below where there is too little room."""

    def __init__(self, hand: Hand, glyphs: Glyphs, size: float, floor: float, tag: Tag) -> None:
        super().__init__()
        self.hand, self.glyphs, self.tag = hand, glyphs, tag
        self.size, self.floor = size, floor
        self.scale = 0.9 * floor / MIN_TEXT_SIZE_PT
        if floor == MIN_TEXT_SIZE_PT:
            self.scale = max(1.0, size / _USUAL_TEXT_SIZE_PT)
            self.size, self.floor = min(size, _MAX_NAME_SIZE_PT * self.scale), floor * self.scale
        self.spaceBefore = self.spaceAfter = _ROW_MARGIN_PT
        self.card_width, self.card_height = _CARD_WIDTH_PT * self.scale, _CARD_HEIGHT_PT * self.scale
        self.card_gap = _CARD_GAP_PT * self.scale

    @property
    def _words_width(self) -> float:
        """The width of the words."""
        name = self.glyphs.measure_width(self.hand.name, look.BOLD, self.size)
        return max(name, self.glyphs.measure_width(self.hand.words, look.TEXT, self.floor))

    @property
    def _cards_width(self) -> float:
        """The width of the small cards."""
        return len(self.hand.cards) * (self.card_width + self.card_gap)

    def wrap(self, wide: float, _high: float) -> tuple[float, float]:
        """Return the width and the height of the row, in points."""
        self.width = wide
        self.beside = self._words_width + _WORDS_GAP_PT + self._cards_width <= wide
        words = self.size + self.floor + 1.5
        self.height = max(words, self.card_height) if self.beside else words + 2 + self.card_height
        return wide, self.height

    def draw(self) -> None:
        """Draw the row as the content of its tag."""
        canvas = self.canv
        with canvas.tag_content(self.tag):
            self._write(f"{self.hand.name} ", 0, self.height - self.size + 1, look.BOLD, look.INK)
            self._write(self.hand.words, 0, self.height - self.size - self.floor - 0.7, look.TEXT, look.MUTED)
        left = self.width - self._cards_width + self.card_gap if self.beside else 0.0
        with canvas.tag_content(self._figure(left)):
            for number, (rank, suit) in enumerate(self.hand.cards):
                self._card(left + number * (self.card_width + self.card_gap), rank, suit)

    def _figure(self, left: float) -> Tag | None:
        """Return the tag of the example with its place on the page; None in an untagged document."""
        if not self.hand.cards:
            return None
        figure = self.tag.add("Figure", alt=f"For example {self.hand.example}")
        figure.box = page_box(self.canv, left, 0, self._cards_width, self.card_height)
        return figure

    def _write(self, text: str, x: float, y: float, face: str, colour: str) -> None:
        size = self.size if face == look.BOLD else self.floor
        self.glyphs.write(self.canv, text, (x, y), face, size, colour=colour)

    def _card(self, x: float, rank: str, suit: str) -> None:
        canvas, theme = self.canv, self.glyphs.theme
        shade = theme.suit_role(suit)
        canvas.fill(look.PAPER)
        canvas.pen(shade, 0.5)
        canvas.roundRect(x, 0, self.card_width, self.card_height, 1.2 * self.scale, stroke=1, fill=1)
        canvas.fill(shade)
        canvas.setFont(theme.face(look.BOX_BOLD), _RANK_SIZE_PT * self.scale)
        canvas.drawCentredString(x + self.card_width / 2, self.card_height - (_RANK_SIZE_PT - 0.6) * self.scale, rank)
        size = _SIGN_SIZE_PT * self.scale
        left = x + (self.card_width - size) / 2
        icons.draw_sign(canvas, theme, suit, x=left, y=1.2 * self.scale, size=size, colour=shade, letter=suit)
