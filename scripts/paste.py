"""Pictures of PDF pages, side by side on a background that looks like a table top."""

from collections.abc import Sequence
from pathlib import Path

import pypdfium2
from PIL import Image

GAP, MARGIN, DEPTH = 22, 20, 3
TABLE, SHADOW = (236, 232, 224), (190, 183, 172)
Part = tuple[float, float, float, float]
"""A part of a page: left, top, right and bottom, as shares of the page from 0 to 1."""
WHOLE: Part = (0.0, 0.0, 1.0, 1.0)


def page(pdf: Path, number: int, height: int, part: Part = WHOLE) -> Image.Image:
    """Render a part of one page of a PDF, `height` pixels high; page numbers begin at 0."""
    left, top, right, bottom = part
    document = pypdfium2.PdfDocument(pdf)
    document.init_forms()
    shown = document[number]
    scale = 2 * height / (shown.get_height() * (bottom - top))
    drawn: Image.Image = shown.render(scale=scale).to_pil().convert("RGB")
    wide, high = drawn.size
    return sized(drawn.crop((round(left * wide), round(top * high), round(right * wide), round(bottom * high))), height)


def sized(image: Image.Image, height: int) -> Image.Image:
    """Resize a picture to a height in pixels, with the same proportions."""
    return image.resize((round(image.width * height / image.height), height), Image.Resampling.LANCZOS)


def side_by_side(images: Sequence[Image.Image]) -> Image.Image:
    """Place pictures of one height side by side onto a table top, each with a shadow."""
    width = sum(image.width for image in images) + GAP * (len(images) - 1) + 2 * MARGIN
    table = Image.new("RGB", (width, images[0].height + 2 * MARGIN), TABLE)
    left = MARGIN
    for image in images:
        high, low = MARGIN + DEPTH, MARGIN + image.height + DEPTH
        table.paste(SHADOW, (left + DEPTH, high, left + image.width + DEPTH, low))
        table.paste(image, (left, MARGIN))
        left += image.width + GAP
    return table


def save(image: Image.Image, file: Path, *, colours: int) -> None:
    """Write a PNG with a palette of at most `colours` colours."""
    reduced = image.quantize(colours, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    reduced.save(file, optimize=True)
