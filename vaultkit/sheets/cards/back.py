"""Draws the backs of cards: once for a document, then placed wherever one is needed."""

from pathlib import Path

from vaultkit.errors import InvalidError
from vaultkit.sheets import icons, images
from vaultkit.sheets.cards.back_design import WIDTH, BackDesign, Medallion
from vaultkit.sheets.cards.back_pattern import signs_of
from vaultkit.sheets.geometry.imposition import BLEED
from vaultkit.sheets.geometry.paper import Box, Size, points
from vaultkit.sheets.pdf.document import Document

_DPI = 300
_FORM = "card-back"
_SPARE = 300
"""So much more than the bleed is drawn, in micrometres, for backs to overlap."""


Back = BackDesign | Path
"""A drawn design, or a picture that fills every back."""


class BackPainter:
    """Places backs on the pages of `document`. Drawn ones look the same from both ends of the card.

    Raises InvalidError for a picture that cannot be used.
    """

    def __init__(self, document: Document, back: Back, card: Size, cache: Path, *, bleed: int = BLEED) -> None:
        self.document = document
        self.canvas = document.canvas
        self.card = card
        self.bleed = card.box.inset(-max(bleed, BLEED) - _SPARE)
        left, bottom, right, top = self.bleed.corners
        self.canvas.beginForm(_FORM, left, bottom, right, top)
        if isinstance(back, Path):
            self._picture(back, cache)
        else:
            self._drawn(back)
        self.canvas.endForm()

    def draw(self, slot: Box, bleed: Box, *, turned: bool = False) -> None:
        """Draws the back into `slot` and over its cut as far as `bleed`; `turned` on its head."""
        canvas = self.canvas
        canvas.saveState()
        self._clip(bleed)
        canvas.translate(points(slot.x), points(slot.y))
        if turned:
            canvas.translate(points(slot.width), points(slot.height))
            canvas.rotate(180)
        canvas.doForm(_FORM)
        canvas.restoreState()

    def _picture(self, source: Path, cache: Path) -> None:
        """The picture, cropped alike on all sides until it fills the card and its bleed."""
        x, y, width, height = self.bleed.points
        pixels = round(width / 72 * _DPI), round(height / 72 * _DPI)
        tone = self.document.glyphs.theme.tone
        try:
            picture = images.prepare(source, cache, width=pixels[0], height=pixels[1], cover=True, top=0.5, tone=tone)
        except images.UnusablePicture as problem:
            raise InvalidError(f"The picture for the back cannot be used: {problem}.", where=source.name) from problem
        images.draw(self.canvas, picture, x, y, (width, height))

    def _drawn(self, design: BackDesign) -> None:
        """What stands upright, and the same again turned round: so no end of the card is the top."""
        canvas, (_, _, width, height) = self.canvas, self.card.box.points
        canvas.setFillColor(self.document.colour(design.ground))
        canvas.rect(*self.bleed.points, stroke=0, fill=1)
        if design.medallion is not None:
            self._medallion(design.medallion)
        for turned in (False, True):
            canvas.saveState()
            if turned:
                canvas.translate(width, height)
                canvas.rotate(180)
            self._half(design)
            canvas.restoreState()
        self._lines(design)

    def _half(self, design: BackDesign) -> None:
        """All that stands upright: with the same turned round it makes up the back."""
        x, y = points(self.card.width) / 2, points(self.card.height) / 2
        for across, up, sign in signs_of(design, self.card, self.bleed, self._scale):
            self.canvas.saveState()
            self.canvas.translate(x + across, y + up)
            if up == 0:
                self.canvas.rotate(-90)
            self._sign(sign, 0, 0, self._length(design.pattern.size), design.pattern.colour)
            self.canvas.restoreState()
        if design.medallion is not None:
            self._sign(
                design.medallion.sign,
                x,
                y + self._length(design.medallion.radius) * 0.43,
                self._length(design.medallion.radius) * 0.72,
                design.medallion.colour,
            )

    def _medallion(self, medallion: Medallion) -> None:
        x, y, radius = points(self.card.width) / 2, points(self.card.height) / 2, self._length(medallion.radius)
        self.canvas.setFillColor(self.document.colour(medallion.ground))
        self.canvas.setStrokeColor(self.document.colour(medallion.colour))
        for share, width in ((1.0, 0.05), (0.9, 0.02)):
            self.canvas.setLineWidth(radius * width)
            self.canvas.circle(x, y, radius * share, stroke=1, fill=1)

    def _sign(self, name: str, x: float, y: float, size: float, colour: str) -> None:
        """The sign `name` with its middle at x, y."""
        theme = self.document.glyphs.theme
        icons.draw_sign(self.canvas, theme, name, x=x - size / 2, y=y - size / 2, size=size, colour=colour)

    def _lines(self, design: BackDesign) -> None:
        canvas, (_, _, width, height) = self.canvas, self.card.box.points
        for line in design.lines:
            gap = self._length(line.inset) + self._length(line.width) / 2
            canvas.setStrokeColor(self.document.colour(line.colour))
            canvas.setLineWidth(self._length(line.width))
            canvas.roundRect(gap, gap, width - 2 * gap, height - 2 * gap, self._length(line.corner), stroke=1, fill=0)

    def _clip(self, box: Box) -> None:
        path = self.canvas.beginPath()
        path.rect(*box.points)
        self.canvas.clipPath(path, stroke=0, fill=0)

    @property
    def _scale(self) -> float:
        """How much larger this card is than the one that backs are designed for; never so small that lines near
        the cut would come too near."""
        return max(0.8, self.card.width / WIDTH)

    def _length(self, micrometres: int) -> float:
        return points(micrometres) * self._scale
