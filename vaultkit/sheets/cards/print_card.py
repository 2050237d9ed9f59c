"""Cards for printing, from any deck or game, with their frames and all places on them.

Frames are data: `print/frames/<name>.toml`, the vault's own first.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Self

from msgspec import Meta

from vaultkit.schema import InvalidValue
from vaultkit.sheets.cards.text_sizes import TITLE_LINE_HEIGHT_RATIO, TITLE_MARGIN_PT
from vaultkit.sheets.secrecy import NO_SECRETS, Secrets
from vaultkit.theme import design_loader, image_transcoding
from vaultkit.theme import model as look
from vaultkit.theme.design_loader import Design
from vaultkit.theme.lengths import MM, MM_POINTS, Points, points
from vaultkit.vault.markdown import Node, parse

if TYPE_CHECKING:
    from vaultkit.sheets.text.blocks import PlacedBlock
    from vaultkit.sheets.text.note_source import NoteSource

SUIT = "suit"
"""The name of the colour that differs by card: that of its suit."""
_MIN_INSET_MM, _MAX_INSET_MM = 3, 15
"""The limits of insets and corners of a frame; with the largest, a third of the smallest card's width is left."""
SAFE_MARGIN_UM = _MIN_INSET_MM * MM
"""The minimum distance from the cut of everything but the ground, in micrometres."""
_COLOURS = (SUIT, look.INK, look.MUTED, look.ACCENT, look.GOLD, look.LINE, look.HEAD, look.PANEL)


Rectangle = tuple[float, float, float, float]
"""x, y, width and height in points, from the lower left corner of the card."""
LabelledFacts = tuple[tuple[str, str], ...]
"""Things to know of a card, each with its label: `("Element", "Fire")`."""


_HAND = re.compile(r"(?:[A-Za-z0-9]{1,2} )+[a-z][a-z0-9-]*")


class _FrameColour(design_loader.Word, accepted=_COLOURS):
    """The role of a colour, or `SUIT`."""


class _Ground(design_loader.Word, accepted=("", look.PAPER, look.PANEL, look.PANEL_DARK)):
    """A colour light enough to carry words, or none."""


class _Edge(Points, limit=_MAX_INSET_MM):
    """A distance from the cut, or how round a corner is."""


class _FrameInset(Points, minimum=_MIN_INSET_MM, limit=_MAX_INSET_MM):
    """The distance of words from the cut."""


class _Foot(Points, minimum=_MIN_INSET_MM, limit=2 * _MAX_INSET_MM):
    """The room below words."""


class _Letters(Points, minimum=7, limit=30, unit="pt"):
    """The size of a title."""


class _FrameThickness(Points, limit=3):
    """The thickness of a line."""


class _PictureSide(Points, limit=60):
    """The width or the height of a small picture."""


class FrameLine(design_loader.Design, frozen=True):
    """A line around the card: its distance from the cut, its thickness and the radius of its corners, in points."""

    inset: _Edge
    width: _FrameThickness
    corner: _Edge
    colour: _FrameColour


class FrameTitle(design_loader.Design, frozen=True):
    """The size of a card's title in points, and its colour."""

    size: _Letters
    colour: _FrameColour


class Frame(design_loader.Design, frozen=True):
    """The layout of a card. Lengths are in points; `picture_most` is the maximum height of a picture, in per cent.

    `ground` is the colour of the whole card and its bleed; empty for none. A picture that fills the card has nothing
    laid over it if it shows a whole card itself (`whole_alone`). Below a title bar, a picture of `picture_width` and
    `picture_height` is beside the words; without a width it is above them, without a height there is none.
    """

    layout: Literal["above", "bar", "full"]
    text_inset: _FrameInset
    picture_inset: _Edge
    foot: _Foot
    title: FrameTitle
    lines: tuple[FrameLine, ...]
    picture_corner: _Edge = _Edge()
    picture_most: Annotated[int, Meta(ge=20, le=70)] = 56
    picture_width: _PictureSide = _PictureSide()
    picture_height: _PictureSide = _PictureSide()
    ground: _Ground = _Ground()
    whole_alone: bool = False

    @property
    def foot_line(self) -> float:
        """The base of the line of small print at the foot: clear of the innermost line round the card.

        On a picture it is clear of the edge of the paper under the words.
        """
        if self.layout == "full":
            return self.picture_inset + 1.6 * MM_POINTS
        return max((line.inset + line.width for line in self.lines), default=points(SAFE_MARGIN_UM)) + 1.4 * MM_POINTS


@lru_cache(maxsize=16)
def load_frame(name: str, vault: Path | None) -> Frame:
    """Return the frame `name`. Raises UsageError if there is none, InvalidError if its file cannot be used."""
    return design_loader.load_design("frames", "frame", name, vault, Frame)[0]


