"""One card: what goes on it, at which size, and what has to continue on a second one."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from vaultkit.errors import InvalidError
from vaultkit.sheets import images
from vaultkit.sheets import theme as look
from vaultkit.sheets.cards import titles, wording
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.frame import MM_POINTS as _MM
from vaultkit.sheets.cards.frame import SAFE, Frame, load_frame
from vaultkit.sheets.geometry.paper import Size, points
from vaultkit.sheets.glyphs import Glyphs
from vaultkit.sheets.text.layout import Block, Column, Placed, fill_column

__all__ = ["FACT", "FLOOR", "SAFE", "Face", "Fitter", "PrintableCard"]

FLOOR = 7.0
"""No word on a card is smaller, in points."""
_SIZES = ((9.5, 0.42), (9.0, 0.38), (8.5, 0.34), (8.0, 0.30), (7.5, 0.27), (FLOOR, 0.24))
"""Text sizes to try, each with the least share of the card's height that the picture must keep."""
_LARGE = ((10.5, 0.0),)
"""Sizes to try before these where nothing but the words needs the room."""
_CONTINUED = ((8.5, 0.24), (8.0, 0.24), (7.5, 0.24))
"""The same for words that need a second card anyway: the largest size for which one is enough."""
_WHOLE = tuple((size, share / 100) for size, shares in (
    (9.0, (76, 70, 64, 58, 52, 46)), (8.5, (46, 42)), (8.0, (42, 36)), (7.5, (33, 30)), (FLOOR, (27, 24)),
) for share in shares)  # fmt: skip
"""Text sizes and shares of the height for pictures of whole cards: the first that suits all cards of a deck."""
_NEAR = 0.08
"""A portrait that loses no more of itself than this by filling a card shows a whole card."""
SUBTITLE = 9.0
"""The height of a line below the title in points."""
FACT = 12.5
"""The height of a line of facts in points."""
_FACTS = (4, 8)
"""For how many facts there is always room, and how many stand in lines of their own at most."""
_MOST_CARDS = 12
_TOP = 4.6 * _MM
_INDEX = 11.0 * _MM
"""Room for rank and suit above the title of a card without a picture."""
_UNDER = 3.4 * _MM
"""White between a small picture and the words below it."""
_SIGNS = 5.6 * _MM + 3.0
"""Room for rank and suits below a title that stands beside a picture."""
_BESIDE = 2.4 * _MM
"""White between a small picture and the title beside it."""

Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True)
class Face:
    """A card with every place on it decided, in points from its own lower left corner.

    `whole` says that its picture shows a whole card, `facts` are those that stand in lines
    below the title, with their middle at `facts_y`. `title_x` is the title's middle, or its left edge if it stands
    beside a picture.
    """

    card: PrintableCard
    frame: Frame
    art: Rectangle | None
    title_lines: tuple[str, ...]
    title_size: float
    title_top: float
    title_x: float
    subtitle_lines: tuple[str, ...]
    subtitle_size: float
    placed: tuple[Placed, ...]
    part: int = 1
    whole: bool = False
    beside: bool = False
    facts: tuple[tuple[str, str], ...] = ()
    facts_y: float = 0.0


