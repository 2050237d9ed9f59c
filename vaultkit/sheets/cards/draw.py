"""Draws a fitted card: frame, picture or pips, corners, title, words."""

import math
from typing import Any

from vaultkit.sheets import icons, images
from vaultkit.sheets import theme as look
from vaultkit.sheets.cards.face import FACT, FLOOR, Face, PrintableCard
from vaultkit.sheets.geometry.paper import Box
from vaultkit.sheets.pdf.document import Document
from vaultkit.sheets.text.inline import web_address
from vaultkit.sheets.text.layout import Page
from vaultkit.sheets.text.paint import draw

_MM = 72 / 25.4
_DPI = 300
_MOST_CROPPED = 0.3
"""A picture that would lose more than this to fill its place is shown whole instead."""
_PIPS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((1,),), 2: ((2,), (1, 1)), 3: ((3,), (1, 1, 1), (2, 1)), 4: ((2, 2),), 5: ((2, 1, 2), (3, 2)),
    6: ((3, 3), (2, 2, 2)), 7: ((2, 3, 2), (4, 3), (2, 1, 2, 2)), 8: ((3, 2, 3), (4, 4), (2, 2, 2, 2)),
    9: ((3, 3, 3), (5, 4), (2, 2, 1, 2, 2)), 10: ((3, 4, 3), (5, 5), (2, 2, 2, 2, 2)),
}  # fmt: skip
"""How many signs stand in each row, for numbers up to ten; the arrangement with the largest signs is taken."""


