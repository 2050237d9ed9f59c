"""Pictures of the vault, transcoded once into JPEG files that a PDF can embed byte for byte."""

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from io import BufferedReader, BytesIO
from pathlib import Path, PurePosixPath
from typing import IO, Any, Literal, TypeVar, cast

import msgspec

from vaultkit import files
from vaultkit.budget import MB, Limit
from vaultkit.errors import BudgetExceeded
from vaultkit.theme.colour import to_cmyk
from vaultkit.theme.model import Tone
from vaultkit.vault.writing.atomic_file import put

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif")
"""The file name suffixes of pictures that can be printed."""
_PILLOW_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
"""Pillow's names of their formats, the most common first; AVIF is last, since not every Pillow supports it."""
MAX_PIXELS = Limit("This picture has", 64_000_000, "pixels", "Save it smaller.")
MAX_READS = Limit("This picture has", 100_000, "parts", "Save it again in another program.")
MAX_TIFF_VALUES = Limit("A tag of this picture has", 100_000, "values", "Save it again in another program.")
_TIFF_ORDERS: dict[bytes, Literal["little", "big"]] = {b"II*\0": "little", b"MM\0*": "big"}
_TIFF_TEXT_TYPES = (1, 2, 6, 7)
"""The types of TIFF tags that are read as a whole: bytes and text."""
_MAX_DECODING_BYTES = Limit("To be drawn, this picture needs", 300 * MB, "bytes", "Save it smaller, or as PNG.")
"""The most memory that decoding a picture may take."""
_BYTES_PER_PIXEL = 4.5
"""The memory of a decoded picture, measured with Pillow 12."""
_BUFFER_BYTES_PER_PIXEL = {"WEBP": 12.5, "AVIF": 5.5}
"""The memory of a decoder besides the decoded picture, measured with Pillow 12; progressive JPEG needs coefficients."""
_COEFFICIENT_BYTES = 2
_STRIP_PIXELS = 550_000
"""The number of pixels processed at a time, because a copy of a whole picture may not fit in memory."""
_FLAT_MODES = {"RGB", "L"}
"""Pillow's modes of pictures that need no conversion."""
_REUSED_BLOCK_COUNT = 1
"""The number of pieces of memory that Pillow keeps for the next picture: more take no less time, but more memory."""
JPEG_QUALITY = 88
_DPI = 300
_ORIENTATION_TAG = 0x0112
_SIDEWAYS_CODES = range(5, 9)
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
_CARD_ASPECT_RATIOS = (0.56, 0.76)
"""The range of aspect ratios, width over height, of pictures that show a whole card."""
MAX_CROPPED_SHARE = 0.06
"""The most that may be cut off a picture of a whole card to fill its place; otherwise it is shown whole."""
_MAX_UNSCALED_RATIO = 1.35
"""The most that a picture may be wider than needed and still keep its pixels, since they cost little."""
_SVG_START_TAG = b"<svg"
_CONVERSION_VERSION = "7"
"""The version of the conversion; it changes whenever the same picture would give other bytes."""


FileFact = TypeVar("FileFact", str, tuple[int, int])
_MIN_AGE_NS = 2_000_000_000
"""The minimum age of a file's last change for caching; a younger file may change again without a new timestamp."""


class UnusablePicture(Exception):
    """A picture that is missing, broken, too large or of an unknown format; the sheet shows the reason in its place."""


COLOUR = Tone()


class Picture(msgspec.Struct, frozen=True):
    """A JPEG in the cache, named by its content, and its size in pixels."""

    path: Path
    width: int
    height: int


def cache_folder() -> Path:
    """Return the folder of transcoded pictures; it is safe to delete."""
    from platformdirs import user_cache_path

    return user_cache_path("vaultkit") / "images"


def to_pixels(length: float) -> int:
    """Return a length in points as pixels at the resolution of printed pictures."""
    return round(length / 72 * _DPI)


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


def prepare(source: Path, fit: Fit) -> Picture:
    """Return the JPEG of `source` for a place, from the cache if it has been made before. Raises UnusablePicture."""
    folder = cache_folder()

    def stem() -> str:
        return hashlib.sha256(fit.key.encode() + _read_bytes(source)).hexdigest()[:40]

    path = folder / f"{get_cached(folder, source, fit.key, stem, str)}.jpg"
    size = _cached_copy_size(path)
    if size is None:
        data, size = _transcode(_read_bytes(source), fit)
        _store(path, data)
    return Picture(path, *size)


