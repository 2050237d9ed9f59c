"""Frames of cards are data: `print/frames/<name>.toml`, the vault's own first."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, cast

from vaultkit import resources
from vaultkit.errors import InvalidError, UsageError
from vaultkit.look import design
from vaultkit.look import theme as look
from vaultkit.sheets.geometry.paper import MM, MM_POINTS, parse_length, points

Layout = Literal["above", "beside", "none", "full"]
SUIT = "suit"
"""A colour that every card fills in: that of its own suit."""
SAFE = 3 * MM
"""Nothing but the ground comes nearer to the cut, in micrometres."""
_WIDEST = 15 * MM
"""No inset and no corner of a frame is larger: on the smallest card a third of the width is left."""
_TITLE = (7.0, 30.0)
"""The sizes of a title, in points."""
_COLOURS = (SUIT, look.INK, look.MUTED, look.ACCENT, look.GOLD, look.LINE, look.HEAD, look.PANEL)
_LAYOUTS = ("above", "beside", "none", "full")
_GROUNDS = (look.PAPER, look.PANEL, look.PANEL_DARK)
"""Colours light enough to carry words."""
_NEEDED = ("layout", "text-inset", "picture-inset", "foot", "title", "lines")
_MORE = ("picture-corner", "picture-most", "picture-height", "head-ground", "ground", "whole-alone")


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
    (`whole_alone`).
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
    found = resources.find("print", f"frames/{name}.toml", vault)
    if found is None:
        names = [Path(file).stem for file, _ in resources.listing("print", "frames/*.toml", vault)]
        raise UsageError(f"There is no frame '{name}'.", hint=f"Frames: {', '.join(names)}.")
    where = design.told(found)
    table = design.check(design.load(found), _NEEDED, _MORE, where)
    title = design.check(table["title"], ["size", "colour"], [], f"{where} [title]")
    return Frame(
        layout=_layout(table, where),
        text_inset=_length(table, "text-inset", where, SAFE, _WIDEST),
        picture_inset=_length(table, "picture-inset", where, 0, _WIDEST),
        foot=_length(table, "foot", where, SAFE, 2 * _WIDEST),
        title_size=_points(title, "size", f"{where} [title]", *_TITLE),
        title_colour=_colour(title, f"{where} [title]"),
        lines=tuple(_line(line, f"{where} [[lines]]") for line in design.tables(table, "lines", where)),
        picture_corner=_length(table, "picture-corner", where, 0, _WIDEST),
        picture_most=_share(table, where),
        picture_height=_length(table, "picture-height", where, 0, 60 * MM),
        head_ground=_colour({"colour": table["head-ground"]}, where) if "head-ground" in table else "",
        ground=_ground(table, where),
        whole_alone=_switch(table, "whole-alone", where),
    )


def _layout(table: design.Table, where: str) -> Layout:
    layout = design.text(table, "layout", where)
    if layout not in _LAYOUTS:
        raise InvalidError(f"'{layout}' is no layout.", where=where, hint=f"Accepted: {', '.join(_LAYOUTS)}.")
    return cast(Layout, layout)


def _length(table: design.Table, key: str, where: str, least: int, most: int) -> float:
    """A length in points; what is not given is 0. The bounds are in micrometres."""
    if key not in table:
        return 0.0
    length = parse_length(table[key], f"{where} {key}")
    if not least <= length <= most:
        raise InvalidError(f"'{key}' must be from {least / MM:g} to {most / MM:g} mm.", where=where)
    return round(points(length), 2)


def _points(table: design.Table, key: str, where: str, least: float, most: float) -> float:
    """The size of letters in points."""
    size = round(points(parse_length(table[key], f"{where} {key}")), 2)
    if not least <= size <= most:
        raise InvalidError(f"'{key}' must be from {least:g} to {most:g} pt.", where=where)
    return size


def _share(table: design.Table, where: str) -> float:
    share = table.get("picture-most", 56)
    if not isinstance(share, int) or not 20 <= share <= 70:
        raise InvalidError("'picture-most' must be a number from 20 to 70.", where=where)
    return share / 100


def _colour(table: design.Table, where: str) -> str:
    colour = design.text(table, "colour", where)
    if colour not in _COLOURS:
        raise InvalidError(f"'{colour}' is no colour.", where=where, hint=f"Accepted: {', '.join(_COLOURS)}.")
    return colour


def _ground(table: design.Table, where: str) -> str:
    ground = design.text(table, "ground", where)
    if ground and ground not in _GROUNDS:
        raise InvalidError(f"'{ground}' is no ground.", where=where, hint=f"Accepted: {', '.join(_GROUNDS)}.")
    return ground


def _switch(table: design.Table, key: str, where: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise InvalidError(f"'{key}' must be true or false.", where=where)
    return value


def _line(table: object, where: str) -> FrameLine:
    found = design.check(table, ["inset", "width", "corner", "colour"], [], where)
    inset, corner = (_length(found, key, where, 0, _WIDEST) for key in ("inset", "corner"))
    return FrameLine(inset, _length(found, "width", where, 0, 3 * MM), corner, _colour(found, where))
