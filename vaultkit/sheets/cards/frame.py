"""Frames of cards are data: `print/frames/<name>.toml`, the vault's own first."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from vaultkit.theme import design_loader
from vaultkit.theme import model as look
from vaultkit.theme.lengths import MM, MM_POINTS, Points, points

SUIT = "suit"
"""A colour that every card fills in: that of its own suit."""
_MIN_INSET_MM, _MAX_INSET_MM = 3, 15
"""No inset and no corner of a frame is larger: on the smallest card a third of the width is left."""
SAFE_MARGIN_UM = _MIN_INSET_MM * MM
"""Nothing but the ground comes nearer to the cut, in micrometres."""
_COLOURS = (SUIT, look.INK, look.MUTED, look.ACCENT, look.GOLD, look.LINE, look.HEAD, look.PANEL)


class _Colour(design_loader.Word, accepted=_COLOURS):
    """The role of a colour, or `SUIT`."""


class _HeadGround(design_loader.Word, accepted=("", *_COLOURS)):
    """The same, or none."""


class _Ground(design_loader.Word, accepted=("", look.PAPER, look.PANEL, look.PANEL_DARK)):
    """A colour light enough to carry words, or none."""


class _Edge(Points, limit=_MAX_INSET_MM):
    """A distance from the cut, or how round a corner is."""


class _Inset(Points, minimum=_MIN_INSET_MM, limit=_MAX_INSET_MM):
    """The distance of words from the cut."""


class _Foot(Points, minimum=_MIN_INSET_MM, limit=2 * _MAX_INSET_MM):
    """The room below words."""


class _Letters(Points, minimum=7, limit=30, unit="pt"):
    """The size of a title."""


class _Thickness(Points, limit=3):
    """That of a line."""


class _Height(Points, limit=60):
    """That of a small picture."""


class FrameLine(design_loader.Design, frozen=True):
    """A line round the card, in points: how far from the cut, how thick, how round."""

    inset: _Edge
    width: _Thickness
    corner: _Edge
    colour: _Colour


class FrameTitle(design_loader.Design, frozen=True):
    """The size of a card's title in points, and its colour."""

    size: _Letters
    colour: _Colour


class Frame(design_loader.Design, frozen=True):
    """How a card is laid out. Lengths are in points; `picture_most` is the most of the card's height, in per cent.

    `head_ground` is the colour behind a title that stands beside a picture, `ground` that of the whole card and its
    bleed; empty for none. A picture that fills the card has nothing laid over it if it shows a whole card itself
    (`whole_alone`). Words alone begin on one `level` on all cards, or in the middle of the room that they have.
    """

    layout: Literal["above", "beside", "none", "full"]
    text_inset: _Inset
    picture_inset: _Edge
    foot: _Foot
    title: FrameTitle
    lines: tuple[FrameLine, ...]
    picture_corner: _Edge = _Edge()
    picture_most: Annotated[int, Meta(ge=20, le=70)] = 56
    picture_height: _Height = _Height()
    head_ground: _HeadGround = _HeadGround()
    ground: _Ground = _Ground()
    whole_alone: bool = False
    level: bool = False

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
    """The frame `name`. Raises UsageError for one that there is not, InvalidError for one that cannot be used."""
    return design_loader.load_design("frames", "frame", name, vault, Frame)[0]
