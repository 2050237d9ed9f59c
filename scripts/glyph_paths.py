"""Generator of print/fonts/FONT.paths.json: outlines of the fonts with which web pages draw cards.

Usage: python -m scripts.glyph_paths
"""

import json
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parents[1] / "print" / "fonts"
NAMES = ("Cinzel-Bold", "Alegreya-Regular")
"""The fonts used on drawn cards."""


def paths_of(name: str) -> str:
    """Return the advance width and the SVG path of every glyph of a font as JSON, one line for each character."""
    font = TTFont(FONTS / f"{name}.ttf")
    outlines, lines = font.getGlyphSet(), []
    for code, glyph in sorted(font.getBestCmap().items()):
        pen = SVGPathPen(outlines)
        outlines[glyph].draw(pen)
        lines.append(f"{json.dumps(chr(code))}:{json.dumps([round(outlines[glyph].width), pen.getCommands()])}")
    glyphs = ",\n".join(lines)
    return f'{{"units_per_em":{font["head"].unitsPerEm},"glyphs":{{\n{glyphs}\n}}}}\n'


def main() -> None:
    """Write the file of outlines for each font in NAMES."""
    for name in NAMES:
        (FONTS / f"{name}.paths.json").write_text(paths_of(name), encoding="utf-8")


if __name__ == "__main__":
    main()