@contextmanager
def reuse_memory() -> Iterator[None]:
    """Let Pillow use the memory of one picture for the next one, in a fifth less time; free it at the end."""
    from PIL import Image

    pillow: Any = Image
    pillow.core.set_blocks_max(_REUSED_BLOCK_COUNT)
    try:
        yield
    finally:
        pillow.core.set_blocks_max(0)


def is_named_as_picture(name: str) -> bool:
    """Return whether a file name is that of a picture that can be printed, or of an SVG drawing."""
    return PurePosixPath(name).suffix.lower() in (*PICTURE_SUFFIXES, ".svg")


def _read_bytes(source: Path) -> bytes:
    try:
        return files.read(source, files.PICTURE_BYTES)
    except files.FileRefused as error:
        raise UnusablePicture(str(error.strerror)) from error
    except OSError as error:
        raise UnusablePicture("not found") from error


def measure_aspect_ratio(source: Path) -> float:
    """Return the picture's width over its height. Raises UnusablePicture."""
    width, height = pixel_size(source)
    return float(width / max(height, 1))


def is_whole_card(aspect_ratio: float) -> bool:
    """Return whether a picture of this aspect ratio shows a whole card with its frame."""
    return _CARD_ASPECT_RATIOS[0] <= aspect_ratio <= _CARD_ASPECT_RATIOS[1]


def cropped_share(aspect_ratio: float, place_ratio: float) -> float:
    """Return the share of a picture that is cut off when it fills a place of another aspect ratio."""
    return 1 - min(aspect_ratio / place_ratio, place_ratio / aspect_ratio)


def pixel_size(source: Path) -> tuple[int, int]:
    """Return the picture's width and height, turned upright by its EXIF orientation. Raises UnusablePicture."""
    try:
        return _cached_pixel_size(source, source.stat().st_mtime_ns)
    except OSError as error:
        raise UnusablePicture("not found") from error


@lru_cache(maxsize=1024)
def _cached_pixel_size(source: Path, _mtime_ns: int) -> tuple[int, int]:
    return get_cached(cache_folder(), source, "pixels", partial(_measure, source), tuple[int, int])


def _measure(source: Path) -> tuple[int, int]:
    try:
        with files.open_plain(source, "rb", 0, limit=files.PICTURE_BYTES) as file, _open_image(file) as image:
            width, height = image.size
            if image.getexif().get(_ORIENTATION_TAG, 1) in _SIDEWAYS_CODES:
                width, height = height, width
    except BudgetExceeded as error:
        raise UnusablePicture(error.message_with_hint.rstrip(".")) from error
    except Exception as error:  # a broken picture breaks its decoder in many ways
        _refuse_drawing(_read_bytes(source))
        raise UnusablePicture("cannot be read as a picture") from error
    return width, height