class CardPainter:
    """Draws faces on the pages of `document`."""

    def __init__(self, document: Document, cache: Any, deck_title: str) -> None:
        self.document = document
        self.canvas = document.canvas
        self.cache = cache
        self.deck_title = deck_title

    def draw(self, face: Face, slot: Box) -> None:
        """Draws `face` into `slot`."""
        x, y, width, height = slot.points
        self.canvas.saveState()
        self.canvas.translate(x, y)
        shade = self._shade(face.card, face.card.icons[0] if face.card.icons else "")
        if face.art is not None:
            self._art(face.card, face.art, shade)
        self._frame(width, height, shade)
        if face.art is not None and not face.whole:
            self._corners(face.card, face.art, shade)
        self._title(face, width, shade)
        draw(self.document, Page([list(face.placed)]))
        self._facts(face, width, shade)
        self._foot(width)
        self.canvas.restoreState()

    def _frame(self, width: float, height: float, shade: str) -> None:
        canvas = self.canvas
        canvas.setStrokeColor(self.document.colour(shade))
        for inset, thickness, radius in ((3.0, 1.1, 2.4), (3.8, 0.4, 1.7)):
            gap = inset * _MM + thickness / 2
            canvas.setLineWidth(thickness)
            canvas.roundRect(gap, gap, width - 2 * gap, height - 2 * gap, radius * _MM, stroke=1, fill=0)

    def _art(self, card: PrintableCard, place: tuple[float, float, float, float], shade: str) -> None:
        canvas = self.canvas
        x, y, width, height = place
        canvas.saveState()
        path = canvas.beginPath()
        path.roundRect(x, y, width, height, 1.2 * _MM)
        canvas.clipPath(path, stroke=0, fill=0)
        if not self._picture(card, place):
            self._drawn(card, place, shade)
        canvas.restoreState()
        canvas.setStrokeColor(self.document.colour(shade))
        canvas.setLineWidth(0.5)
        canvas.roundRect(x, y, width, height, 1.2 * _MM, stroke=1, fill=0)

    def _picture(self, card: PrintableCard, place: tuple[float, float, float, float]) -> bool:
        if card.image is None:
            return False
        x, y, width, height = place
        pixels = round(width / 72 * _DPI), round(height / 72 * _DPI)
        try:
            whole = images.lost_by_filling(card.image, width / height) > _MOST_CROPPED
            picture = images.prepare(card.image, self.cache, width=pixels[0], height=pixels[1], cover=not whole)
        except images.UnusablePicture as problem:
            note = f"[picture: {problem}]"
            self.document.write(note, x + width / 2, y + 3, look.ITALIC, FLOOR, align="center", colour=look.MUTED)
            return False
        scale = max if not whole else min
        factor = scale(width / picture.width, height / picture.height)
        size = picture.width * factor, picture.height * factor
        self._ground(place)
        images.draw(self.canvas, picture, x + (width - size[0]) / 2, y + (height - size[1]) / 2, size)
        return True

    def _ground(self, place: tuple[float, float, float, float]) -> None:
        """Fine rays on parchment."""
        canvas = self.canvas
        x, y, width, height = place
        canvas.setFillColor(self.document.colour(look.PANEL))
        canvas.rect(x, y, width, height, stroke=0, fill=1)
        canvas.setStrokeColor(self.document.colour(look.PANEL_DARK))
        canvas.setLineWidth(0.6)
        reach = width + height
        for step in range(48):
            angle = math.radians(step * 7.5)
            dx, dy = math.cos(angle), math.sin(angle)
            middle, centre = x + width / 2, y + height / 2
            canvas.line(middle + dx * 9, centre + dy * 9, middle + dx * reach, centre + dy * reach)

    def _drawn(self, card: PrintableCard, place: tuple[float, float, float, float], shade: str) -> None:
        """The card's emblem, its pips, or its suit."""
        x, y, width, height = place
        self._ground(place)
        self._signs(card, (x, y, width, height), shade)

    def _signs(self, card: PrintableCard, place: tuple[float, float, float, float], shade: str) -> None:
        x, y = place[0] + place[2] / 2, place[1] + place[3] / 2
        width, height = min(place[2] - 20 * _MM, 40 * _MM), place[3] - 5 * _MM
        if self._court(card, place, shade):
            return
        known = icons.find(card.emblem, self.document.glyphs.theme.vault)
        number = int(card.corner) if card.corner.isascii() and card.corner.isdigit() else 0
        if known or number not in _PIPS or not card.icons:
            size = min(width, height) * 0.92
            signs = (card.emblem,) if known else card.icons or (card.title,)
            self._row(card, signs, x=x, y=y, size=size if len(signs) == 1 else size / len(signs) * 1.15, shade=shade)
            return
        size, rows = max((_pip_size(rows, width, height), rows) for rows in _PIPS[number])
        drawn = 0
        for line, count in enumerate(rows):
            level = y + ((len(rows) - 1) / 2 - line) * size * 1.16
            signs = tuple(card.icons[(drawn + n) % len(card.icons)] for n in range(count))
            self._row(card, signs, x=x, y=level, size=size, shade=shade)
            drawn += count

    def _court(self, card: PrintableCard, place: tuple[float, float, float, float], shade: str) -> bool:
        """A large letter over the suit, for a person of rank who has no picture and no words."""
        rank = str(card.rank or "")
        lone = not (card.text_markdown.strip() or card.facts) and len(card.icons) == 1
        if not lone or not rank.isalpha() or rank.lower() == "ace":
            return False
        x, middle = place[0] + place[2] / 2, place[1] + place[3] / 2
        size = place[3] * 0.34
        write = self.document.write
        write(card.corner, x, middle + size * 0.22, look.TITLE_BOLD, size * 1.05, align="center", colour=shade)
        self._row(card, card.icons, x=x, y=middle - size * 0.62, size=size, shade=shade)
        return True

    def _facts(self, face: Face, width: float, shade: str) -> None:
        """Labels on the left of the middle, values on its right; a value that has a sign has it beside it."""
        if not face.facts:
            return
        write, middle = self.document.write, width * 0.46
        y = face.facts_y + FACT * len(face.facts) / 2
        for label, value in face.facts:
            y -= FACT
            write(label, middle - 4, y + 3, look.TEXT, 9, align="right", colour=look.MUTED)
            write(value, middle + 4, y + 3, look.BOLD, 10)
            if icons.find(value, self.document.glyphs.theme.vault):
                left = middle + 8 + self.document.glyphs.width(value, look.BOLD, 10)
                self._sign(value, x=left, y=y + 1.5, size=FACT * 0.8, shade=shade, letter=value)

    def _row(self, card: PrintableCard, signs: tuple[str, ...], *, x: float, y: float, size: float, shade: str) -> None:
        step = size * 1.14
        for number, sign in enumerate(signs):
            left = x + (number - (len(signs) - 1) / 2) * step - size / 2
            own = self._shade(card, sign) if sign in card.icons else shade
            self._sign(sign, x=left, y=y - size / 2, size=size, shade=own, letter=card.suit or card.title)

    def _sign(self, name: str, *, x: float, y: float, size: float, shade: str, letter: str) -> None:
        theme = self.document.glyphs.theme
        icons.draw_sign(self.canvas, theme, name, x=x, y=y, size=size, colour=shade, letter=letter)

    def _corners(self, card: PrintableCard, art: tuple[float, float, float, float], shade: str) -> None:
        """Rank over suit in both upper corners, where a fanned hand shows them."""
        if not card.corner and not card.icons:
            return
        canvas, write = self.canvas, self.document.write
        x, y, width, height = art
        size, wide = 4.6 * _MM, 8.4 * _MM
        tall = (5.2 * _MM if card.corner else 0) + len(card.icons) * (size + 0.8 * _MM) + 1.6 * _MM
        for left in (x, x + width - wide):
            top = y + height
            canvas.setFillColor(self.document.colour(look.PAPER))
            canvas.setStrokeColor(self.document.colour(shade))
            canvas.setLineWidth(0.5)
            canvas.roundRect(left, top - tall, wide, tall, 1.2 * _MM, stroke=1, fill=1)
            level = top - 0.9 * _MM
            if card.corner:
                level -= 4.6 * _MM
                middle = left + wide / 2
                write(card.corner, middle, level + 0.5 * _MM, look.TITLE_BOLD, 14, align="center", colour=shade)
            for sign in card.icons:
                level -= size + 0.4 * _MM
                own, middle = self._shade(card, sign), left + (wide - size) / 2
                self._sign(sign, x=middle, y=level, size=size, shade=own, letter=card.suit)

    def _title(self, face: Face, width: float, shade: str) -> None:
        card, middle = face.card, width / 2
        y = face.title_top - 4.0
        for line in face.title_lines:
            y -= face.title_size
            level, size = y + face.title_size * 0.1, face.title_size
            self.document.write(line, middle, level, look.TITLE_BOLD, size, align="center", colour=shade)
            y -= size * 0.12
        if face.part == 1 and card.subtitle:
            y -= 9.0
            self.document.write(card.subtitle, middle, y + 1.5, look.ITALIC, 8.5, align="center", colour=look.MUTED)
            y -= 1.0
        self._flourish(middle, y - 3.5, width * 0.3)
        address = web_address(card.link)
        if address:
            self.canvas.linkURL(address, (middle - width * 0.35, y, middle + width * 0.35, face.title_top), relative=1)

    def _flourish(self, x: float, y: float, half: float) -> None:
        canvas = self.canvas
        canvas.setStrokeColor(self.document.colour(look.GOLD))
        canvas.setFillColor(self.document.colour(look.GOLD))
        canvas.setLineWidth(0.5)
        canvas.line(x - half, y, x - 4, y)
        canvas.line(x + 4, y, x + half, y)
        path = canvas.beginPath()
        path.moveTo(x - 2.2, y)
        for dx, dy in ((0, 2.2), (2.2, 0), (0, -2.2)):
            path.lineTo(x + dx, y + dy)
        path.close()
        canvas.drawPath(path, stroke=0, fill=1)

    def _foot(self, width: float) -> None:
        room = width - 14 * _MM
        words = self.deck_title
        while words and self.document.glyphs.width(words, look.TEXT, FLOOR) > room:
            words = words[:-2].rstrip() + "…"
        self.document.write(words, width / 2, 5.0 * _MM, look.TEXT, FLOOR, align="center", colour=look.MUTED)

    def _shade(self, card: PrintableCard, sign: str) -> str:
        """The colour of a suit; of a suit that has none that of the first fact that has one, such as an element."""
        theme = self.document.glyphs.theme
        own = theme.suit(sign)
        told = (theme.suit(value) for _, value in card.facts)
        return own if own != look.INK or sign not in card.icons else next((c for c in told if c != look.INK), own)


def _pip_size(rows: tuple[int, ...], width: float, height: float) -> float:
    return min(height / len(rows) * 0.85, width / max(rows) * 0.88, (15 if sum(rows) > 1 else 24) * _MM)
