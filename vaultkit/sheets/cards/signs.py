"""The drawn middle of a card without a picture: its emblem, its pips, or a letter over its suit."""

import math

from vaultkit.look import icons
from vaultkit.look import theme as look
from vaultkit.sheets.cards.card import PrintableCard, Rectangle
from vaultkit.sheets.geometry.paper import MM_POINTS
from vaultkit.sheets.pdf.document import Document

_PIPS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((1,),), 2: ((2,), (1, 1)), 3: ((3,), (1, 1, 1), (2, 1)), 4: ((2, 2),), 5: ((2, 1, 2), (3, 2)),
    6: ((3, 3), (2, 2, 2)), 7: ((2, 3, 2), (4, 3), (2, 1, 2, 2)), 8: ((3, 2, 3), (4, 4), (2, 2, 2, 2)),
    9: ((3, 3, 3), (5, 4), (2, 2, 1, 2, 2)), 10: ((3, 4, 3), (5, 5), (2, 2, 2, 2, 2)),
}  # fmt: skip
"""How many signs stand in each row, for numbers up to ten; the arrangement with the largest signs is taken."""
_USUAL = 54 * MM_POINTS
"""The width of a place on a poker card; on larger cards signs are larger."""
_NARROW = 30 * MM_POINTS
"""A place that is narrower has no room left free around the signs."""


class SignPainter:
    """Draws signs onto the page of `document`."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.theme = document.glyphs.theme

    def ground(self, place: Rectangle, centre: tuple[float, float] | None = None) -> None:
        """Fine rays on parchment, from the middle of the place or from another centre."""
        canvas = self.document.canvas
        x, y, width, height = place
        canvas.fill(look.PANEL)
        canvas.rect(*place, stroke=0, fill=1)
        canvas.pen(look.PANEL_DARK, 0.6)
        reach = width + height
        near = min(9.0, width / 6)
        middle, level = centre or (x + width / 2, y + height / 2)
        for step in range(48):
            angle = math.radians(step * 7.5)
            dx, dy = math.cos(angle), math.sin(angle)
            canvas.line(middle + dx * near, level + dy * near, middle + dx * reach, level + dy * reach)

    def signs(self, card: PrintableCard, place: Rectangle) -> None:
        """The card's emblem, its pips, or its suit."""
        x, y = place[0] + place[2] / 2, place[1] + place[3] / 2
        free = 3 * MM_POINTS if place[2] < _NARROW else 20 * MM_POINTS
        grown = max(1.0, place[2] / _USUAL)
        width, height = min(place[2] - free, 40 * MM_POINTS * grown), place[3] - 5 * MM_POINTS
        if self._court(card, place):
            return
        known = icons.find(card.emblem, self.theme.vault)
        number = int(card.corner) if card.corner.isascii() and card.corner.isdigit() else 0
        if known or number not in _PIPS or not card.icons or place[2] < _NARROW:
            size = min(width, height) * 0.92
            signs = (card.emblem,) if known else card.icons or (card.title,)
            if len(signs) > 1 and place[2] < _NARROW:
                self._column(card, signs, place)
                return
            self.row(card, signs, x=x, y=y, size=size if len(signs) == 1 else size / len(signs) * 1.15)
            return
        self._pips(card, x, y, *max((_pip_size(rows, width, height, grown), rows) for rows in _PIPS[number]))

    def _column(self, card: PrintableCard, signs: tuple[str, ...], place: Rectangle) -> None:
        step = place[3] / (len(signs) + 0.6)
        size, x = min(step * 0.86, place[2] * 0.6), place[0] + place[2] / 2
        for number, sign in enumerate(signs):
            y = place[1] + place[3] / 2 + ((len(signs) - 1) / 2 - number) * step
            self.row(card, (sign,), x=x, y=y, size=size)

    def _pips(self, card: PrintableCard, x: float, y: float, size: float, rows: tuple[int, ...]) -> None:
        drawn = 0
        for line, count in enumerate(rows):
            level = y + ((len(rows) - 1) / 2 - line) * size * 1.16
            signs = tuple(card.icons[(drawn + n) % len(card.icons)] for n in range(count))
            self.row(card, signs, x=x, y=level, size=size)
            drawn += count

    def _court(self, card: PrintableCard, place: Rectangle) -> bool:
        """A large letter over the suit, for a person of rank who has no picture and no words."""
        rank = str(card.rank or "")
        lone = not (card.text_markdown.strip() or card.facts) and len(card.icons) == 1
        if not lone or not rank.isalpha() or rank.lower() == "ace":
            return False
        x, middle = place[0] + place[2] / 2, place[1] + place[3] / 2
        size = place[3] * 0.34
        write, shade = self.document.write, self.shade(card)
        write(card.corner, x, middle + size * 0.22, look.TITLE_BOLD, size * 1.05, align="center", colour=shade)
        self.row(card, card.icons, x=x, y=middle - size * 0.62, size=size)
        return True

    def row(self, card: PrintableCard, signs: tuple[str, ...], *, x: float, y: float, size: float) -> None:
        """Signs side by side with their common middle at x, y."""
        step = size * 1.14
        for number, sign in enumerate(signs):
            left = x + (number - (len(signs) - 1) / 2) * step - size / 2
            shade = self.shade(card, sign) if sign in card.icons else self.shade(card)
            self.sign(sign, x=left, y=y - size / 2, size=size, shade=shade, letter=card.suit or card.title)

    def sign(self, name: str, *, x: float, y: float, size: float, shade: str, letter: str) -> None:
        """One sign with its lower left corner at x, y."""
        icons.draw_sign(self.document.canvas, self.theme, name, x=x, y=y, size=size, colour=shade, letter=letter)

    def shade(self, card: PrintableCard, sign: str = "") -> str:
        """The colour of a suit, the first if none is named; of a card without suit and emblem the accent's.

        Of a suit that has none it is that of the first fact that has one, such as an element.
        """
        if not (card.icons or card.suit):
            return look.ACCENT
        sign = sign or (card.icons[0] if card.icons else "")
        own = self.theme.suit(sign)
        if own != look.INK or sign not in card.icons:
            return own
        others = (self.theme.suit(value) for _, value in card.facts)
        return next((colour for colour in others if colour != look.INK), own)


def _pip_size(rows: tuple[int, ...], width: float, height: float, grown: float) -> float:
    most = (15 if sum(rows) > 1 else 24) * MM_POINTS * grown
    return min(height / len(rows) * 0.85, width / max(rows) * 0.88, most)
