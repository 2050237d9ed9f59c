"""Signs on cards: in the middle of a card without a picture, and rank over suit in both upper corners.

Corners are visible in a fanned hand. Screen readers skip them.
"""

import math

from vaultkit.sheets.cards.print_card import Face, PrintableCard, Rectangle
from vaultkit.sheets.cards.text_sizes import sizes_of
from vaultkit.sheets.pdf.document import Document
from vaultkit.theme import icons
from vaultkit.theme import model as look
from vaultkit.theme.lengths import MM_POINTS

_PIPS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((1,),), 2: ((2,), (1, 1)), 3: ((3,), (1, 1, 1), (2, 1)), 4: ((2, 2),), 5: ((2, 1, 2), (3, 2)),
    6: ((3, 3), (2, 2, 2)), 7: ((2, 3, 2), (4, 3), (2, 1, 2, 2)), 8: ((3, 2, 3), (4, 4), (2, 2, 2, 2)),
    9: ((3, 3, 3), (5, 4), (2, 2, 1, 2, 2)), 10: ((3, 4, 3), (5, 5), (2, 2, 2, 2, 2)),
}  # fmt: skip
"""The numbers of signs in each row, by the card's number up to ten; the arrangement with the largest signs is used."""
_POKER_PLACE_WIDTH_PT = 54 * MM_POINTS
"""The width of the place for signs on a poker card, in points; on larger cards signs are larger."""
_SUIT_LETTER_SIZE_PT = 7.5
"""The size of the letters of a suit in points."""


class SignPainter:
    """Draws signs onto the page of `document`."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.theme = document.glyphs.theme

    def draw_ground(self, place: Rectangle, centre: tuple[float, float] | None = None) -> None:
        """Draw fine rays on parchment from the middle of `place`, or from `centre`."""
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

    def draw_signs(self, card: PrintableCard, place: Rectangle) -> None:
        """Draw the card's emblem, its pips, or its suit."""
        x, y = place[0] + place[2] / 2, place[1] + place[3] / 2
        scale = max(1.0, place[2] / _POKER_PLACE_WIDTH_PT)
        width, height = min(place[2] - 20 * MM_POINTS, 40 * MM_POINTS * scale), place[3] - 5 * MM_POINTS
        if self._court(card, place):
            return
        emblem_icon = icons.find_icon(card.emblem, self.theme.vault)
        number = int(card.corner) if card.corner.isascii() and card.corner.isdigit() else 0
        if emblem_icon or number not in _PIPS or not card.icons:
            size = min(width, height) * 0.92
            signs = (card.emblem,) if emblem_icon else card.icons or (card.title,)
            self.row(card, signs, x=x, y=y, size=size if len(signs) == 1 else size / len(signs) * 1.15)
            return
        self._pips(card, x, y, *max((_pip_size(rows, width, height, scale), rows) for rows in _PIPS[number]))

    def _pips(self, card: PrintableCard, x: float, y: float, size: float, rows: tuple[int, ...]) -> None:
        drawn = 0
        for line, count in enumerate(rows):
            level = y + ((len(rows) - 1) / 2 - line) * size * 1.16
            signs = tuple(card.icons[(drawn + n) % len(card.icons)] for n in range(count))
            self.row(card, signs, x=x, y=level, size=size)
            drawn += count

    def _court(self, card: PrintableCard, place: Rectangle) -> bool:
        """Draw a large letter above the suit of a court card without picture and words; return whether it was drawn."""
        rank = str(card.rank or "")
        lone = not (card.has_words or card.facts) and len(card.icons) == 1
        if not lone or not rank.isalpha() or rank.lower() == "ace":
            return False
        x, middle = place[0] + place[2] / 2, place[1] + place[3] / 2
        size = place[3] * 0.34
        write, shade = self.document.write, self.shade(card)
        write(card.corner, x, middle + size * 0.22, look.TITLE_BOLD, size * 1.05, align="center", colour=shade)
        self.row(card, card.icons, x=x, y=middle - size * 0.62, size=size)
        return True

    def row(self, card: PrintableCard, signs: tuple[str, ...], *, x: float, y: float, size: float) -> None:
        """Draw signs side by side with their common middle at x, y points."""
        step = size * 1.14
        for number, sign in enumerate(signs):
            left = x + (number - (len(signs) - 1) / 2) * step - size / 2
            shade = self.shade(card, sign) if sign in card.icons else self.shade(card)
            self.sign(sign, x=left, y=y - size / 2, size=size, shade=shade, letter=card.suit or card.title)

    def sign(self, name: str, *, x: float, y: float, size: float, shade: str, letter: str) -> None:
        """Draw one sign with its lower left corner at x, y points."""
        icons.draw_sign(self.document.canvas, self.theme, name, x=x, y=y, size=size, colour=shade, letter=letter)

    def shade(self, card: PrintableCard, sign: str = "") -> str:
        """Return the role of the colour of a suit, by default the card's first.

        A suit without a colour gets that of the card's first fact with one, such as an element. A card without suit and
        emblem gets the accent colour.
        """
        if card.shade or not (card.icons or card.suit):
            return self.theme.colour_role(card.shade or look.ACCENT)
        sign = sign or (card.icons[0] if card.icons else "")
        own = self.theme.suit_role(sign)
        if own != look.INK or sign not in card.icons:
            return own
        others = (self.theme.suit_role(value) for _, value in card.facts)
        return next((colour for colour in others if colour != look.INK), own)


