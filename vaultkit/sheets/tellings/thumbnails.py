"""Small pictures of cards, as they lie in a reading or are named in a story."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vaultkit.look import images
from vaultkit.look import theme as look
from vaultkit.look.glyphs import Glyphs
from vaultkit.look.icons import draw_sign
from vaultkit.sheets.cards.card import PrintableCard

SHAPE = 88 / 63
"""Height over width of a card."""
_ROUND = 0.06
_DPI = 300


@dataclass(frozen=True)
class Thumbnail:
    """A card as small as `width` points: its art, or its sign where the vault has no picture of it."""

    card: PrintableCard
    width: float
    glyphs: Glyphs
    cache: Path

    @property
    def height(self) -> float:
        return self.width * SHAPE

    def draw(self, canvas: Any, x: float, y: float) -> None:
        """Draws it with its lower left corner at x, y points; what it is content of, the caller says."""
        theme = self.glyphs.theme
        corner = self.width * _ROUND
        canvas.saveState()
        outline = canvas.beginPath()
        outline.roundRect(x, y, self.width, self.height, corner)
        canvas.clipPath(outline, stroke=0, fill=0)
        if not self._picture(canvas, x, y):
            self._sign(canvas, x, y)
        canvas.restoreState()
        canvas.setStrokeColor(theme.colour(look.GOLD))
        canvas.setLineWidth(0.8)
        canvas.roundRect(x, y, self.width, self.height, corner, stroke=1, fill=0)

    def _picture(self, canvas: Any, x: float, y: float) -> bool:
        if self.card.image is None:
            return False
        size = round(self.width / 72 * _DPI), round(self.height / 72 * _DPI)
        tone = self.glyphs.theme.tone
        try:
            picture = images.prepare(self.card.image, self.cache, width=size[0], height=size[1], cover=True, tone=tone)
        except images.UnusablePicture:
            return False
        images.draw(canvas, picture, x, y, (self.width, self.height))
        return True

    def _sign(self, canvas: Any, x: float, y: float) -> None:
        theme = self.glyphs.theme
        canvas.setFillColor(theme.colour(look.PANEL))
        canvas.rect(x, y, self.width, self.height, stroke=0, fill=1)
        names = self.card.suit_icon.split()[:2] or [""]
        size = self.width * (0.5 if len(names) == 1 else 0.36)
        left = x + (self.width - size * len(names)) / 2
        for number, name in enumerate(names):
            place = left + number * size
            bottom = y + (self.height - size) / 2
            colour = theme.suit(name) if name else look.MUTED
            draw_sign(canvas, theme, name, x=place, y=bottom, size=size, colour=colour, letter=self.card.title)
