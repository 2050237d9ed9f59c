"""Fitting of decoded pictures to their places on paper: turned upright, cropped, reduced and toned."""

from typing import Any

import msgspec

from vaultkit.theme.colour import to_cmyk
from vaultkit.theme.model import Tone

JPEG_QUALITY = 88
_CONVERSION_VERSION = "7"
"""The version of the conversion; it changes whenever the same picture would give other bytes."""
_STRIP_PIXELS = 550_000
"""The number of pixels processed at a time, because a copy of a whole picture may not fit in memory."""
_FLAT_MODES = {"RGB", "L"}
"""Pillow's modes of pictures that need no conversion."""
ORIENTATION_TAG = 0x0112
SIDEWAYS_CODES = range(5, 9)
"""The EXIF orientations with width and height swapped."""
_TRANSPOSES = {
    2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM", 5: "TRANSPOSE", 6: "ROTATE_270", 7: "TRANSVERSE",
    8: "ROTATE_90",
}  # fmt: skip
"""The names of Pillow's transposes that turn a picture upright, by its EXIF orientation."""
_LINE_BLUR_RADII_PX, _MIN_LINE_DARKNESS, _LINE_DARKENING_FACTOR = (0.8, 2.5), 6, 5
"""Values for line drawings.

They are the radii of the blurs that find lines, the darkness (0 to 255) of the faintest line, and the factor by which
lines are darkened.
"""
_SHADE_STRENGTH = 0.05
"""The share of a picture's own ink that stays between its lines."""
_MAX_UNSCALED_RATIO = 1.35
"""The most that a picture may be wider than needed and still keep its pixels, since they cost little."""
COLOUR = Tone()


class Fit(msgspec.Struct, frozen=True):
    """The size in pixels of a picture's place; the picture is cropped to `cover` it, or made to fit inside.

    When cropping, `top` is the share of the surplus height that is cut off at the top: faces are seldom in the middle.
    A grey `tone` makes a picture without colour channels, a light one makes a line drawing that saves ink.
    """

    width: int
    height: int
    cover: bool = False
    top: float = 0.3
    tone: Tone = COLOUR

    @property
    def key(self) -> str:
        """The key of everything that determines the JPEG, except for the picture itself."""
        tone = f"{self.tone.grey}|{self.tone.light}|{self.tone.cmyk}|{self.tone.ground}"
        return f"{_CONVERSION_VERSION}|{self.width}x{self.height}|{self.cover}|{self.top}|{JPEG_QUALITY}|{tone}"


def fit_picture(image: Any, fit: Fit) -> Any:
    """Return the picture cropped to the place's shape if it is to `cover` it, and not much larger than the place needs.

    Squares of pixels are merged into one pixel each, which is ten times as fast as scaling; only a picture that is
    still too large is scaled. The picture is without metadata.
    """
    from PIL import Image

    image.load()  # which turns a TIFF upright
    orientation = image.getexif().get(ORIENTATION_TAG, 1)
    upright_size = image.size[::-1] if orientation in SIDEWAYS_CODES else image.size
    box = left, top, right, bottom = _cover_box(upright_size, fit) if fit.cover else (0, 0, *upright_size)
    size_ratio = max((right - left) / fit.width, (bottom - top) / fit.height)
    block_side = max(1, int(size_ratio))
    if image.mode in _FLAT_MODES and orientation not in _TRANSPOSES:
        picture = image.reduce(block_side, box)
        picture.info.clear()
    else:
        picture = _reduce_strips(image, box, block_side, orientation, fit.tone.ground or "white")
    if size_ratio / block_side > _MAX_UNSCALED_RATIO:
        picture.thumbnail((fit.width, fit.height), Image.Resampling.HAMMING)
    return picture


