"""One card with every place on it decided, and the shape of its picture."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultkit.sheets.cards.frame import Frame
from vaultkit.sheets.cards.print_card import LabelledFacts, PrintableCard, Rectangle
from vaultkit.sheets.cards.text_sizes import TITLE_LINE_HEIGHT_RATIO, TITLE_MARGIN_PT
from vaultkit.theme import image_transcoding

if TYPE_CHECKING:
    # All that sets words is loaded when the first are set: a deck of pictures alone has none.
    from vaultkit.sheets.text.blocks import PlacedBlock


@dataclass(frozen=True)
class Face:
    """A card with every place on it decided, in points from its own lower left corner.

    `whole` says that its picture shows a whole card, `facts` are those that stand in lines
    below the title, with their middle at `facts_y`. `title_x` is the title's middle, or its left edge if it stands
    beside a picture. `panel` is the paper under words that stand on a picture, `cover` says that a picture of another
    shape fills its place rather than stand in it whole. The first of a `deck` that shares sheets has its title.
    """

    card: PrintableCard
    frame: Frame
    art: Rectangle | None = None
    title_lines: tuple[str, ...] = ()
    title_size: float = 0.0
    title_top: float = 0.0
    title_x: float = 0.0
    subtitle_lines: tuple[str, ...] = ()
    subtitle_size: float = 0.0
    placed: tuple["PlacedBlock", ...] = ()
    part: int = 1
    whole: bool = False
    beside: bool = False
    facts: LabelledFacts = ()
    facts_y: float = 0.0
    panel: Rectangle | None = None
    cover: bool = True
    foot_lines: tuple[str, ...] = ()
    deck: str = ""

    @property
    def titled(self) -> float:
        """The height of the title, with the white above it."""
        return TITLE_MARGIN_PT + len(self.title_lines) * self.title_size * TITLE_LINE_HEIGHT_RATIO

    @property
    def free_area(self) -> Rectangle:
        """The part of a full picture between its edges and the words on it."""
        inset, foot = self.frame.picture_inset, self.panel[1] + self.panel[3] if self.panel else 0.0
        _, _, width, height = self.art or (0.0, 0.0, 0.0, 0.0)
        return inset, foot, width - 2 * inset, height - foot - inset


def is_whole(card: PrintableCard) -> bool:
    """Whether the card's picture is a card itself, with a frame of its own and all."""
    return image_transcoding.is_whole_card(shape_of(card))


def shape_of(card: PrintableCard) -> float:
    """Width over height of the card's picture; 0 if it has none that can be used."""
    try:
        return image_transcoding.measure_aspect_ratio(card.image) if card.image is not None else 0.0
    except image_transcoding.UnusablePicture:
        return 0.0
