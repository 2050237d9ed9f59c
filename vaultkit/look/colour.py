"""Sums with colours: how light, how far apart, as a grey, as printing inks."""

from collections.abc import Iterator
from typing import Any

MOST_INK = 2.0
"""The most that cyan, magenta, yellow and black come to together: shops take 2.4 and more, and a JPEG wavers."""

Inks = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, each from 0 to 1."""


def luminance(code: str) -> float:
    """How light `#rrggbb` is, from 0 to 1, as WCAG 2 reckons it."""
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _parts(code))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21, as WCAG 2 reckons it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def faded(code: str, ground: str, least: float) -> str:
    """The colour mixed with white as far as its contrast with the light `ground` allows: as little ink as can be read.

    One whose contrast is below `least` already stays as it is.
    """
    found = code
    for mixed in _towards_white(code):
        if contrast(mixed, ground) < least:
            break
        found = mixed
    return found


def lit(code: str, ground: str, least: float) -> str:
    """The colour mixed with as much white as it needs to stand out from the dark `ground`; white if that is not enough.

    A colour on a ground lighter than itself stays as it is.
    """
    if luminance(ground) > luminance(code):
        return code
    return next((mixed for mixed in _towards_white(code) if contrast(mixed, ground) >= least), "#ffffff")


def dimmed(code: str, ground: str, least: float) -> str:
    """The colour mixed with as much black as it needs to stand out from the light `ground`."""
    shades = (_mixed(code, 0.0, share / 255) for share in range(256))
    return next((mixed for mixed in shades if contrast(mixed, ground) >= least), "#000000")


def _towards_white(code: str) -> Iterator[str]:
    """The colour itself, then with ever more white in it."""
    for share in range(256):
        yield _mixed(code, 1.0, share / 255)


def _mixed(code: str, end: float, share: float) -> str:
    """The colour with a share of white (1) or black (0) in it."""
    return "#" + "".join(f"{round(255 * (part + (end - part) * share)):02x}" for part in _parts(code))


def grey_of(code: str) -> str:
    """The grey that is as light as `#rrggbb`, so that every contrast stays what it was."""
    light = luminance(code)
    part = light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return "#" + f"{round(part * 255):02x}" * 3


MAX_DARK, MAX_NEAR_BLACK, MAX_NEAR_GREY = 0.5, 0.2, 0.12
"""The lightest part of a colour that is dark, and of one that is black; and how far the parts of a grey may differ."""


def inks_of(code: str) -> Inks:
    """The inks of `#rrggbb`. Black stands for all that cyan, magenta and yellow have in common: one of them is 0.

    Red is (1 - cyan) times (1 - black), as inks over each other look. Near black, the three are held back, so that all
    four never come to more than `MOST_INK`. A dark grey is black alone: letters of several inks have coloured edges.
    No profile of a press is used.
    """
    parts = _parts(code)
    lightest = max(parts)
    if lightest < MAX_DARK and lightest - min(parts) < MAX_NEAR_GREY:
        return 0.0, 0.0, 0.0, 1.0 if lightest < MAX_NEAR_BLACK else 1 - sum(parts) / 3
    black = 1 - lightest
    inks = [(lightest - part) / lightest if lightest else 0.0 for part in parts]
    share = min(1.0, (MOST_INK - black) / (sum(inks) or 1.0))
    cyan, magenta, yellow = (ink * share for ink in inks)
    return cyan, magenta, yellow, black


def with_inks(picture: Any) -> Any:
    """A Pillow picture in RGB or grey as one in CMYK, by the rule of `inks_of`."""
    from PIL import Image, ImageChops, ImageMath

    bands = picture.convert("RGB").split()
    lightest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    inks = [ImageMath.lambda_eval(_ink, part=band, lightest=lightest) for band in bands]
    total = ImageMath.lambda_eval(lambda of: of["a"] + of["b"] + of["c"], a=inks[0], b=inks[1], c=inks[2])
    held = [ImageMath.lambda_eval(_held_back, ink=ink, total=total, lightest=lightest) for ink in inks]
    return Image.merge("CMYK", [*held, ImageChops.invert(lightest)])


def _ink(of: Any) -> Any:
    return (of["lightest"] - of["part"]) * 255 / of["max"](of["lightest"], 1)


def _held_back(of: Any) -> Any:
    room = round(MOST_INK * 255) - 255 + of["lightest"]
    return of["convert"](of["ink"] * of["min"](of["total"], room) / of["max"](of["total"], 1), "L")


def drawn_grey(colour: Any) -> Any:
    """The grey in which ReportLab is to draw what was asked for in `colour`."""
    from reportlab.lib.colors import HexColor

    return HexColor(grey_of(_code(colour)))


def drawn_with_inks(colour: Any) -> Any:
    """The inks with which ReportLab is to draw what was asked for in `colour`."""
    from reportlab.lib.colors import CMYKColor

    return CMYKColor(*inks_of(_code(colour)))


def _parts(code: str) -> tuple[float, ...]:
    return tuple(int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))


def _code(colour: Any) -> str:
    from reportlab.lib.colors import toColor

    return f"#{toColor(colour).hexval()[2:]}"