def _reduce_strips(image: Any, box: tuple[int, int, int, int], block_side: int, orientation: int, ground: str) -> Any:
    """Return a box of a picture turned upright and laid on the colour `ground`, its squares merged into one pixel each.

    It is made in strips, since a copy of a whole picture may not fit in memory.
    """
    from PIL import Image

    left, top, right, bottom = box
    white = _white_value(image)
    strip_height = max(1, _STRIP_PIXELS // (right - left) // block_side) * block_side
    picture: Any = None
    for start in range(top, bottom, strip_height):
        strip = (left, start, right, min(start + strip_height, bottom))
        piece = _flatten(_crop_upright(image, strip, orientation), white, ground).reduce(block_side)
        if picture is None:
            picture = Image.new(piece.mode, (piece.width, -(-(bottom - top) // block_side)))
        picture.paste(piece, (0, (start - top) // block_side))
    return picture


def _cover_box(upright_size: tuple[int, int], fit: Fit) -> tuple[int, int, int, int]:
    """Return the box that covers a place, in a picture of the given size: left, top, right, bottom."""
    place_ratio = fit.width / fit.height
    width = min(upright_size[0], max(1, round(upright_size[1] * place_ratio)))
    height = min(upright_size[1], max(1, round(upright_size[0] / place_ratio)))
    left, top = (upright_size[0] - width) // 2, round((upright_size[1] - height) * fit.top)
    return left, top, left + width, top + height


def _crop_upright(image: Any, box: tuple[int, int, int, int], orientation: int) -> Any:
    """Return a piece of the picture turned upright, by its box in the upright picture."""
    from PIL.Image import Transpose

    left, top, right, bottom = box if orientation not in SIDEWAYS_CODES else (box[1], box[0], box[3], box[2])
    if orientation in {2, 3, 7, 8}:
        left, right = image.width - right, image.width - left
    if orientation in {3, 4, 6, 7}:
        top, bottom = image.height - bottom, image.height - top
    piece = image.crop((left, top, right, bottom))
    return piece.transpose(Transpose[_TRANSPOSES[orientation]]) if orientation in _TRANSPOSES else piece


def apply_tone(picture: Any, tone: Tone) -> Any:
    """Return the picture in a tone: as a line drawing, in grey, or in the inks of printing presses."""
    if tone.light:
        picture = _make_line_drawing(picture)
    elif tone.grey:
        picture = picture.convert("L")
    return to_cmyk(picture) if tone.cmyk else picture


def _make_line_drawing(picture: Any) -> Any:
    """Return grey lines where the picture is darker than its surroundings, over faint shades of the picture."""
    from PIL import ImageChops, ImageFilter

    grey = picture.convert("L")
    fine, coarse = (grey.filter(ImageFilter.GaussianBlur(radius)) for radius in _LINE_BLUR_RADII_PX)
    darkness = ImageChops.subtract(coarse, fine)
    tones = ((value - _MIN_LINE_DARKNESS) * _LINE_DARKENING_FACTOR for value in range(256))
    lines = darkness.point([255 - min(255, max(0, tone)) for tone in tones])
    shades = grey.point([round(255 - _SHADE_STRENGTH * (255 - value)) for value in range(256)])
    return ImageChops.multiply(shades, lines)


def _flatten(image: Any, white: int, colour: str) -> Any:
    from PIL import Image

    if image.mode in _FLAT_MODES:
        return image
    if image.mode[0] in "IF":
        return image.convert("F").point(lambda value: value * (255 / white)).convert("L")
    if "A" not in image.getbands() and "transparency" not in image.info:
        return image.convert("RGB")
    rgba_image = image.convert("RGBA")
    ground = Image.new("RGB", rgba_image.size, colour)
    ground.paste(rgba_image, mask=rgba_image.getchannel("A"))
    return ground


def _white_value(image: Any) -> int:
    """Return the value of white: Pillow would cut off 16-bit grey at 255 and so turn it white."""
    if image.mode[0] not in "IF":
        return 255
    rows = max(1, _STRIP_PIXELS // image.width)
    pieces = (image.crop((0, row, image.width, min(row + rows, image.height))) for row in range(0, image.height, rows))
    return 65_535 if any(piece.convert("F").getextrema()[1] > 255 for piece in pieces) else 255