def _pip_size(rows: tuple[int, ...], width: float, height: float, scale: float) -> float:
    max_size = (15 if sum(rows) > 1 else 24) * MM_POINTS * scale
    return min(height / len(rows) * 0.85, width / max(rows) * 0.88, max_size)


class CornerPainter:
    """Draws the corners of cards, and the sign between them where there is no picture."""

    def __init__(self, document: Document, signs: SignPainter) -> None:
        self.document = document
        self.signs = signs
        self._lettered = document.glyphs.theme.grey
        """Whether letters distinguish suits too, since the theme has no colours."""
        sizes = sizes_of(document.glyphs.theme)
        self.unit = MM_POINTS * sizes.scale
        """The length of a millimetre in points, scaled for large print."""
        self.written = max(_SUIT_LETTER_SIZE_PT, sizes.floor)
        self.wide, self.edge = 8.4 * self.unit, 1.6 * self.unit
        self.rank, self.sign, self.letter = 5.2 * self.unit, 5.4 * self.unit, self.written * 1.1
        """The heights of a rank, a sign and the letter of a suit, in points."""

    def draw(self, face: Face) -> None:
        """Draw both corners of a card; none for its further parts, and for rank and suit in a title bar."""
        card = face.card
        if not (card.corner or card.icons):
            return
        if face.part == 1 and face.art and face.frame.layout != "bar" and not face.whole:
            x, y, wide, tall = face.free_area if face.panel else face.art
            step = self._step(card, tall)
            for left in (x, x + wide - self.wide):
                self._box(card, left, y + tall, step, face.frame.picture_corner)
                self._corner(card, left, y + tall, step)

    def _step(self, card: PrintableCard, room: float) -> float:
        """Return the height of a sign with its letter, reduced if all signs would take more than `room`."""
        usual = self.sign + (self.letter if self._lettered and card.letters else 0.0)
        free = room - self.edge - (self.rank if card.corner else 0.0)
        return min(usual, free / max(len(card.icons), 1))

    def _box(self, card: PrintableCard, left: float, top: float, step: float, corner: float) -> None:
        """Draw the ground behind a corner that lies on a picture."""
        canvas = self.document.canvas
        tall = (self.rank if card.corner else 0.0) + len(card.icons) * step + self.edge
        canvas.fill(look.PAPER)
        canvas.pen(self.signs.shade(card), 0.5)
        canvas.roundRect(left, top - tall, self.wide, tall, corner, stroke=1, fill=1)

    def _corner(self, card: PrintableCard, left: float, top: float, step: float) -> None:
        write, shade = self.document.write, self.signs.shade(card)
        level, middle = top - 0.9 * self.unit, left + self.wide / 2
        if card.corner:
            level -= self.rank - 0.6 * self.unit
            base, size = level + 0.5 * self.unit, 5 * self.unit
            write(card.corner, middle, base, look.TITLE_BOLD, size, align="center", colour=shade)
        lettered = self._lettered and step >= self.sign
        size = min(4.6 * self.unit, (step - (self.letter if lettered else 0.0)) * 0.86)
        for number, sign in enumerate(card.icons):
            own = self.signs.shade(card, sign)
            bottom = level - size - 0.4 * self.unit
            self.signs.sign(sign, x=middle - size / 2, y=bottom, size=size, shade=own, letter=card.suit)
            if lettered and number < len(card.letters):
                foot = bottom - self.letter + 0.6 * self.unit
                write(card.letters[number], middle, foot, look.BOX_BOLD, self.written, align="center", colour=own)
            level -= step
