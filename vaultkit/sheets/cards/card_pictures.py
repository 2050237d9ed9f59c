"""Small pictures of cards: a spread as it lies on the table, and rows of cards that are named in a story."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from vaultkit.compendium.spreads import Shape
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.pdf.tags import Tag
from vaultkit.sheets.text.flowables import Flowable, page_box
from vaultkit.sheets.text.tagged_text import TaggedParagraph
from vaultkit.theme import image_transcoding, print_pictures
from vaultkit.theme import model as look
from vaultkit.theme.glyphs import Glyphs
from vaultkit.theme.icons import draw_sign
from vaultkit.theme.image_fitting import Fit

CARD_HEIGHT_RATIO = 88 / 63
"""Height over width of a card."""
_CORNER_RADIUS_SHARE = 0.06
_LABEL_MARGIN_PT, _CARD_GAP_PT, _MAX_CARD_WIDTH_PT = 4.0, 12.0, 130.0
_NAME_MARGIN_PT = 3.0
_MAX_THUMBNAIL_WIDTH_PT, _THUMBNAIL_MARGIN_PT, _MIN_NAME_GAP_PT, _MIN_CELL_WIDTH_PT = 60.0, 10.0, 5.0, 54.0
"""The maximum width of a picture, the white beside it, the minimum white between names, and the minimum width of a
place, in points."""


@dataclass(frozen=True)
class Thumbnail:
    """A card as small as `width` points: its art, or its sign where the vault has no picture of it."""

    card: PrintableCard
    width: float
    glyphs: Glyphs

    @property
    def height(self) -> float:
        return self.width * CARD_HEIGHT_RATIO

    def draw(self, canvas: Any, x: float, y: float) -> None:
        """Draw the card with its lower left corner at x, y points, as part of the current tag."""
        corner = self.width * _CORNER_RADIUS_SHARE
        with canvas.preserve_state():
            canvas.clip(x, y, self.width, self.height, corner)
            if not self._picture(canvas, x, y):
                self._sign(canvas, x, y)
        canvas.pen(look.GOLD, 0.8)
        canvas.roundRect(x, y, self.width, self.height, corner, stroke=1, fill=0)

    def _picture(self, canvas: Any, x: float, y: float) -> bool:
        if self.card.image is None:
            return False
        width, height = image_transcoding.to_pixels(self.width), image_transcoding.to_pixels(self.height)
        fit = Fit(width, height, True, tone=self.glyphs.theme.tone)
        try:
            picture = print_pictures.prepare(self.card.image, fit, self.glyphs.theme)
        except image_transcoding.UnusablePicture:
            return False
        canvas.draw_picture(picture, x, y, (self.width, self.height))
        return True

    def _sign(self, canvas: Any, x: float, y: float) -> None:
        theme = self.glyphs.theme
        canvas.fill(look.PANEL)
        canvas.rect(x, y, self.width, self.height, stroke=0, fill=1)
        names = self.card.icons[:2] or ("",)
        size = self.width * (0.5 if len(names) == 1 else 0.36)
        left, bottom = x + (self.width - size * len(names)) / 2, y + (self.height - size) / 2
        for number, name in enumerate(names):
            place, colour = left + number * size, theme.suit_role(name) if name else look.MUTED
            draw_sign(canvas, theme, name, x=place, y=bottom, size=size, colour=colour, letter=self.card.title)


class SpreadPicture(Flowable):  # type: ignore[misc]
    """The cards of a spread at their named `positions`, `width` x `height` points at most, as one picture.

    `words` say the same to a screen reader.
    """

    def __init__(
        self, cards: Sequence[PrintableCard], positions: Sequence[str], shape: Shape, glyphs: Glyphs, tag: Tag, *,
        width: float, height: float,
    ) -> None:  # fmt: skip
        super().__init__()
        self._cards, self._shape, self._glyphs, self._tag = cards, shape, glyphs, tag
        labelled_cards = list(zip(positions, cards, strict=True))
        labels = [f"{number}. {name or card.title}" for number, (name, card) in enumerate(labelled_cards, 1)]
        contents = [f": {card.title}" if name else "" for name, card in labelled_cards]
        self.words = "; ".join(map("".join, zip(labels, contents, strict=True)))
        size = glyphs.theme.min_text_size
        style = glyphs.theme.style(look.BOLD, size, size * 1.15, alignment=1)
        self._labels = [TaggedParagraph(glyphs.to_markup(label, look.BOLD), style) for label in labels]
        room = width / len(shape[0]) - _CARD_GAP_PT
        self._label_height: float = max(label.wrapOn(None, room, 1000)[1] for label in self._labels) + _LABEL_MARGIN_PT
        high = (height + _CARD_GAP_PT) / len(shape) - _CARD_GAP_PT - self._label_height
        self._card_width: float = min(high / CARD_HEIGHT_RATIO, room, _MAX_CARD_WIDTH_PT)
        widest = max(glyphs.measure_width(label, look.BOLD, size) for label in labels)
        self._cell_width = min(width / len(shape[0]), max(self._card_width, widest) + 2 * _CARD_GAP_PT)
        self.spaceBefore = self.spaceAfter = 10

    @property
    def _row_height(self) -> float:
        return self._card_width * CARD_HEIGHT_RATIO + self._label_height + _CARD_GAP_PT

    def wrap(self, wide: float, _high: float) -> tuple[float, float]:
        """Return the available width, and the height of all rows."""
        self.width, self.height = wide, self._row_height * len(self._shape) - _CARD_GAP_PT
        return self.width, self.height

    def draw(self) -> None:
        """Draw all cards as the content of one picture."""
        left = (self.width - self._cell_width * len(self._shape[0])) / 2
        self._tag.box = page_box(self.canv, 0, 0, self.width, self.height)
        with self.canv.tag_content(self._tag):
            for row, numbers in enumerate(self._shape):
                for column, number in enumerate(numbers):
                    if number:
                        self._place(number - 1, left + column * self._cell_width, self.height - row * self._row_height)

    def _place(self, number: int, x: float, top: float) -> None:
        thumbnail, label = Thumbnail(self._cards[number], self._card_width, self._glyphs), self._labels[number]
        thumbnail.draw(self.canv, x + (self._cell_width - self._card_width) / 2, top - thumbnail.height)
        label_top, width = top - thumbnail.height - _LABEL_MARGIN_PT, self._cell_width - _CARD_GAP_PT
        _draw_below(self.canv, label, x + _CARD_GAP_PT / 2, label_top, width)


class PictureRow(Flowable):  # type: ignore[misc]
    """Thumbnails side by side in the middle of the column, in cells of `cell` points; each is an item of a list.

    Their `titles` stand below them.
    """

    def __init__(
        self, cards: Sequence[Thumbnail], titles: Sequence[str], cell: float, glyphs: Glyphs, tag: Tag
    ) -> None:
        super().__init__()
        self._cell_width = cell
        size = glyphs.theme.min_text_size
        style = glyphs.theme.style(look.TEXT, size, size * 1.15, alignment=1)
        self._items: list[tuple[Thumbnail, Tag, Any]] = []
        for thumbnail, title in zip(cards, titles, strict=True):
            body = tag.add("LI").add("LBody")
            figure, words = body.add("Figure", alt=f"The card {thumbnail.card.title}"), body.add("P")
            name = TaggedParagraph(glyphs.to_markup(title, look.TEXT), style, tag=words)
            self._items.append((thumbnail, figure, name))
        self.spaceBefore = self.spaceAfter = 7

    def wrap(self, wide: float, _high: float) -> tuple[float, float]:
        """Return the available width, and the height of the pictures with the longest name."""
        names = max(name.wrapOn(None, self._cell_width - 4, 1000)[1] for _, _, name in self._items)
        self.width, self.height = wide, self._items[0][0].height + _NAME_MARGIN_PT + names
        return self.width, self.height

    def draw(self) -> None:
        """Draw pictures and names."""
        left = (self.width - self._cell_width * len(self._items)) / 2
        for number, (card, figure, name) in enumerate(self._items):
            x, y = left + number * self._cell_width, self.height - card.height
            middle = x + (self._cell_width - card.width) / 2
            figure.box = page_box(self.canv, middle, y, card.width, card.height)
            with self.canv.tag_content(figure):
                card.draw(self.canv, middle, y)
            _draw_below(self.canv, name, x + 2, y - _NAME_MARGIN_PT, self._cell_width - 4)


def _draw_below(canvas: Any, words: Any, x: float, top: float, width: float) -> None:
    _, high = words.wrapOn(canvas, width, 1000)
    words.drawOn(canvas, x, top - high)


def picture_rows(
    cards: Sequence[PrintableCard], titles: Sequence[str], width: float, glyphs: Glyphs, tag: Tag
) -> Iterator[PictureRow]:
    """Yield rows of small pictures with their titles, as one list; no word of a title is broken."""
    size = glyphs.theme.min_text_size
    widest = max(glyphs.measure_widest_part(title, look.TEXT, size) for title in titles) + _MIN_NAME_GAP_PT
    rows = -(-len(cards) // max(1, int(width / max(_MIN_CELL_WIDTH_PT, widest))))
    each = -(-len(cards) // rows)
    cell = min(max(_MAX_THUMBNAIL_WIDTH_PT + _THUMBNAIL_MARGIN_PT, widest), width / each)
    list_tag = tag.add("L")
    for start in range(0, len(cards), each):
        thumbnail_width = min(_MAX_THUMBNAIL_WIDTH_PT, cell - _THUMBNAIL_MARGIN_PT)
        row = [Thumbnail(card, thumbnail_width, glyphs) for card in cards[start : start + each]]
        yield PictureRow(row, titles[start : start + each], cell, glyphs, list_tag)
