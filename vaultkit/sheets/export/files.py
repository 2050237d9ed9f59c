"""Picture files of ours: written in one step, never over a file that vaultkit did not make, same picture same bytes."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

from vaultkit.errors import WriteError
from vaultkit.sheets.pdf.writing import put, refuse_missing

_MARK = "vaultkit"
_HINT = "Give another place with --out."


def png(picture: Any, dpi: int) -> bytes:
    """The picture as a PNG file that says its resolution, and that vaultkit made it."""
    from PIL.PngImagePlugin import PngInfo

    told = PngInfo()
    told.add_text("Software", _MARK)
    buffer = BytesIO()
    picture.save(buffer, "PNG", dpi=(dpi, dpi), pnginfo=told, optimize=False, compress_level=6)
    return buffer.getvalue()


def folder(place: Path) -> Path:
    """The folder `place`, made if it is missing. Raises WriteError, also where the folder around it is missing."""
    refuse_missing(place.parent, place.parent)
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        reason = "there is a file of this name" if isinstance(error, FileExistsError) else error.strerror or str(error)
        raise WriteError(f"The folder cannot be made: {reason}.", where=str(place), hint=_HINT) from error
    return place


def refuse_foreign(places: Iterable[Path]) -> None:
    """Raises WriteError if one of `places` is a file that is not ours, before anything is written."""
    for place in places:
        if place.exists() and not _is_ours(place):
            raise WriteError("This file was not made by vaultkit, so it is not replaced.", where=str(place), hint=_HINT)


def write(place: Path, data: bytes) -> None:
    """Puts a PNG made by `png` at `place`, in one step. Raises WriteError for a file that is not ours."""
    try:
        refuse_foreign([place])
        put(place, data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"The picture could not be written: {reason}.", where=str(place), hint=_HINT) from error


def remove_others(place: Path, pattern: str, kept: set[Path]) -> None:
    """Takes away pictures of ours that an earlier run left in the folder `place`."""
    for old in sorted(place.glob(pattern)):
        if old not in kept and old.is_file() and _is_ours(old):
            old.unlink()


def _is_ours(place: Path) -> bool:
    if not place.is_file():
        return False
    with place.open("rb") as file:
        return f"tEXtSoftware\0{_MARK}".encode() in file.read(4096)
