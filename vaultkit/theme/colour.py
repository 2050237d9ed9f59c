"""Calculations with colours: luminance, contrast, greys and printing inks."""

from collections.abc import Iterator
from typing import Any

MAX_INK_COVERAGE_RATIO = 2.0
"""The maximum sum of cyan, magenta, yellow and black: print shops accept 2.4 or more, and JPEG values vary."""

Inks = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, each from 0 to 1."""


def luminance(code: str) -> float:
    """Return the relative luminance of `#rrggbb`, from 0 to 1, as defined by WCAG 2."""
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _rgb_parts(code))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21, as defined by WCAG 2."""
    darker, lighter = sorted((luminance(first), luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def fade(code: str, ground: str, min_contrast: float) -> str:
    """Mix a colour with as much white as its contrast with the light `ground` allows, so that it takes little ink.

    A colour whose contrast is below `min_contrast` from the beginning stays as it is.
    """
    result = code
    for mixed in _mixtures_with_white(code):
        if contrast(mixed, ground) < min_contrast:
            break
        result = mixed
    return result


def lighten(code: str, ground: str, min_contrast: float) -> str:
    """Mix in the white that a colour needs for `min_contrast` with the dark `ground`; white if that is too little.

    A colour on a ground lighter than itself stays as it is.
    """
    if luminance(ground) > luminance(code):
        return code
    return next((mixed for mixed in _mixtures_with_white(code) if contrast(mixed, ground) >= min_contrast), "#ffffff")


def darken(code: str, ground: str, min_contrast: float) -> str:
    """Mix in the black that a colour needs for `min_contrast` with the light `ground`; black if that is too little."""
    shades = (_mix(code, 0.0, share / 255) for share in range(256))
    return next((mixed for mixed in shades if contrast(mixed, ground) >= min_contrast), "#000000")


def make_readable(code: str, ground: str, min_contrast: float) -> str:
    """Return a colour, made darker on a light `ground` and lighter on a dark one as far as `min_contrast` needs."""
    if contrast(code, ground) >= min_contrast:
        return code
    if contrast(ground, "#000000") > contrast(ground, "#ffffff"):
        return darken(code, ground, min_contrast)
    return next((mixed for mixed in _mixtures_with_white(code) if contrast(mixed, ground) >= min_contrast), "#ffffff")


def _mixtures_with_white(code: str) -> Iterator[str]:
    """Yield the colour itself, then mixtures with more and more white."""
    for share in range(256):
        yield _mix(code, 1.0, share / 255)


def _mix(code: str, target: float, share: float) -> str:
    """Mix a colour with a share of white (`target` 1) or black (`target` 0)."""
    return "#" + "".join(f"{round(255 * (part + (target - part) * share)):02x}" for part in _rgb_parts(code))


def parse_css(text: str) -> tuple[int, int, int, float] | None:
    """Return a colour of CSS as red, green and blue from 0 to 255, and its opacity from 0 to 1; None if it is none."""
    from tinycss2.color4 import parse_color

    try:
        colour = parse_color(text)
        red, green, blue = (round(min(1.0, max(0.0, part)) * 255) for part in colour.to("srgb").coordinates)
    except (AttributeError, NotImplementedError, RecursionError, TypeError, ValueError):
        return None
    return red, green, blue, colour.alpha


def grey_of(code: str) -> str:
    """Return the grey with the luminance of `#rrggbb`, so that contrasts stay the same."""
    linear_grey = luminance(code)
    part = linear_grey * 12.92 if linear_grey <= 0.0031308 else 1.055 * linear_grey ** (1 / 2.4) - 0.055
    return "#" + f"{round(part * 255):02x}" * 3


MAX_DARK_PART, MAX_NEAR_BLACK_PART, MAX_NEAR_GREY_DIFFERENCE = 0.5, 0.2, 0.12
"""Limits for the parts of a colour (red, green and blue), from 0 to 1.

They are the lightest part of a dark colour, the lightest part of near black, and the largest difference between the
parts of a near grey.
"""


def inks_of(code: str) -> Inks:
    """Return the inks of `#rrggbb`; black replaces what cyan, magenta and yellow have in common, so one of them is 0.

    Red is (1 - cyan) times (1 - black), since inks overlap. Near black, the three colours are reduced so that the sum
    of inks never exceeds `MAX_INK_COVERAGE_RATIO`. A dark grey is black alone, since letters printed with several inks
    have coloured edges. No press profile is used.
    """
    parts = _rgb_parts(code)
    lightest = max(parts)
    if lightest < MAX_DARK_PART and lightest - min(parts) < MAX_NEAR_GREY_DIFFERENCE:
        return 0.0, 0.0, 0.0, 1.0 if lightest < MAX_NEAR_BLACK_PART else 1 - sum(parts) / 3
    black = 1 - lightest
    inks = [(lightest - part) / lightest if lightest else 0.0 for part in parts]
    share = min(1.0, (MAX_INK_COVERAGE_RATIO - black) / (sum(inks) or 1.0))
    cyan, magenta, yellow = (ink * share for ink in inks)
    return cyan, magenta, yellow, black


def to_cmyk(picture: Any) -> Any:
    """Convert a Pillow picture in RGB or grey to CMYK, as `inks_of` does for single colours."""
    from PIL import Image, ImageChops, ImageMath

    bands = picture.convert("RGB").split()
    lightest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    inks = [ImageMath.lambda_eval(_compute_ink, part=band, lightest=lightest) for band in bands]
    total = ImageMath.lambda_eval(lambda of: of["a"] + of["b"] + of["c"], a=inks[0], b=inks[1], c=inks[2])
    reduced_inks = [ImageMath.lambda_eval(_reduce_ink, ink=ink, total=total, lightest=lightest) for ink in inks]
    return Image.merge("CMYK", [*reduced_inks, ImageChops.invert(lightest)])


def _compute_ink(operands: Any) -> Any:
    return (operands["lightest"] - operands["part"]) * 255 / operands["max"](operands["lightest"], 1)


def _reduce_ink(operands: Any) -> Any:
    max_colour_inks = round(MAX_INK_COVERAGE_RATIO * 255) - 255 + operands["lightest"]
    return operands["convert"](
        operands["ink"] * operands["min"](operands["total"], max_colour_inks) / operands["max"](operands["total"], 1),
        "L",
    )


def to_reportlab_grey(colour: Any) -> Any:
    """Return the grey that ReportLab draws in place of `colour`."""
    from reportlab.lib.colors import HexColor

    return HexColor(grey_of(_to_code(colour)))


def to_reportlab_inks(colour: Any) -> Any:
    """Return the inks that ReportLab draws in place of `colour`."""
    from reportlab.lib.colors import CMYKColor

    return CMYKColor(*inks_of(_to_code(colour)))


def _rgb_parts(code: str) -> tuple[float, ...]:
    return tuple(int(code[start : start + 2], 16) / 255 for start in (1, 3, 5))


def _to_code(colour: Any) -> str:
    from reportlab.lib.colors import toColor

    return f"#{toColor(colour).hexval()[2:]}"
