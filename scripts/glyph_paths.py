"""Generator of print/fonts/FONT.paths.json: outlines of the fonts with which web pages draw cards.

Usage: python -m scripts.glyph_paths
"""

import json
from pathlib import Path
from typing import Any

from fontTools.pens.basePen import decomposeQuadraticSegment
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parents[1] / "print" / "fonts"
NAMES = ("Cinzel-Bold", "Alegreya-Regular")
"""The fonts used on drawn cards."""
_LETTERS = {"moveTo": "m", "lineTo": "l", "qCurveTo": "q", "curveTo": "c"}


def draw_path(glyphs: Any, name: str) -> str:
    """Return the SVG path of a glyph in whole numbers relative to the last point, which keep it short."""
    pen, path, at = DecomposingRecordingPen(glyphs), "", (0, 0)
    glyphs[name].draw(pen)
    start = at
    for operation, points in pen.value:
        if operation == "closePath":
            path, at = f"{path}z", start
            continue
        curves = decomposeQuadraticSegment(points) if operation == "qCurveTo" else [points]
        for curve in curves:
            ends = [(round(x), round(y)) for x, y in curve]
            numbers = [str(number) for x, y in ends for number in (x - at[0], y - at[1])]
            path += _LETTERS[operation] + "".join(n if n.startswith("-") else f" {n}" for n in numbers).strip()
            at = ends[-1]
        start = at if operation == "moveTo" else start
    return path


def paths_of(name: str) -> str:
    """Return the advance width and the SVG path of every glyph of a font as JSON, one line for each character."""
    font = TTFont(FONTS / f"{name}.ttf")
    outlines, lines = font.getGlyphSet(), []
    for code, glyph in sorted(font.getBestCmap().items()):
        lines.append(
            f"{json.dumps(chr(code))}:{json.dumps([round(outlines[glyph].width), draw_path(outlines, glyph)])}"
        )
    glyphs = ",\n".join(lines)
    return f'{{"units_per_em":{font["head"].unitsPerEm},"glyphs":{{\n{glyphs}\n}}}}\n'


def main() -> None:
    """Write the file of outlines for each font in NAMES."""
    for name in NAMES:
        (FONTS / f"{name}.paths.json").write_text(paths_of(name), encoding="utf-8")


if __name__ == "__main__":
    main()
