"""Fitting of cards: what goes on each, at which size, and what continues on another one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import structs

from vaultkit.sheets.cards.bar_fitter import BarFitter, CardFitter, refuse
from vaultkit.sheets.cards.print_card import (
    Face,
    Frame,
    PrintableCard,
    Rectangle,
    is_whole,
    shape_of,
)
from vaultkit.sheets.cards.text_sizes import (
    FOOT_LINE_HEIGHT_RATIO,
    LINE_HEIGHT_RATIO,
    SUBTITLE_MARGIN_PT,
    Choices,
)
from vaultkit.text import group
from vaultkit.theme import image_transcoding
from vaultkit.theme import model as look
from vaultkit.theme.lengths import MM_POINTS, points

if TYPE_CHECKING:
    # All that sets words is loaded when the first are set: a deck of pictures alone has none.
    from vaultkit.sheets.text.blocks import Block, PlacedBlock

_MAX_CROPPED_SHARE = 0.3
"""The largest share of pictures that may be cropped to fill their places; if most of a deck would lose more, they are
shown whole."""
_TIGHT_LEADINGS = (1.2, 1.15, 1.1)
"""Line heights, as shares of the text size, to try before words continue on a second card."""
_MIN_READABLE_SIZE_PT = 8.5
"""The minimum of the text size that all cards of a frame share; cards with too much text for it get a smaller size."""
_MAX_FOOT_LINES = 6
_PANEL_PADDING_PT = 2.4 * MM_POINTS
"""The distance from the upper edge of the panel on a full picture to the title, in points."""
_ORNAMENT_HEIGHT_PT = 9.0
"""Room for the line below the title, in points."""


@dataclass(frozen=True)
class Fitter(CardFitter):
    """Fits the cards of a deck. `whole` is the text size and picture height of cards whose picture is a whole card.

    `largest` is the size of text to begin with, frame by frame, `lead` the height of a line as a share of its size.
    `cover` is whether pictures fill their places.
    """

    whole: tuple[float, float] | None = None
    largest: Mapping[Frame, float] = field(default_factory=dict)
    cover: bool = True
    bar: BarFitter | None = None
    """The fitter of cards with a title bar."""
    lead: float = LINE_HEIGHT_RATIO
    tries: dict[Any, tuple[Face, list["Block"]]] = field(default_factory=dict, repr=False, compare=False)
    """Faces fitted while the sizes common to all cards were sought; a face is removed when it is drawn."""

    @property
    def height(self) -> float:
        return points(self.size.height)

    def for_deck(self, cards: Sequence[PrintableCard]) -> "Fitter":
        """Return a copy of this fitter with the sizes that `cards` share.

        Pictures of whole cards have one size, the largest beside which all words have room; the words of all cards of
        a frame have one size, but for those that would make it hard to read.
        """
        fitted = replace(self._choose_whole_picture_size(cards), cover=self._covers(cards))
        barred = [card for card in cards if self.frame_of(card).layout == "bar"]
        fitted = replace(fitted, bar=self._fit_bars(barred) if barred else None)
        framed = group((self.frame_of(card), card) for card in cards if card not in barred)
        sizes = {frame: replace(fitted, frame=frame)._common_text_size(alike) for frame, alike in framed.items()}
        return replace(fitted, largest=sizes)

    def _fit_bars(self, cards: Sequence[PrintableCard]) -> BarFitter:
        return BarFitter(self.document, self.size, self.deck_title, self.frame, self.sides).for_deck(cards)

    def _common_text_size(self, cards: Sequence[PrintableCard]) -> float:
        """Return the largest text size at which all cards have room, and at least _MIN_READABLE_SIZE_PT."""
        sizes = [pair for pair in self._texts if pair[0] >= _MIN_READABLE_SIZE_PT]
        for card in cards:
            if not (self._stands_alone(card) or (self.frame.layout == "above" and is_whole(card))):
                while len(sizes) > 1 and not self._fits(card, *sizes[0]):
                    sizes.pop(0)
        return sizes[0][0] if sizes else self.sizes.floor

    def _choose_whole_picture_size(self, cards: Sequence[PrintableCard]) -> "Fitter":
        whole = [card for card in cards if self.frame_of(card).layout == "above" and is_whole(card)]
        if not whole:
            return self
        fitting_choices = (choice for choice in self.sizes.whole if all(self._fits(card, *choice) for card in whole))
        return replace(self, whole=next(fitting_choices, None))

    def _covers(self, cards: Sequence[PrintableCard]) -> bool:
        """Return whether pictures fill their places, which is False if most of them would lose too much."""
        shape = (self.width - 2 * self.frame.picture_inset) / (self.frame.picture_most / 100 * self.height)
        lost_shares = [self._lost_share(card, shape) for card in cards if card.image]
        return sum(share > _MAX_CROPPED_SHARE for share in lost_shares) * 2 <= len(lost_shares)

    def _lost_share(self, card: PrintableCard, shape: float) -> float:
        own = shape_of(card)
        return image_transcoding.cropped_share(own, shape) if own else 0.0

    def faces(self, card: PrintableCard) -> list[Face]:
        """Return the face of a card, and further faces for words that have no room on it at the smallest size."""
        if card.frame is not None and card.frame != self.frame:
            return replace(self, frame=card.frame).faces(card)
        if self.frame.layout == "bar":
            return (self.bar or self._fit_bars([card])).faces(card)
        return self._pictured_faces(card)

    def _pictured_faces(self, card: PrintableCard) -> list[Face]:
        """Return the faces of a card in a frame in which the picture comes first."""
        if self._stands_alone(card):
            return [Face(card, self.frame, self._whole_card(card), title_x=self.width / 2, whole=True)]
        if self.frame.layout == "full" and self._is_hidden(card):
            above = structs.replace(self.frame, layout="above")
            most = self.largest.get(self.frame, self.sizes.texts[0][0])
            return replace(self, frame=above, largest={above: most}).faces(replace(card, frame=None))
        if self.frame.layout == "above" and is_whole(card):
            face, rest = self._front(card, *(self.whole or self.sizes.whole[len(self.sizes.whole) // 2]))
            return [face, *self._continue_or_refuse(card, rest)]
        whole = self._fit_on_one_card(card)
        if whole is not None:
            return [whole]
        for text_size, least in self.sizes.continued:
            face, rest = self._front(card, text_size, least)
            if len(self._fill_further_cards(card, rest)[0]) == 1:
                break
        return [face, *self._continue_or_refuse(card, rest)]

    def _fit_on_one_card(self, card: PrintableCard) -> Face | None:
        """Return the face with all words of a card in the largest size possible; None if they do not fit.

        At the smallest size, smaller line heights are tried.
        """
        tighter = ((replace(self, lead=lead, tries={}), self.sizes.texts[-1]) for lead in _TIGHT_LEADINGS)
        for fitter, pair in (*((self, pair) for pair in self._texts), *tighter):
            face, rest = fitter._front(card, *pair)
            if not rest:
                return face
        return None

    def _stands_alone(self, card: PrintableCard) -> bool:
        """Return whether nothing is printed on the picture, which is never so in a tagged document."""
        alone = self.frame.layout == "full" and self.frame.whole_alone and not self.document.canvas.tagged
        return alone and is_whole(card)

    def _whole_card(self, card: PrintableCard) -> Rectangle:
        """Return the place of a picture of a whole card: the card, or the part of it with the picture's shape."""
        lost_share, shape = self._lost_share(card, self.width / self.height), shape_of(card)
        if lost_share <= image_transcoding.MAX_CROPPED_SHARE:
            return 0.0, 0.0, self.width, self.height
        width, height = min(self.width, self.height * shape), min(self.height, self.width / shape)
        return (self.width - width) / 2, (self.height - height) / 2, width, height

    def _is_hidden(self, card: PrintableCard) -> bool:
        """Return whether the words would cover too much of a full picture, or cropping would remove too much of it."""
        is_card = is_whole(card) and self.frame.whole_alone
        return is_card or (not is_whole(card) and self._lost_share(card, self.width / self.height) > _MAX_CROPPED_SHARE)

    @property
    def _texts(self) -> Choices:
        return tuple(pair for pair in self.sizes.texts if pair[0] <= self.largest.get(self.frame, pair[0]))

    @property
    def _foot(self) -> float:
        """The height of the room below the words, in points, which grows with the lines of the deck's title."""
        more = max(0, len(self.foot_lines) - 1) * self.sizes.floor * FOOT_LINE_HEIGHT_RATIO
        return self.frame.foot + self.sizes.foot + more

    @cached_property
    def foot_lines(self) -> tuple[str, ...]:
        """The deck's title in lines for the foot of a card; one that would fill the card is shortened."""
        from vaultkit.sheets.cards.card_words import break_lines

        size = self.sizes.floor
        room = self.width - 2 * (self.frame.text_inset + MM_POINTS)
        lines = break_lines(self.deck_title, self.document.glyphs, look.TEXT, room, size)
        if len(lines) > _MAX_FOOT_LINES:
            lines = [*lines[: _MAX_FOOT_LINES - 1], f"{lines[_MAX_FOOT_LINES - 1][:-2].rstrip()}…"]
        return tuple(filter(None, lines))

    def _fits(self, card: PrintableCard, *how: float) -> bool:
        """Return whether all words of the card have room; `how` are the arguments of `_front`."""
        self.tries[card, how, self.frame, self.cover] = result = self._front(card, *how)
        return not result[1]

    def _front(self, card: PrintableCard, *how: float) -> tuple[Face, list["Block"]]:
        """Return the first face of a card and the words left over.

        `how` are the text size and the minimum share of the card's height for the picture.
        """
        fit = self._fit_under_picture if self.frame.layout == "above" else self._fit_on_picture
        return self.tries.pop((card, how, self.frame, self.cover), None) or fit(card, *how)

    def _fit_under_picture(self, card: PrintableCard, text_size: float, minimum: float) -> tuple[Face, list["Block"]]:
        top, foot, whole = self.height - self.frame.picture_inset, self._foot, is_whole(card)
        face = self._make_titled_face(card, top)
        head = self._head(face)
        blocks = self._blocks(card, text_size)
        items, rest = self._fill(blocks, top - minimum * self.height - head - foot)
        used = _used_height(items)
        most = self.frame.picture_most / 100 if blocks else 1.0
        share = max(minimum * self.height, min(top - foot - used - head, most * self.height))
        if not (whole or self.cover) and (own := shape_of(card)):
            share = min(share, (self.width - 2 * self.frame.picture_inset) / own)
        if whole:
            share = min(minimum * self.height, (self.width - 2 * self.frame.picture_inset) / shape_of(card))
        below = top - share - head
        slack = max(0.0, below - used - foot) / 2
        art = self._place(card, top, share, whole)
        fitted_face = replace(face, art=art, title_top=top - share, placed=_move_items(items, below - slack))
        return replace(fitted_face, whole=whole), rest

    def _fit_on_picture(self, card: PrintableCard, text_size: float, minimum: float) -> tuple[Face, list["Block"]]:
        """Return a face with a full picture and a panel with title and words at its foot, and the words left over."""
        inset, foot = self.frame.picture_inset, self._foot
        face = self._make_titled_face(card, 0.0)
        head = self._head(face) + _PANEL_PADDING_PT
        room = self.height * (1 - minimum) - head - foot
        items, rest = self._fill(self._blocks(card, text_size), room)
        if not items:
            head -= _ORNAMENT_HEIGHT_PT
        top = foot + _used_height(items) + head
        below = top - head
        art, panel = (0.0, 0.0, self.width, self.height), (inset, inset, self.width - 2 * inset, top - inset)
        face = replace(face, art=art, panel=panel, title_top=top - _PANEL_PADDING_PT, whole=is_whole(card))
        return replace(face, placed=_move_items(items, below)), rest

    def _make_titled_face(self, card: PrintableCard, top: float) -> Face:
        """Return a face with no more than its title, in the middle."""
        room, floor = self.width - 2 * self.frame.text_inset, self.sizes.floor
        largest = max(self.sizes.title, min(self.frame.title.size * self.scale, self.width / 11))
        bold, italic, small = look.TITLE_BOLD, look.ITALIC, self.sizes.subtitle
        lines, size = self.fit_title(card.title, bold, room, size=largest, floor=floor, language=card.language)
        below = tuple[str, ...]()
        if subtitle := card.subtitle:
            below, small = self.fit_title(subtitle, italic, room, size=small, floor=floor, one_line=floor)
        return Face(
            card, self.frame, title_lines=lines, title_size=size, title_top=top, subtitle_lines=below,
            title_x=self.width / 2, subtitle_size=small, foot_lines=self.foot_lines, cover=self.cover,
        )  # fmt: skip

    def _place(self, card: PrintableCard, top: float, height: float, whole: bool) -> Rectangle:
        """Return the place of the picture: as wide as the frame, or with `whole` in the shape of the card it shows."""
        width = height * shape_of(card) if whole else self.width - 2 * self.frame.picture_inset
        return (self.width - width) / 2, top - height, width, height

    def _continue_or_refuse(self, card: PrintableCard, rest: list["Block"]) -> list[Face]:
        faces, rest = self._fill_further_cards(card, rest)
        if rest:
            refuse(card, len(faces) + 1, rest)
        return faces

    def _fill_further_cards(self, card: PrintableCard, rest: list["Block"]) -> tuple[list[Face], list["Block"]]:
        """Return further faces for the words in `rest`, up to a maximum number, and the words left over."""
        top = self.height - 5.5 * MM_POINTS
        continuation = replace(card, title=f"{card.title} (continued)", suit="", rank=None, kicker="")
        title_face = replace(self._make_titled_face(continuation, top), card=card)
        below = top - self._head(title_face)
        faces: list[Face] = []
        while rest and len(faces) < self.sizes.max_cards:
            items, left = self._fill(rest, below - self._foot)
            if not items:
                break
            faces.append(replace(title_face, placed=_move_items(items, below), part=len(faces) + 2))
            rest = left
        return faces, rest

    def _head(self, face: Face) -> float:
        """Return the height of the title with subtitle and ornament, in points."""
        lines = len(face.subtitle_lines)
        subtitle_height = lines * self.sizes.subtitle_line + SUBTITLE_MARGIN_PT if lines else 0.0
        return face.titled + subtitle_height + _ORNAMENT_HEIGHT_PT

    def _blocks(self, card: PrintableCard, size: float) -> list["Block"]:
        from vaultkit.sheets.cards.card_words import card_blocks

        room = self.width - 2 * self.frame.text_inset
        return card_blocks(card, self.document.glyphs, size=size, floor=self.sizes.floor, room=room, lead=self.lead)

    def _fill(self, blocks: list["Block"], room: float) -> tuple[list["PlacedBlock"], list["Block"]]:
        from vaultkit.sheets.text.layout import TextColumn, fill_column

        inset = self.frame.text_inset
        return fill_column(blocks, TextColumn(inset, self.width - 2 * inset, 0.0, -room), self.document.canvas)


def _used_height(items: list["PlacedBlock"]) -> float:
    """Return the distance from the top of the column to the foot of the last of `items`, with the boxes around it."""
    return -items[-1].bottom if items else 0.0


def _move_items(items: list["PlacedBlock"], shift: float) -> tuple["PlacedBlock", ...]:
    return tuple(item.shift_up(shift) for item in items)
