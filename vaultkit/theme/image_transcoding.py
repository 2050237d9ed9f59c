"""Pictures of the vault, transcoded once into JPEG files that a PDF can embed byte for byte."""

import hashlib
import math
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import lru_cache, partial
from io import BufferedReader, BytesIO
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import IO, TYPE_CHECKING, Any, Literal, cast

import msgspec

from vaultkit import files
from vaultkit.budget import MB, Limit
from vaultkit.errors import BudgetExceeded
from vaultkit.theme.file_cache import get_cached
from vaultkit.theme.image_fitting import (
    JPEG_QUALITY,
    ORIENTATION_TAG,
    SIDEWAYS_CODES,
    Fit,
    apply_tone,
    fit_picture,
)
from vaultkit.vault.writing.atomic_file import put

if TYPE_CHECKING:
    from vaultkit.theme.svg.svg_drawing import SvgDrawing

_DRAWING_SUFFIX = ".svg"
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", _DRAWING_SUFFIX)
"""The file name suffixes of pictures that can be printed."""
_PILLOW_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
"""Pillow's names of their formats, the most common first; AVIF is last, since not every Pillow supports it."""
MAX_PIXELS = Limit("This picture has", 64_000_000, "pixels", "Save it smaller.")
_MAX_SIDE = Limit("This picture has", 65_535, "pixels in a row or column", "Save it smaller.")
MAX_READS = Limit("This picture has", 100_000, "parts", "Save it again in another program.")
MAX_TIFF_VALUES = Limit("A tag of this picture has", 100_000, "values", "Save it again in another program.")
_TIFF_ORDERS: dict[bytes, Literal["little", "big"]] = {b"II*\0": "little", b"MM\0*": "big"}
_TIFF_TEXT_TYPES = (1, 2, 6, 7)
"""The types of TIFF tags that are read as a whole: bytes and text."""
INNER_PIXELS = Limit("A picture in this drawing has", 16_000_000, "pixels", "Save it smaller.")
_MAX_DECODING_BYTES = Limit("To be drawn, this picture needs", 300 * MB, "bytes", "Save it smaller, or as PNG.")
"""The most memory that decoding a picture may take."""
_LARGE_PICTURE, _MIN_LARGE_BYTES = Lock(), 50 * MB
"""The lock with which pictures that take more memory are decoded one by one."""
_BYTES_PER_PIXEL = 4.5
"""The memory of a decoded picture, measured with Pillow 12."""
_BUFFER_BYTES_PER_PIXEL = {"WEBP": 12.5, "AVIF": 5.5}
"""The memory of a decoder besides the decoded picture, measured with Pillow 12; progressive JPEG needs coefficients."""
_COEFFICIENT_BYTES = 2
_REUSED_BLOCK_COUNT = 1
"""The number of pieces of memory that Pillow keeps for the next picture: more take no less time, but more memory."""
_DPI = 300
_CARD_ASPECT_RATIOS = (0.56, 0.76)
"""The range of aspect ratios, width over height, of pictures that show a whole card."""
MAX_CROPPED_SHARE = 0.06
"""The most that may be cut off a picture of a whole card to fill its place; otherwise it is shown whole."""
_SVG_START_TAG = b"<svg"


class UnusablePicture(Exception):
    """A picture that is missing, broken, too large or of an unknown format.

    The sheet shows the reason in its place, with the `words` that a drawing holds.
    """

    def __init__(self, reason: str, words: str = "") -> None:
        super().__init__(f"{reason}. Its words: {words}" if words else reason)
        self.reason = reason


class Picture(msgspec.Struct, frozen=True):
    """A JPEG in the cache, named by its content, and its size in pixels."""

    path: Path
    width: int
    height: int
    drawing: "SvgDrawing | None" = None
    """The drawing that the picture shows in pixels, whose words a PDF then holds invisibly."""


def cache_folder() -> Path:
    """Return the folder of transcoded pictures; it is safe to delete."""
    from platformdirs import user_cache_path

    return user_cache_path("vaultkit") / "images"


def to_pixels(length: float) -> int:
    """Return a length in points as pixels at the resolution of printed pictures."""
    return round(length / 72 * _DPI)


def prepare(source: Path, fit: Fit) -> Picture:
    """Return the JPEG of `source` for a place, from the cache if it has been made before. Raises UnusablePicture."""
    stem = get_cached(cache_folder(), source, fit.key, lambda: _stem(_read_bytes(source), fit), str)
    return find_copy(stem) or keep_copy(stem, _read_bytes(source), fit)


def _stem(data: bytes, fit: Fit) -> str:
    return hashlib.sha256(fit.key.encode() + data).hexdigest()[:40]


def find_copy(stem: str) -> Picture | None:
    """Return a picture in the cache by its name; None if it is not there, or broken."""
    path = cache_folder() / f"{stem}.jpg"
    size = _cached_copy_size(path)
    return Picture(path, *size) if size else None


