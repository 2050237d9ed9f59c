"""The least that the same work can cost, each in a process of its own.

Usage: python bench/printing_floor.py (empty | transcode | copy) FOLDER OUT
"""

import sys
from pathlib import Path

QUALITY = 88


def empty(_folder: Path, out: Path) -> None:
    """A page of ReportLab with nothing but one paragraph."""
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    SimpleDocTemplate(str(out)).build([Paragraph("Hello", getSampleStyleSheet()["Normal"])])


def transcode(folder: Path, out: Path) -> None:
    """Every picture decoded and encoded by Pillow."""
    from PIL import Image

    with out.open("wb") as file:
        for path in sorted(folder.rglob("*.webp")):
            with Image.open(path) as image:
                image.convert("RGB").save(file, "JPEG", quality=QUALITY)


def copy(folder: Path, out: Path) -> None:
    """The bytes of every cached picture into one file."""
    with out.open("wb") as file:
        for path in sorted(folder.rglob("*.jpg")):
            file.write(path.read_bytes())


FLOORS = {floor.__name__: floor for floor in (empty, transcode, copy)}


if __name__ == "__main__":
    FLOORS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
