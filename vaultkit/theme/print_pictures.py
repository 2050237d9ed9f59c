"""Pictures for print: photos from the cache, and SVG drawings as vectors, or as pixels if svglib cannot draw them."""

import base64
import binascii
import hashlib
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from vaultkit import files
from vaultkit.errors import BudgetExceeded
from vaultkit.theme import image_transcoding
from vaultkit.theme.image_fitting import Fit
from vaultkit.theme.image_transcoding import Picture, UnusablePicture
from vaultkit.theme.model import Theme

if TYPE_CHECKING:
    from vaultkit.theme.svg.svg_drawing import SvgDrawing


def prepare(source: Path, fit: Fit, theme: Theme) -> "Picture | SvgDrawing":
    """Return a picture for a place: a drawing that svglib can draw, anything else as a JPEG. Raises UnusablePicture."""
    if not image_transcoding.is_drawing(source):
        return image_transcoding.prepare(source, fit)
    from vaultkit.theme.svg.svg_painter import can_draw
    from vaultkit.theme.svg.svg_vectors import is_vector
    from vaultkit.theme.svg_raster import rasterize

    drawing = image_transcoding.read_drawing(source)
    try:
        _check_inner_pictures(drawing)
        if is_vector(drawing, opaque=fit.tone.cmyk) and can_draw(drawing, theme, words_only=False):
            return drawing.cover(fit.width, fit.height, fit.top) if fit.cover else drawing
        return rasterize(drawing, fit, theme)
    except UnusablePicture as error:
        raise UnusablePicture(error.reason, drawing.words) from error
    except BudgetExceeded as error:
        raise UnusablePicture(error.message_with_hint.rstrip("."), drawing.words) from error


@lru_cache(maxsize=16)
def _check_inner_pictures(drawing: "SvgDrawing") -> None:
    """Raise BudgetExceeded if a picture inside a drawing is too large."""
    for uri in filter(None, (element.get("href") for element in drawing.root.iter("image"))):
        with suppress(UnusablePicture):
            image_transcoding.INNER_PIXELS.check(image_transcoding.count_pixels(decode_data_uri(uri)))


def store_data_picture(uri: str) -> Path:
    """Return the file in the cache that holds the picture of a data URI. Raises UnusablePicture."""
    head, _, _ = uri.partition(",")
    media_type = head.lower().removeprefix("data:image/").split(";")[0].strip()
    suffix = f".{media_type.removesuffix('+xml')}"
    if suffix not in image_transcoding.PICTURE_SUFFIXES:
        raise UnusablePicture("of an unknown format")
    data = decode_data_uri(uri)
    path = image_transcoding.cache_folder() / "inline" / f"{hashlib.sha256(data).hexdigest()[:40]}{suffix}"
    if not files.is_file(path):
        image_transcoding.store(path, data)
    return path


def decode_data_uri(uri: str) -> bytes:
    """Return the bytes in a data URI. Raises UnusablePicture."""
    head, _, body = uri.partition(",")
    try:
        files.PICTURE_BYTES.check(len(body))
        if head.lower().rstrip().endswith("base64"):
            return base64.b64decode(b"".join(unquote_to_bytes(body).split()) + b"==")
        return unquote_to_bytes(body)
    except BudgetExceeded as error:
        raise UnusablePicture(error.message_with_hint.rstrip(".")) from error
    except (binascii.Error, ValueError) as error:
        raise UnusablePicture("cannot be read as a picture") from error