def keep_copy(stem: str, data: bytes, fit: Fit) -> Picture:
    """Return the JPEG of a picture's bytes for a place, kept in the cache by its name. Raises UnusablePicture."""
    path = cache_folder() / f"{stem}.jpg"
    copy, size = _transcode(data, fit)
    store(path, copy)
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
    """Return whether a file name is that of a picture that can be printed."""
    return PurePosixPath(name).suffix.lower() in PICTURE_SUFFIXES


def is_drawing(source: Path) -> bool:
    """Return whether a file is an SVG drawing, by its name."""
    return source.suffix.lower() == _DRAWING_SUFFIX


def read_drawing(source: Path) -> "SvgDrawing":
    """Return an SVG drawing. Raises UnusablePicture, with the drawing's words."""
    try:
        return _cached_drawing(source, source.stat().st_mtime_ns)
    except OSError as error:
        raise UnusablePicture("not found") from error


@lru_cache(maxsize=16)
def _cached_drawing(source: Path, _mtime_ns: int) -> "SvgDrawing":
    from vaultkit.theme.svg.svg_drawing import SvgDrawing
    from vaultkit.theme.svg.svg_reader import FILE_BYTES, UnreadableSvg, find_words, read_svg

    data = _read_bytes(source, FILE_BYTES)
    try:
        return SvgDrawing(read_svg(data), hashlib.sha256(data).hexdigest()[:40])
    except BudgetExceeded as error:
        raise UnusablePicture(error.message_with_hint.rstrip("."), find_words(data)) from error
    except UnreadableSvg as error:
        raise UnusablePicture(str(error), find_words(data)) from error


def _read_bytes(source: Path, limit: Limit = files.PICTURE_BYTES) -> bytes:
    try:
        return files.read(source, limit)
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
    if is_drawing(source):
        drawing = read_drawing(source)
        return math.ceil(drawing.width), math.ceil(drawing.height)
    try:
        with files.open_plain(source, "rb", 0, limit=files.PICTURE_BYTES) as file, _open_image(file) as image:
            width, height = image.size
            if image.getexif().get(ORIENTATION_TAG, 1) in SIDEWAYS_CODES:
                width, height = height, width
    except BudgetExceeded as error:
        raise UnusablePicture(error.message_with_hint.rstrip(".")) from error
    except Exception as error:  # a broken picture breaks its decoder in many ways
        _refuse_drawing(_read_bytes(source))
        raise UnusablePicture("cannot be read as a picture") from error
    return width, height


def _transcode(data: bytes, fit: Fit) -> tuple[bytes, tuple[int, int]]:
    """Return the JPEG and its size in pixels. Optimized Huffman tables would save 4 % and take twice as long."""
    picture = apply_tone(_decode_fitted(data, fit), fit.tone)
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
            _MAX_SIDE.check(max(image.size))
            image.draft("RGB", (fit.width * 2, fit.height * 2))
            size = _refuse_costly(image, pixels)
            with _LARGE_PICTURE if size > _MIN_LARGE_BYTES else nullcontext():
                return fit_picture(image, fit)
    except BudgetExceeded as error:
        raise UnusablePicture(error.message_with_hint.rstrip(".")) from error
    except Exception as error:  # a broken picture breaks its decoder in many ways
        raise UnusablePicture("cannot be read as a picture") from error


def _refuse_costly(image: Any, pixels: int) -> float:
    """Return the bytes that decoding takes; `image` has the reduced size, the file has `pixels`.

    Raises BudgetExceeded if they are too many.
    """
    coefficient_bytes = 0.0
    if "progression" in image.info:
        samples = [across * down for _, across, down, _ in image.layer]  # of each channel in a block of pixels
        coefficient_bytes = _COEFFICIENT_BYTES * sum(samples) / max(samples)
    buffer_bytes = pixels * (_BUFFER_BYTES_PER_PIXEL.get(image.format, 0) + coefficient_bytes)
    size: float = buffer_bytes + image.width * image.height * _BYTES_PER_PIXEL
    _MAX_DECODING_BYTES.check(size)
    return size


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
        raise UnusablePicture("an SVG drawing; let its name end with .svg")


def count_pixels(data: bytes) -> int:
    """Return the number of pixels of a picture without decoding it; 0 if it cannot be read."""
    with suppress(Exception), _open_image(BytesIO(data)) as image:  # a broken picture breaks its decoder in many ways
        return int(image.width * image.height)
    return 0


def _cached_copy_size(path: Path) -> tuple[int, int] | None:
    """Return the size in pixels of a cached copy; None if there is none, or it is broken."""
    from PIL.JpegImagePlugin import JpegImageFile  # `Image.open` would load other kinds, too

    try:
        with files.open_plain(path) as file, JpegImageFile(file) as image:
            return image.size
    except (OSError, SyntaxError):
        return None


def store(path: Path, data: bytes) -> None:
    """Write a picture into the cache. Raises UnusablePicture."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, data, durable=False)
    except OSError as error:
        raise UnusablePicture("its copy could not be kept in the cache") from error
