"""Render the picture of the README from real pages: `make pictures`.

Usage: python scripts/pictures.py
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image, ImageFilter

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pictures" / "sheets.png"
PAGES = (("Score sheets of the game.pdf", 1), ("Rules.pdf", 0), ("Cards.pdf", 0))
HEIGHT, GAP, MARGIN = 620, 26, 28
PAPER, SHADOW = (243, 240, 234), (120, 112, 100)


def page(pdf: Path, number: int) -> Image.Image:
    """One page of a PDF, HEIGHT pixels high."""
    rendered = pypdfium2.PdfDocument(pdf)[number]
    image: Image.Image = rendered.render(scale=2 * HEIGHT / rendered.get_height()).to_pil().convert("RGB")
    return image.resize((round(image.width / 2), HEIGHT), Image.Resampling.LANCZOS)


def side_by_side(images: list[Image.Image]) -> Image.Image:
    """The pages on a table, each with a soft shadow."""
    width = sum(image.width for image in images) + GAP * (len(images) - 1) + 2 * MARGIN
    table = Image.new("RGB", (width, HEIGHT + 2 * MARGIN), PAPER)
    shade = Image.new("L", table.size, 0)
    places = []
    left = MARGIN
    for image in images:
        places.append(left)
        shade.paste(150, (left + 3, MARGIN + 5, left + image.width + 3, MARGIN + HEIGHT + 5))
        left += image.width + GAP
    table.paste(SHADOW, (0, 0), shade.filter(ImageFilter.GaussianBlur(7)))
    for image, place in zip(images, places, strict=True):
        table.paste(image, (place, MARGIN))
    return table


def main() -> None:
    """Print the demo's sheets anew and set three of their pages side by side."""
    with tempfile.TemporaryDirectory() as folder:
        demo = Path(folder) / "demo"
        subprocess.run([sys.executable, "-m", "vaultkit", "demo", str(demo)], check=True, capture_output=True)
        picture = side_by_side([page(demo / name, number) for name, number in PAGES])
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    picture.quantize(256, Image.Quantize.MAXCOVERAGE).save(PICTURE, optimize=True)
    print(f"{PICTURE.relative_to(ROOT)}: {picture.width} x {picture.height}, {PICTURE.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()