def _transcode(data: bytes, fit: Fit) -> tuple[bytes, tuple[int, int]]:
    """Return the JPEG and its size in pixels. Optimized Huffman tables would save 4 % and take twice as long."""
    picture = _apply_tone(_decode_fitted(data, fit), fit.tone)
    buffer = BytesIO()
    picture.save(buffer, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    return buffer.getvalue(), picture.size


def _decode_fitted(data: bytes, fit: Fit) -> Any:
    """Return the picture fitted to its place, decoded no larger than needed."""
    _refuse_drawing(data)
    try:
        with _open_image(BytesIO(data)) as image:
            pixels = image.width * image.height
            MAX_PIXELS.check(pixels)
            image.draft("RGB", (fit.width * 2, fit.height * 2))
            _refuse_costly(image, pixels)
            return _fit_picture(image, fit)
    except BudgetExceeded as error:
        raise UnusablePicture(error.message_with_hint.rstrip(".")) from error
    except Exception as error:  # a broken picture breaks its decoder in many ways
        raise UnusablePicture("cannot be read as a picture") from error


def _refuse_costly(image: Any, pixels: int) -> None:
    """Raise BudgetExceeded if decoding takes too much memory; `image` has the reduced size, the file has `pixels`."""
    coefficient_bytes = 0.0
    if "progression" in image.info:
        samples = [across * down for _, across, down, _ in image.layer]  # of each channel in a block of pixels
        coefficient_bytes = _COEFFICIENT_BYTES * sum(samples) / max(samples)
    buffer_bytes = pixels * (_BUFFER_BYTES_PER_PIXEL.get(image.format, 0) + coefficient_bytes)
    _MAX_DECODING_BYTES.check(buffer_bytes + image.width * image.height * _BYTES_PER_PIXEL)


class _CountedReader(BufferedReader):
    """A reader of a picture that is read in no more than MAX_READS pieces: Pillow reads each part of it by itself."""

    count = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the next `size` bytes. Raises BudgetExceeded after too many pieces."""
        self.count += 1
        MAX_READS.check(self.count)
        return super().read(size)


def _open_image(source: IO[bytes]) -> Any:
    """Open a Pillow picture without decoding it; only known formats, since others start programs such as Ghostscript.

    Pillow's own size limit would warn on the terminal; `_decode_fitted` checks a lower one. Raises BudgetExceeded for a
    picture with too many parts.
    """
    _refuse_long_tiff_tags(source)
    from PIL import Image, WebPImagePlugin  # noqa: F401 - or Pillow imports all forty kinds at once to know this one

    Image.MAX_IMAGE_PIXELS = None
    return Image.open(_CountedReader(cast(Any, source)), formats=_PILLOW_FORMATS)


def _refuse_long_tiff_tags(source: IO[bytes]) -> None:
    """Raise BudgetExceeded for a TIFF with a tag of too many numbers, such as the places of millions of strips."""
    head = source.read(8)
    if order := _TIFF_ORDERS.get(head[:4]):
        source.seek(int.from_bytes(head[4:], order))
        tags = source.read(12 * int.from_bytes(source.read(2), order))
        for start in range(0, len(tags), 12):
            kind, count = int.from_bytes(tags[start + 2 : start + 4], order), tags[start + 4 : start + 8]
            if kind not in _TIFF_TEXT_TYPES:
                MAX_TIFF_VALUES.check(int.from_bytes(count, order))
    source.seek(0)


def _refuse_drawing(data: bytes) -> None:
    if _SVG_START_TAG in data[:2000].lower():
        raise UnusablePicture("an SVG drawing; save it as PNG")


def _fit_picture(image: Any, fit: Fit) -> Any:
    """Return the picture cropped to the place's shape if it is to `cover` it, and not much larger than the place needs.

    Squares of pixels are merged into one pixel each, which is ten times as fast as scaling; only a picture that is
    still too large is scaled. The picture is without metadata.
    """
    from PIL import Image

    image.load()  # which turns a TIFF upright
    orientation = image.getexif().get(_ORIENTATION_TAG, 1)
    upright_size = image.size[::-1] if orientation in _SIDEWAYS_CODES else image.size
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

    left, top, right, bottom = box if orientation not in _SIDEWAYS_CODES else (box[1], box[0], box[3], box[2])
    if orientation in {2, 3, 7, 8}:
        left, right = image.width - right, image.width - left
    if orientation in {3, 4, 6, 7}:
        top, bottom = image.height - bottom, image.height - top
    piece = image.crop((left, top, right, bottom))
    return piece.transpose(Transpose[_TRANSPOSES[orientation]]) if orientation in _TRANSPOSES else piece


def _apply_tone(picture: Any, tone: Tone) -> Any:
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


def _cached_copy_size(path: Path) -> tuple[int, int] | None:
    """Return the size in pixels of a cached copy; None if there is none, or it is broken."""
    from PIL.JpegImagePlugin import JpegImageFile  # `Image.open` would load other kinds, too

    try:
        with files.open_plain(path) as file, JpegImageFile(file) as image:
            return image.size
    except (OSError, SyntaxError):
        return None


def _store(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, data, durable=False)
    except OSError as error:
        raise UnusablePicture("its copy could not be kept in the cache") from error


def get_cached(
    folder: Path, source: Path, fact_name: str, compute: Callable[[], FileFact], fact_type: type[FileFact]
) -> FileFact:
    """Return a fact about the file `source`: from the cache in `folder`, else from `compute`, which is then cached.

    `fact_name` tells apart the facts about one file; `fact_type` is the type of this fact.
    """
    path = _cache_path(folder, source, fact_name)
    if path is None:
        return compute()
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(files.read(path), type=fact_type)
    fact = compute()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, msgspec.json.encode(fact), durable=False)
    return fact


def _cache_path(folder: Path, source: Path, fact_name: str) -> Path | None:
    """Return the path of a cached fact, named by the file's current state; None if the fact must not be cached.

    A file that changed just now could change again without a new timestamp.
    """
    try:
        stat = os.lstat(source)
    except OSError:
        return None
    if max(stat.st_mtime_ns, stat.st_ctime_ns) + _MIN_AGE_NS > time.time_ns():
        return None
    stamp = (stat.st_mode, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
    key = repr((fact_name, os.fspath(source), *stamp)).encode("utf-8", "surrogateescape")
    return folder / "files" / f"{hashlib.sha256(key).hexdigest()[:40]}.json"
