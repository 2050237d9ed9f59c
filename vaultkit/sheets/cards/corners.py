"""Rank over suit in both upper corners, where a fanned hand shows them: decoration to a reader's ear."""

from vaultkit.look import icons
from vaultkit.look import theme as look
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.face import Face
from vaultkit.sheets.cards.signs import SignPainter
from vaultkit.sheets.cards.sizes import sizes_of
from vaultkit.sheets.geometry.paper import MM_POINTS
from vaultkit.sheets.pdf.document import Document

_LETTER = 7.5
"""The size of the letters of a suit in points."""


class CornerPainter:
    """Draws the corners of cards, and the sign between them where there is no picture."""

    def __init__(self, document: Document, signs: SignPainter) -> None:
        self.document = document
        self.signs = signs
        sizes = sizes_of(document.glyphs.theme)
        self.unit = MM_POINTS * sizes.scale
        """A millimetre of what is drawn here: more in large print."""
        self.written = max(_LETTER, sizes.floor)
        self.wide, self.edge = 8.4 * self.unit, 1.6 * self.unit
        self.rank, self.sign, self.letter = 5.2 * self.unit, 5.4 * self.unit, self.written * 1.1
        """The room that a rank, a sign and the letter of a suit take from top to bottom."""

    def draw(self, face: Face, width: float, height: float) -> None:
        """Both corners of a card; none for its further parts, and where rank and suit stand below the title."""
        card = face.card
        if face.part > 1 or face.beside or not (card.corner or card.icons):
            return
        if face.art is None:
            self._without_picture(face, width, height)
        elif not face.whole:
            x, y, wide, tall = face.free if face.panel else face.art
            step = self._step(card, tall)
            for left in (x, x + wide - self.wide):
                self._box(card, left, y + tall, step, face.frame.picture_corner)
                self._corner(card, left, y + tall, step)

    def _without_picture(self, face: Face, width: float, height: float) -> None:
        inset, card = face.frame.picture_inset, face.card
        for left in (inset + 0.6 * MM_POINTS, width - inset - 0.6 * MM_POINTS - self.wide):
            self._corner(card, left, height - inset + 0.6 * MM_POINTS, self._step(card, 13.0 * self.unit))
        known = icons.find(card.emblem, self.document.glyphs.theme.vault)
        signs = (card.emblem,) if known else card.icons
        room = (width - 2 * inset - 2 * self.wide) / max(len(signs), 1)
        size, y = min(8.5 * self.unit, room * 0.8), height - inset - 6.2 * self.unit
        self.signs.row(card, signs, x=width / 2, y=y, size=size)

    @property
    def _lettered(self) -> bool:
        """Whether suits are told by letters too: where there are no colours to tell them by."""
        return self.document.glyphs.theme.grey

    def _step(self, card: PrintableCard, room: float) -> float:
        """The height of a sign with its letter: less if all of them would take more than `room`."""
        usual = self.sign + (self.letter if self._lettered and card.letters else 0.0)
        free = room - self.edge - (self.rank if card.corner else 0.0)
        return min(usual, free / max(len(card.icons), 1))

    def _box(self, card: PrintableCard, left: float, top: float, step: float, corner: float) -> None:
        """Paper behind an index that stands on a picture."""
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
