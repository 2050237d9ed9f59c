"""SVG drawings on paper beside Chromium's picture of the same files in the same fonts."""

import re
import shutil
import subprocess
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageStat

from tests.counts import some
from vaultkit.sheets.paper import Size
from vaultkit.sheets.pdf.document import Document
from vaultkit.theme import image_transcoding, model, print_pictures
from vaultkit.theme.design_loader import find
from vaultkit.theme.image_fitting import Fit
from vaultkit.theme.svg.svg_writer import FACES, font_of

EXAMPLES = sorted((Path(__file__).parents[1] / "data" / "svg").glob("*.svg"))
SCALE = 2
"""Pixels of the pictures for each pixel of a browser."""
MAX_MEAN, MAX_OFF_SHARE = 4.0, 0.015
"""The mean difference of two pictures, of 255, and the share of pixels that differ by more than 48 of 255.

Both are measured on pictures of half the size in pixels of a browser, in which edges are softened alike.
"""
POINTS_PER_PIXEL = 0.75

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("chromium"), reason="needs Chromium"),
]


def font_rules(text: str) -> str:
    """Return CSS that gives each family named in a drawing the face in which it is printed."""
    families = set(re.findall(r"""font-family(?:=|:)\s*["']?([\w -]+)""", text)) | {"georgia"}
    rules = []
    for family in sorted(name.strip() for name in families):
        for weight in ("normal", "bold"):
            for slant in ("normal", "italic"):
                style = {"font-family": family, "font-weight": weight, "font-style": slant}
                source = find(f"fonts/{FACES[font_of(style)]}.ttf", None).as_uri()
                rules.append(
                    f"@font-face{{font-family:'{family}';font-weight:{weight};font-style:{slant};src:url('{source}')}}"
                )
    return "".join(rules)


def photograph(file: Path, folder: Path, size: tuple[float, float]) -> Image.Image:
    """Return what Chromium shows of a drawing that stands in a page."""
    text = file.read_text("utf-8")
    entities = dict(re.findall(r'<!ENTITY (\w+) "([^"]*)">', text))
    text = re.sub(r"<\?xml.*?\?>|<!DOCTYPE[^\[>]*(?:\[.*?\])?\s*>", "", text, flags=re.DOTALL)
    for name, value in entities.items():
        text = text.replace(f"&{name};", value)
    width, height = size
    css = "html,body{margin:0;background:#fff;font-family:georgia}body>svg{display:block;max-width:none!important;"
    css += f"width:{width}px;height:{height}px}}"
    page, picture = folder / "page.html", folder / "page.png"
    page.write_text(f"<meta charset=utf-8><style>{font_rules(text)}{css}</style>{text}", encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--allow-file-access-from-files"]
    options += [f"--force-device-scale-factor={SCALE}", f"--window-size={max(500, int(width) + 1)},{int(height) + 100}"]
    command = ["chromium", *options, f"--user-data-dir={folder / 'profile'}", f"--screenshot={picture}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return Image.open(picture).convert("RGB")


def print_alone(file: Path, size: tuple[float, float]) -> Image.Image:
    """Return a page that is as large as the drawing on it."""
    theme = model.Theme()
    points = size[0] * POINTS_PER_PIXEL, size[1] * POINTS_PER_PIXEL
    document = Document("x", "", Size("x", *(round(side / 72 * 25_400) for side in points)), theme, tagged=False)
    picture = print_pictures.prepare(file, Fit(1500, 1500), theme)
    document.canvas.draw_picture(picture, 0, 0, points)
    document.end_page()
    with pypdfium2.PdfDocument(bytes(document.finish())) as pdf:
        return pdf[0].render(scale=SCALE / POINTS_PER_PIXEL).to_pil().convert("RGB")


@pytest.mark.parametrize("file", some(EXAMPLES, 8), ids=lambda file: file.stem)
def test_drawing_looks_as_in_chromium(file: Path, tmp_path: Path) -> None:
    size = image_transcoding.read_drawing(file).whole
    shown, printed = photograph(file, tmp_path, size), print_alone(file, size)
    half = max(1, int(size[0] / 2)), max(1, int(size[1] / 2))
    box = (0, 0, int(size[0]) * SCALE, int(size[1]) * SCALE)
    small = [picture.crop(box).resize(half, Image.Resampling.BOX) for picture in (shown, printed)]
    difference = ImageChops.difference(*small).convert("L")
    off_share = sum(difference.histogram()[48:]) / (half[0] * half[1])
    assert (ImageStat.Stat(difference).mean[0] < MAX_MEAN, off_share < MAX_OFF_SHARE) == (True, True), (
        f"mean {ImageStat.Stat(difference).mean[0]:.2f}, off {off_share:.2%}"
    )