@dataclass(frozen=True)
class Fitter:
    """Fits cards of one size. `whole` is the text size and picture height of cards whose picture is a whole card.

    `largest` is the size of text to begin with where no picture stands above the title.
    """

    glyphs: Glyphs
    size: Size
    cache: Path
    canvas: Any
    whole: tuple[float, float] = _WHOLE[6]
    frame: Frame = field(default_factory=lambda: load_frame("classic", None))
    largest: float = 10.5

    @property
    def width(self) -> float:
        return points(self.size.width)

    @property
    def height(self) -> float:
        return points(self.size.height)

    def for_deck(self, cards: Sequence[PrintableCard]) -> "Fitter":
        """The fitter that gives cards which are alike one look.

        Pictures of whole cards have one size, the largest beside which all words have room; where no picture stands
        above the title, most cards have one size of text.
        """
        others = [card for card in cards if (card.frame or self.frame).layout != "above"]
        fitted = self._with_pictures(cards)
        return replace(fitted, largest=self._common(others)) if others else fitted

    def _common(self, cards: Sequence[PrintableCard]) -> float:
        """The largest size of text at which at least half of the cards fit."""
        for size, least in (*_LARGE, *_SIZES):
            fitters = ((replace(self, frame=card.frame or self.frame), card) for card in cards)
            fitting = sum(not fitter._front(card, size, least)[1] for fitter, card in fitters)
            if fitting * 2 >= len(cards):
                return size
        return FLOOR

    def _with_pictures(self, cards: Sequence[PrintableCard]) -> "Fitter":
        whole = [card for card in cards if (card.frame or self.frame).layout == "above" and self.is_whole(card)]
        if not whole:
            return self
        fitting = (choice for choice in _WHOLE if all(not self._front(card, *choice, True)[1] for card in whole))
        return replace(self, whole=next(fitting, self.whole))

    def is_whole(self, card: PrintableCard) -> bool:
        """Whether the card's picture is a card itself, with a frame of its own and all."""
        if card.image is None:
            return False
        try:
            return images.lost_by_filling(card.image, self.size.width / self.size.height) <= _NEAR
        except images.UnusablePicture:
            return False

    def faces(self, card: PrintableCard) -> list[Face]:
        """The card, and further ones for the words that it cannot hold at 7 points."""
        if card.frame is not None and card.frame != self.frame:
            return replace(self, frame=card.frame).faces(card)
        if self.frame.layout == "above" and self.is_whole(card):
            face, rest = self._front(card, *self.whole, True)
            return [face, *self._continued(card, rest)]
        for text_size, least in self._sizes:
            face, rest = self._front(card, text_size, least)
            if not rest:
                return [face]
        for text_size, least in (*_CONTINUED, _SIZES[-1]):
            face, rest = self._front(card, text_size, least)
            if text_size == FLOOR or len(self._filled(card, rest)[0]) == 1:
                break
        return [face, *self._continued(card, rest)]

    @property
    def _sizes(self) -> tuple[tuple[float, float], ...]:
        if self.frame.layout == "above":
            return _SIZES
        return tuple(pair for pair in (*_LARGE, *_SIZES) if pair[0] <= self.largest)

    def _front(
        self, card: PrintableCard, text_size: float, least: float, whole: bool = False
    ) -> tuple[Face, list[Block]]:
        """The card itself with its words at one size and the picture's least share, and what is left of the words."""
        if self.frame.layout == "above":
            return self._under_picture(card, text_size, least, whole)
        if self.frame.layout == "beside":
            return self._beside_picture(card, text_size)
        return self._words_alone(card, text_size)

    def _under_picture(
        self, card: PrintableCard, text_size: float, least: float, whole: bool
    ) -> tuple[Face, list[Block]]:
        top, foot = self.height - self.frame.picture_inset, self.frame.foot
        face = self._titled(card, None, top)
        head = self._head(face)
        facts = self._lines_of_facts(card)
        blocks = self._blocks(card, text_size, () if facts else card.facts)
        listed = FACT * max(_FACTS[0], len(facts)) if facts else 0.0
        placed, rest = self._fill(blocks, top - least * self.height - head - foot - listed)
        used = _depth(placed) or listed
        most = self.frame.picture_most if blocks or facts else 1.0
        share = max(least * self.height, min(top - foot - used - head, most * self.height))
        height = least * self.height if whole else share
        below = top - height - head
        slack = max(0.0, below - used - foot) / 2
        art = self._place(top, height, whole)
        made = replace(face, art=art, title_top=top - height, placed=_moved(placed, below - slack))
        return replace(made, whole=whole, facts=facts, facts_y=(below + foot) / 2), rest

    def _beside_picture(self, card: PrintableCard, text_size: float) -> tuple[Face, list[Block]]:
        """A small picture with the title on its right, and the words below both."""
        inset, height = self.frame.picture_inset, self.frame.picture_height
        top = self.height - inset
        width = height * self.width / self.height
        face = self._titled(card, inset + width + _BESIDE, top + 2.0)
        signs = _SIGNS if card.suit else 0.0
        slack = max(0.0, height - self._head(face) - signs + 13.0) / 2
        face = replace(face, title_top=face.title_top - slack)
        below = min(top - height, face.title_top - self._head(face) + 9.0) - _UNDER
        placed, rest = self._fill(self._blocks(card, text_size, card.facts), below - self.frame.foot)
        spare = max(0.0, below - _depth(placed) - self.frame.foot) * 0.3
        art = (inset, top - height, width, height)
        return replace(face, art=art, placed=_moved(placed, below - spare), whole=self.is_whole(card)), rest

    def _words_alone(self, card: PrintableCard, text_size: float) -> tuple[Face, list[Block]]:
        index = _INDEX if card.icons or card.corner else 0.0
        top = self.height - max(_TOP, self.frame.picture_inset) - index
        face = self._titled(card, None, top)
        below = top - self._head(face)
        facts = self._lines_of_facts(card)
        blocks = self._blocks(card, text_size, () if facts else card.facts)
        placed, rest = self._fill(blocks, below - self.frame.foot)
        slack = max(0.0, below - _depth(placed) - self.frame.foot) * 0.35 if not card.hands else 0.0
        made = replace(face, placed=_moved(placed, below - slack), facts=facts)
        return replace(made, facts_y=(below + self.frame.foot) / 2), rest

    def _titled(self, card: PrintableCard, left: float | None, top: float) -> Face:
        """A face with no more than its title, in the middle or from `left` on."""
        lines, size = self.title(card.title, left)
        below, small = self._subtitle(card.subtitle, left)
        x = self.width / 2 if left is None else left
        return Face(card, self.frame, None, lines, size, top, x, below, small, (), beside=left is not None)

    def _place(self, top: float, height: float, whole: bool) -> Rectangle:
        """Where the picture stands: as wide as the frame, or in a card's own shape."""
        width = height * self.width / self.height if whole else self.width - 2 * self.frame.picture_inset
        return (self.width - width) / 2, top - height, width, height

    def _lines_of_facts(self, card: PrintableCard) -> tuple[tuple[str, str], ...]:
        """The facts that stand in lines, label and value: those of a card without words, if they fit side by side."""
        room, width = self.width / 2 - self.frame.text_inset - 4, self.glyphs.width
        short = all(width(a, look.TEXT, 9) < room and width(b, look.BOLD, 10) < room - FACT for a, b in card.facts)
        return card.facts if short and len(card.facts) <= _FACTS[1] and not card.text_markdown.strip() else ()

    def _continued(self, card: PrintableCard, rest: list[Block]) -> list[Face]:
        faces, rest = self._filled(card, rest)
        if rest:
            over = sum(wording.count(block.flowable) for block in rest)
            raise InvalidError(
                f"The text of '{card.title}' does not fit on {len(faces) + 1} cards ({over} words are over).",
                hint="Shorten it, or print the note with `print rules`.",
            )
        return faces

    def _filled(self, card: PrintableCard, rest: list[Block]) -> tuple[list[Face], list[Block]]:
        """As many further cards as the words need, up to a dozen, and the words over."""
        top = self.height - 5.5 * _MM
        named = replace(card, title=f"{card.title} (continued)", suit="", rank=None, kicker="")
        titled = replace(self._titled(named, None, top), card=card)
        below = top - self._head(titled)
        faces: list[Face] = []
        while rest and len(faces) < _MOST_CARDS:
            placed, left = self._fill(rest, below - self.frame.foot)
            if not placed:
                break
            faces.append(replace(titled, placed=_moved(placed, below), part=len(faces) + 2))
            rest = left
        return faces, rest

    def title(self, text: str, left: float | None = None) -> tuple[tuple[str, ...], float]:
        """The title's lines and size: one line if it can be, else more, never below the floor."""
        width, room = partial(self.glyphs.width, face=look.TITLE_BOLD), self._title_room(left)
        return titles.fitted(
            text, lambda words, size: width(words, size=size), room, size=self._title_size, floor=FLOOR
        )

    def _subtitle(self, text: str, left: float | None) -> tuple[tuple[str, ...], float]:
        """The lines and the size of what stands below the title; no lines if there is nothing."""
        if not text:
            return (), 0.0
        width, room = partial(self.glyphs.width, face=look.ITALIC), self._title_room(left)
        return titles.fitted(
            text, lambda words, size: width(words, size=size), room, size=8.5, floor=FLOOR, one_line=FLOOR
        )

    def _title_room(self, left: float | None) -> float:
        inset = self.frame.text_inset + (0.0 if left is None else 2.0)
        return self.width - inset - (inset if left is None else left)

    @property
    def _title_size(self) -> float:
        return min(self.frame.title_size, self.width / 11)

    def _head(self, face: Face) -> float:
        """The height of the title with what belongs to it."""
        below = len(face.subtitle_lines) * SUBTITLE + 1.0 if face.subtitle_lines else 0.0
        return 4.0 + len(face.title_lines) * face.title_size * 1.12 + below + 9.0

    def _blocks(self, card: PrintableCard, size: float, facts: tuple[tuple[str, str], ...]) -> list[Block]:
        room = self.width - 2 * self.frame.text_inset
        return wording.blocks(card, facts, self.glyphs, size=size, floor=FLOOR, room=room, cache=self.cache)

    def _fill(self, blocks: list[Block], room: float) -> tuple[list[Placed], list[Block]]:
        inset = self.frame.text_inset
        return fill_column(blocks, Column(inset, self.width - 2 * inset, 0.0, -room), self.canvas)


def _depth(placed: list[Placed]) -> float:
    """How far down from its top the last of these reaches."""
    return -(placed[-1].top - placed[-1].height) if placed else 0.0


def _moved(placed: list[Placed], by: float) -> tuple[Placed, ...]:
    return tuple(replace(item, top=item.top + by) for item in placed)