class HandCards(tuple[tuple[str, str], ...]):
    """Ranks of cards, each with the icon of its suit."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: object) -> Self:
        """Return the cards in a text such as `5 6 7 8 9 swords` or `8 swords, 8 stars, 3 coins`. Raises Unfit."""
        cards: list[tuple[str, str]] = []
        for group in str(text).split(",") if text else []:
            if not _HAND.fullmatch(group.strip()):
                fault = f"has something that is not a card: '{group.strip()}'."
                raise InvalidValue(fault, 'Write "5 6 7 swords, M coins".')
            *ranks, suit = group.split()
            cards += [(rank, suit) for rank in ranks]
        return cls(cards)


class Hand(Design, frozen=True):
    """A hand of cards for a player aid: its name, what it takes, and an example."""

    name: str
    words: str
    cards: HandCards = HandCards()

    @property
    def example(self) -> str:
        """The cards in words: `6 of swords, 7 of stars`."""
        return ", ".join(f"{rank} of {suit}" for rank, suit in self.cards)


@dataclass(frozen=True, eq=False)
class CardBody:
    """The words of a card as a tree; each is equal to itself alone."""

    tree: Node


@dataclass(frozen=True)
class PrintableCard:
    """A card for printing. `suit_icon` may name several icons, separated by spaces; `link` leads back to its note.

    `letters` distinguish its suits from the deck's others where colours cannot; `hands` are printed below the words.
    """

    title: str
    suit: str = ""
    suit_icon: str = ""
    rank: str | int | None = None
    text_markdown: str = ""
    image: Path | None = None
    link: str = ""
    facts: LabelledFacts = ()
    letters: tuple[str, ...] = ()
    hands: tuple[Hand, ...] = ()
    kicker: str = ""
    """The kind of a card without suit: `Prophet's Gambit`."""
    own_line: str = ""
    """Its rank and suit in the words of its note, such as `Sechs der Schwerter`."""
    frame: Frame | None = None
    """The card's own frame, if it differs from the deck's."""
    breaks: bool = False
    """A single newline in the text is a line break."""
    language: str = ""
    """The language of its words, if the note says one."""
    shade: str = ""
    """The suit or the role that gives a card without suit its colour."""
    secrets: Secrets = NO_SECRETS
    """Which of its words are for the game master alone; they are left out if it hides them."""
    source: "NoteSource | None" = field(default=None, compare=False)
    """The source of the notes and pictures that its words name, such as embedded notes."""
    body: "CardBody | None" = None
    """Its words as a tree, in place of `text_markdown`."""
    boxes: tuple[str, ...] = ()
    """Labels of facts, in lower case, below which there are boxes to write in."""
    rule: str = ""
    """The part of its words that is a rule and may be on other cards as well; `label` is the name of such cards."""
    label: str = ""

    def syntax_tree(self) -> Node:
        """Return the syntax tree of the card's words."""
        return self.body.tree if self.body else parse(self.text_markdown)

    @property
    def has_words(self) -> bool:
        """Whether the card has words other than its title and facts."""
        return bool(self.body.tree.children) if self.body else bool(self.text_markdown.strip())

    @property
    def icons(self) -> tuple[str, ...]:
        return tuple(self.suit_icon.split())

    @property
    def subtitle(self) -> str:
        """`6 of Swords`, or `Aries · scrap` for a kind of card; empty where the title says as much."""
        if self.kicker:
            return self.kicker
        if self.suit and isinstance(self.rank, str) and self.rank.islower():
            return f"{self.suit} · {self.rank}"
        line = f"{self.rank} of {self.suit}" if self.suit and self.rank not in {None, ""} else self.suit
        line = self.own_line or line
        words = set(self.title.lower().split())
        ends_in_suit = self.title.lower().endswith(f" of {self.suit}".lower())
        return "" if set(line.lower().split()) <= {*words, "of"} or ends_in_suit else line

    @property
    def corner(self) -> str:
        """The rank as it stands in the corner: a number, or the first letter of a named one."""
        rank = "" if self.rank is None else str(self.rank).strip()
        return rank if len(rank) <= 2 else rank[0].upper()

    @property
    def emblem(self) -> str:
        """The icon that this very card may have."""
        return "emblem-" + re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")


@dataclass(frozen=True)
class Face:
    """A card with the places of everything on it, in points from its lower left corner.

    `whole` says that its picture shows a whole card. `title_x` is the title's middle, or its left edge in a title bar.
    `panel` is the paper under words that stand on a picture, or the title bar, `cover` says that a picture of another
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
    parts: int = 1
    whole: bool = False
    panel: Rectangle | None = None
    cover: bool = True
    foot_lines: tuple[str, ...] = ()
    deck: str = ""

    @property
    def titled(self) -> float:
        """The height of the title with the white above it, in points."""
        return TITLE_MARGIN_PT + len(self.title_lines) * self.title_size * TITLE_LINE_HEIGHT_RATIO

    @property
    def free_area(self) -> Rectangle:
        """The part of a full picture between its edges and the words on it."""
        inset, foot = self.frame.picture_inset, self.panel[1] + self.panel[3] if self.panel else 0.0
        _, _, width, height = self.art or (0.0, 0.0, 0.0, 0.0)
        return inset, foot, width - 2 * inset, height - foot - inset


def is_whole(card: PrintableCard) -> bool:
    """Return whether the card's picture shows a whole card, with a frame."""
    return image_transcoding.is_whole_card(shape_of(card))


def shape_of(card: PrintableCard) -> float:
    """Return width over height of the card's picture; 0 if it has none that can be used."""
    try:
        return image_transcoding.measure_aspect_ratio(card.image) if card.image is not None else 0.0
    except image_transcoding.UnusablePicture:
        return 0.0
