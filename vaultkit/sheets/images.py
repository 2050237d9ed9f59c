"""Pictures of the vault, transcoded once into JPEG files that a PDF can take byte for byte."""

import contextlib
import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MAX_PIXELS = 64_000_000
MAX_BYTES = 80_000_000
QUALITY = 88
_ORIENTATION = 0x0112
_TURNED = 5
"""EXIF orientations from here on lie on their side."""
_RECIPE = "1"
"""Changes whenever the same picture would come out as other bytes."""


class UnusablePicture(Exception):
    """The picture is missing, broken, too large or of no known kind; the sheet says so in its place."""


@dataclass(frozen=True)
class Picture:
    """A JPEG in the cache, and its size in pixels."""

    path: Path
    width: int
    height: int


class _ByContent(str):
    """A file name that ReportLab prints, and so hashes, as its content's hash: the folder stays out of the PDF."""

    __slots__ = ()

    def __str__(self) -> str:
        return Path(self.__getitem__(slice(None))).stem


def prepare(source: Path, cache: Path, *, width: int, height: int, cover: bool = False, top: float = 0.3) -> Picture:
    """The JPEG of `source` for a place of `width` x `height` pixels: cropped to fill it, or made to fit inside it.

    When cropping, `top` is the share of the surplus height that goes at the top: faces are seldom in the middle.
    """
    try:
        if source.stat().st_size > MAX_BYTES:
            raise UnusablePicture("larger than 80 MB")
        data = source.read_bytes()
    except OSError as error:
        raise UnusablePicture("not found") from error
    key = f"{_RECIPE}|{width}x{height}|{cover}|{top}|{QUALITY}|".encode() + data
    path = cache / f"{hashlib.sha256(key).hexdigest()[:40]}.jpg"
    if not path.is_file():
        _store(path, _transcode(data, width, height, cover=cover, top=top))
    return Picture(path, *_size(path))


def lost_by_filling(source: Path, shape: float) -> float:
    """The share of the picture, from 0 to 1, that is cut off if it fills a place of `shape` (width over height)."""
    from PIL import Image

    try:
        with Image.open(source) as image:
            width, height = image.size
            if image.getexif().get(_ORIENTATION, 1) >= _TURNED:
                width, height = height, width
    except Exception as error:
        raise UnusablePicture("cannot be read as a picture") from error
    own = width / max(height, 1)
    return 1 - min(own / shape, shape / own) if own else 1.0


def draw(canvas: Any, picture: Picture, x: float, y: float, size: tuple[float, float]) -> None:
    """Draws the picture with its lower left corner at x, y, `size` points wide and high."""
    canvas.drawImage(_ByContent(picture.path), x, y, *size)


def _transcode(data: bytes, width: int, height: int, *, cover: bool, top: float) -> bytes:
    from io import BytesIO

    from PIL import Image, ImageOps

    try:
        with Image.open(BytesIO(data)) as image:
            if image.width * image.height > MAX_PIXELS:
                raise UnusablePicture("more than 64 megapixels")
            image.draft("RGB", (width * 2, height * 2))
            upright: Any = _on_white(ImageOps.exif_transpose(image))
    except UnusablePicture:
        raise
    except Exception as error:
        raise UnusablePicture("cannot be read as a picture") from error
    if cover:
        scale = min(1.0, upright.width / width, upright.height / height)
        size = max(1, round(width * scale)), max(1, round(height * scale))
        upright = ImageOps.fit(upright, size, Image.Resampling.LANCZOS, centering=(0.5, top))
    else:
        upright.thumbnail((width, height), Image.Resampling.LANCZOS)
    buffer = BytesIO()
    upright.save(buffer, "JPEG", quality=QUALITY, optimize=True, subsampling=0)
    return buffer.getvalue()


def _on_white(image: Any) -> Any:
    from PIL import Image

    if image.mode in {"RGB", "L"}:
        return image.copy()
    if "A" not in image.getbands() and "transparency" not in image.info:
        return image.convert("RGB")
    clear = image.convert("RGBA")
    ground = Image.new("RGB", clear.size, "white")
    ground.paste(clear, mask=clear.getchannel("A"))
    return ground


def _size(path: Path) -> tuple[int, int]:
    from PIL import Image

    with Image.open(path) as image:
        return image.size


def _store(path: Path, data: bytes) -> None:
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        raise UnusablePicture("its copy could not be kept in the cache") from error
