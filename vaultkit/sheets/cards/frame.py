"""Frames of cards are data: `print/frames/<name>.toml`, the vault's own first."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, cast, get_args

from vaultkit.look import design
from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import MM, MM_POINTS, length_of, points

Layout = Literal["above", "beside", "none", "full"]
SUIT = "suit"
"""A colour that every card fills in: that of its own suit."""
_LEAST, _WIDEST = 3, 15
SAFE = _LEAST * MM
"""Nothing but the ground comes nearer to the cut, in micrometres."""
"""No inset and no corner of a frame is larger: on the smallest card a third of the width is left."""
_TITLE = (7.0, 30.0)
"""The sizes of a title, in points."""
_COLOURS = (SUIT, look.INK, look.MUTED, look.ACCENT, look.GOLD, look.LINE, look.HEAD, look.PANEL)
_GROUNDS = ("", look.PAPER, look.PANEL, look.PANEL_DARK)
"""Colours light enough to carry words, or none."""
_NEEDED = ("layout", "text-inset", "picture-inset", "foot", "title", "lines")
_MORE = ("picture-corner", "picture-most", "picture-height", "head-ground", "ground", "whole-alone", "level")


@dataclass(frozen=True, slots=True)
class FrameLine:
    """A line round the card, in points: how far from the cut, how thick, how round; a colour's role or `SUIT`."""

    inset: float
    width: float
    corner: float
    colour: str


@dataclass(frozen=True, slots=True)
class Frame:
    """How a card is laid out. Lengths are in points; `picture_most` is a share of the card's height.

    `head_ground` is the colour behind a title that stands beside a picture, `ground` that of the whole card and its
    bleed; empty for none. A picture that fills the card has nothing laid over it if it shows a whole card itself
    (`whole_alone`). Words alone begin on one `level` on all cards, or in the middle of the room that they have.
    """

    layout: Layout
    text_inset: float
    picture_inset: float
    foot: float
    title_size: float
    title_colour: str
    lines: tuple[FrameLine, ...]
    picture_corner: float = 0.0
    picture_most: float = 0.56
    picture_height: float = 0.0
    head_ground: str = ""
    ground: str = ""
    whole_alone: bool = False
    level: bool = False

    @property
    def foot_line(self) -> float:
        """The base of the line of small print at the foot: clear of the innermost line round the card.

        On a picture it is clear of the edge of the paper under the words.
        """
        if self.layout == "full":
            return self.picture_inset + 1.6 * MM_POINTS
        return max((line.inset + line.width for line in self.lines), default=points(SAFE)) + 1.4 * MM_POINTS


@lru_cache(maxsize=16)
def load_frame(name: str, vault: Path | None) -> Frame:
    """The frame `name`. Raises UsageError for one that there is not, InvalidError for one that cannot be used."""
    table, where = design.named("frames", "frame", name, vault, required=_NEEDED, optional=_MORE)
    title = design.check(table["title"], ["size", "colour"], [], f"{where} [title]")
    return Frame(
        layout=cast(Layout, design.one_of(table, "layout", get_args(Layout), where)),
        text_inset=_length(table, "text-inset", where, _LEAST, _WIDEST),
        picture_inset=_length(table, "picture-inset", where, 0, _WIDEST),
        foot=_length(table, "foot", where, _LEAST, 2 * _WIDEST),
        title_size=_length(title, "size", f"{where} [title]", *_TITLE, unit="pt"),
        title_colour=design.one_of(title, "colour", _COLOURS, f"{where} [title]"),
        lines=tuple(_line(line, f"{where} [[lines]]") for line in design.tables(table, "lines", where)),
        picture_corner=_length(table, "picture-corner", where, 0, _WIDEST),
        picture_most=design.number(table, "picture-most", where, 20, 70, default=56) / 100,
        picture_height=_length(table, "picture-height", where, 0, 60),
        head_ground=design.one_of(table, "head-ground", ("", *_COLOURS), where),
        ground=design.one_of(table, "ground", _GROUNDS, where),
        whole_alone=design.switch(table, "whole-alone", where),
        level=design.switch(table, "level", where),
    )


def _length(table: design.Table, key: str, where: str, least: float, most: float, *, unit: str = "mm") -> float:
    """A length in points; the bounds are in that unit."""
    return round(points(length_of(table, key, where, least, most, unit=unit)), 2)


def _line(table: object, where: str) -> FrameLine:
    found = design.check(table, ["inset", "width", "corner", "colour"], [], where)
    colour = design.one_of(found, "colour", _COLOURS, where)
    inset, corner = (_length(found, key, where, 0, _WIDEST) for key in ("inset", "corner"))
    return FrameLine(inset, _length(found, "width", where, 0, 3), corner, colour)
