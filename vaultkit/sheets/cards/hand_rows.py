"""Hands of cards on player aids: a name, what it takes, and small cards as an example."""

from vaultkit.sheets.cards.print_card import Hand
from vaultkit.sheets.cards.text_sizes import MIN_TEXT_SIZE_PT
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.flowables import Flowable, page_box
from vaultkit.theme import icons
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.lengths import MM_POINTS

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
