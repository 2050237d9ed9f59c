"""A look at a sheet before it is printed: its pages as PNG files, and as lines of half blocks for a terminal."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultkit.sheets.export import files, raster

if TYPE_CHECKING:
    from rich.text import Text

DPI = 100
_HALF = "▀"


def save_pages(pdf: Path) -> list[Path]:
    """Writes every page of `pdf` as `page-01.png` ... into a folder beside it; the files in order.

    The folder is named after the PDF. Pages that an earlier, longer print left there go.
    """
    raster.drawer()
    place = files.folder(pdf.with_name(f"{pdf.stem}-preview"))
    made = []
    for number, picture in enumerate(raster.pages(pdf, dpi=DPI), 1):
        made.append(place / f"page-{number:02}.png")
        files.write(made[-1], files.png(picture, DPI))
    files.remove_others(place, "page-*.png", set(made))
    return made


def half_blocks(picture: Path, columns: int) -> Iterator["Text"]:
    """The picture as lines of `columns` characters, each of which shows one pixel above another."""
    from PIL import Image
    from rich.text import Text

    with Image.open(picture) as image:
        rows = max(1, round(image.height / image.width * columns / 2))
        small = image.convert("RGB").resize((columns, rows * 2), Image.Resampling.BOX)
    for row in range(rows):
        line = Text()
        for column in range(columns):
            above, below = small.getpixel((column, 2 * row)), small.getpixel((column, 2 * row + 1))
            line.append(_HALF, f"{_code(above)} on {_code(below)}")
        yield line


def _code(colour: Any) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
