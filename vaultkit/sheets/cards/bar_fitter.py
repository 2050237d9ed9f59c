"""Layout of cards with a title bar: a picture and words from the top, continued on the back and on further cards."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import structs

from vaultkit.errors import InvalidError
from vaultkit.sheets.cards.print_card import SAFE_MARGIN_UM, Face, Frame, PrintableCard, Rectangle, load_frame, shape_of
from vaultkit.sheets.cards.text_sizes import TITLE_LINE_HEIGHT_RATIO, Sizes, sizes_of
from vaultkit.sheets.paper import Size
from vaultkit.sheets.pdf.document import Document
from vaultkit.theme import image_transcoding
from vaultkit.theme import model as look
from vaultkit.theme.lengths import MM_POINTS, points

if TYPE_CHECKING:
    from vaultkit.sheets.text.blocks import Block, PlacedBlock
    from vaultkit.sheets.text.layout import TextColumn

    Filled = tuple[list[PlacedBlock], list[Block]]

_POKER_WIDTH_PT = 63 * MM_POINTS
"""The card width, in points, to which a frame's sizes of titles and pictures apply; on wider cards they are larger."""
BAR_PADDING_PT = 2.6
"""The white above and below a title in its bar, in points."""
EMBLEM_SHARE = 1.1
"""The side of the sign in a title bar, as a share of the title's size."""
_TITLE_STEP_PT, _MIN_TITLE_SIZE_PT = 0.5, 10.0
_CARDS_PER_LONG_TITLE, _CARDS_FOR_EXTRA_FACE = 8, 20
"""One in so many cards may have a title of several lines, and one in so many a further face for larger text."""
_LEADINGS = (1.2, 1.15, 1.1)
"""Line heights to try for one card, as shares of the text size."""
_MAX_CROPPED_SHARE = 0.45
"""The largest share of a picture that may be cropped; else it goes to its other place, or is shown whole."""
_BODY_GAP_PT, _PICTURE_GAP_PT = 4.0, 5.0
"""The white below the title bar, and around a picture."""


@dataclass(frozen=True)
class CardFitter:
    """A fitter of cards of one size, with `deck_title` at their foot; `frame` is for cards without their own.

    Below a title bar, words may fill `sides` sides of a card before another card is begun.
    """

    document: Document
    size: Size
    deck_title: str = ""
    frame: Frame = field(default_factory=lambda: load_frame("classic", None))
    sides: int = 1

    @cached_property
    def sizes(self) -> Sizes:
        """The text sizes for cards of this width."""
        return sizes_of(self.document.glyphs.theme, self.width)

    @cached_property
    def width(self) -> float:
        return points(self.size.width)

    @cached_property
    def scale(self) -> float:
        """The factor by which titles and pictures are larger than on a poker card."""
        return max(1.0, round(self.width / _POKER_WIDTH_PT, 2))

    def frame_of(self, card: PrintableCard) -> Frame:
        return card.frame or self.frame

    def fit_title(self, text: str, face: str, room: float, **options: Any) -> tuple[tuple[str, ...], float]:
        """Return the lines and the size of a title that is `room` points wide at most."""
        from vaultkit.sheets.cards.card_words import fit_title

        return fit_title(text, self.document.glyphs, face, room, **options)


@dataclass(frozen=True)
class BarFitter(CardFitter):
    """Fits the cards of a deck that have a title bar; all have one size of titles and one of text."""

    title_size: float = 0.0
    text_size: float = 0.0
    lead: float = _LEADINGS[0]

    def for_deck(self, cards: Sequence[PrintableCard]) -> "BarFitter":
        """Return a copy of this fitter with the text and title sizes that suit `cards`."""
        fitter = replace(self, title_size=self._choose_title_size(cards), text_size=self.sizes.readable)
        counts = [(card, len(fitter._lay_out(card, self.sizes.max_cards))) for card in cards]
        sizes = [size for size, _ in (*self.sizes.alone, *self.sizes.texts) if size > self.sizes.readable]
        fitting = (larger for size in sizes if (larger := replace(fitter, text_size=size))._adds_few_faces(counts))
        return next(fitting, fitter)

    def faces(self, card: PrintableCard) -> list[Face]:
        """Return the card's front, and its further faces; lines are nearer to each other if that saves a face.

        Raises InvalidError for more words than any card may have.
        """
        faces: list[Face] = []
        for lead in _LEADINGS:
            layout = replace(self, lead=lead)._lay_out(card, self.sizes.max_cards)
            faces = layout if not faces or len(layout) < len(faces) else faces
            if len(faces) <= self.sides:
                break
        return [replace(face, parts=len(faces)) for face in faces]

    def _choose_title_size(self, cards: Sequence[PrintableCard]) -> float:
        size = max(self.sizes.title, *(self.frame_of(card).title.size * self.scale for card in cards))
        least = max(self.sizes.title, _MIN_TITLE_SIZE_PT * min(self.scale, 1.2))
        while size > least and not self._suits_titles(cards, size):
            size -= _TITLE_STEP_PT
        return size

    def _suits_titles(self, cards: Sequence[PrintableCard], size: float) -> bool:
        """Return whether most titles have one line at that size."""
        counts = [len(replace(self, title_size=size)._title_lines(card)) for card in cards]
        return sum(count > 1 for count in counts) <= len(cards) // _CARDS_PER_LONG_TITLE

    def _title_lines(self, card: PrintableCard) -> tuple[str, ...]:
        size = self.title_size
        signs = (len(card.icons) or bool(card.emblem)) * size * EMBLEM_SHARE + (size if card.corner else 0)
        room = self.width - 2 * self.frame_of(card).text_inset - signs - 2.0
        return self.fit_title(card.title, look.TITLE_BOLD, room, size=size, floor=size, language=card.language)[0]

    def _adds_few_faces(self, counts: Sequence[tuple[PrintableCard, int]]) -> bool:
        """Return whether the cards need hardly more faces at this text size than the numbers in `counts`."""
        extra = 0
        for card, count in counts:
            extra += len(self._lay_out(card, count + 1)) - count
            if extra > len(counts) // _CARDS_FOR_EXTRA_FACE:
                return False
        return True

    def _lay_out(self, card: PrintableCard, limit: int) -> list[Face]:
        """Return the faces of a card, `limit` at most; raises InvalidError if even the most are too few."""
        from vaultkit.sheets.cards.card_words import card_blocks
        from vaultkit.sheets.text.layout import TextColumn

        frame, glyphs, floor = self.frame_of(card), self.document.glyphs, self.sizes.floor
        left, width, foot = frame.text_inset, self.width - 2 * frame.text_inset, frame.foot + self.sizes.foot
        rest = card_blocks(card, glyphs, size=self.text_size, floor=floor, room=width, lead=self.lead)
        face = self._empty_face(card, frame)
        top = (face.panel or (0.0, 0.0))[1] - _BODY_GAP_PT
        faces: list[Face] = []
        while len(faces) < limit and (rest or not faces):
            body, items = TextColumn(left, width, top, foot), list["PlacedBlock"]()
            if not faces and (art := self._place_picture(card, frame, top)):
                face = replace(face, art=art)
                items, rest = self._fill_beside(rest, body, art)
                below = art[1] - _PICTURE_GAP_PT
                body = structs.replace(body, top=below, fresh=False)
            more, rest = self._fill(rest, body)
            if rest and not (items or more or face.art):
                break
            faces.append(replace(face, placed=(*items, *more), part=len(faces) + 1))
            face = replace(face, art=None)
        if rest and (len(faces) < limit or limit >= self.sizes.max_cards):
            refuse(card, len(faces), rest)
        return faces

    def _empty_face(self, card: PrintableCard, frame: Frame) -> Face:
        """Return a face with its title bar and its foot."""
        lines, size = self._title_lines(card), self.title_size
        edge = frame.lines[0].inset if frame.lines else points(SAFE_MARGIN_UM)
        top = points(self.size.height) - edge
        height = len(lines) * size * TITLE_LINE_HEIGHT_RATIO + 2 * BAR_PADDING_PT
        panel = edge, top - height, self.width - 2 * edge, height
        return Face(
            card, frame, title_lines=lines, title_size=size, title_top=top - BAR_PADDING_PT, title_x=frame.text_inset,
            foot_lines=(self.deck_title,), panel=panel,
        )  # fmt: skip

    def _place_picture(self, card: PrintableCard, frame: Frame, top: float) -> Rectangle | None:
        """Return the place of the card's picture: beside the words, or above them; None without one.

        A picture that would lose too much in its frame's place gets the other one, or a place of its own shape.
        """
        shape = shape_of(card)
        if not (shape and frame.picture_height):
            return None
        inset, height = frame.picture_inset, frame.picture_height * self.scale
        full = self.width - 2 * inset
        width = frame.picture_width * self.scale or full
        other = full if frame.picture_width else height * 0.75
        if image_transcoding.cropped_share(shape, width / height) > _MAX_CROPPED_SHARE:
            losses = [image_transcoding.cropped_share(shape, wide / height) for wide in (width, other)]
            width = min(width, height * shape) if min(losses) > _MAX_CROPPED_SHARE else other
        top -= _PICTURE_GAP_PT - _BODY_GAP_PT
        return inset, top - height, width, height

    def _fill_beside(self, blocks: list["Block"], body: "TextColumn", art: Rectangle) -> "Filled":
        """Return the words beside a picture, and the others."""
        x, y, width, _ = art
        right = body.left + body.width
        if x + width > right - _PICTURE_GAP_PT:
            return [], blocks
        left = x + width + _PICTURE_GAP_PT
        column = structs.replace(body, left=left, width=right - left, bottom=y, fresh=False)
        count = next((n for n, block in enumerate(blocks) if not _can_be_narrow(block)), len(blocks))
        while count and blocks[count - 1].keep:
            count -= 1
        for block in blocks[:count]:
            if style := getattr(block.flowable, "style", None):
                style.allowWidows = style.allowOrphans = 1  # the words go on right below the picture
        items, rest = self._fill(blocks[:count], column)
        return items, [*rest, *blocks[count:]]

    def _fill(self, blocks: list["Block"], column: "TextColumn") -> "Filled":
        from vaultkit.sheets.text.layout import fill_column

        return fill_column(blocks, column, self.document.canvas)


def _can_be_narrow(block: "Block") -> bool:
    """Return whether a block may stand beside a picture: words and facts outside boxes, of any width."""
    return not (block.frames or block.whole or hasattr(block.flowable, "repeatRows"))


def refuse(card: PrintableCard, count: int, rest: Sequence["Block"]) -> NoReturn:
    """Raise InvalidError for a card whose words do not fit on `count` cards."""
    from vaultkit.sheets.cards.card_words import count_words

    over = sum(count_words(block.flowable) for block in rest)
    message = f"The text of '{card.title}' does not fit on {count} cards ({over} words are over)."
    raise InvalidError(message, hint="Shorten it, choose a larger --size, or print the note with `print rules`.")
