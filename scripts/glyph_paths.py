"""Write the outlines of the fonts that pages draw cards with: print/fonts/FONT.paths.json.

Usage: python -m scripts.glyph_paths
"""

import json
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parents[1] / "print" / "fonts"
NAMES = ("Cinzel-Bold", "Alegreya-Regular")
"""The fonts of drawn cards."""


def paths_of(name: str) -> str:
    """Return the outlines of a font as JSON, a line for each character."""
    font = TTFont(FONTS / f"{name}.ttf")
    outlines, lines = font.getGlyphSet(), []
    for code, glyph in sorted(font.getBestCmap().items()):
        pen = SVGPathPen(outlines)
        outlines[glyph].draw(pen)
        lines.append(f"{json.dumps(chr(code))}:{json.dumps([round(outlines[glyph].width), pen.getCommands()])}")
    glyphs = ",\n".join(lines)
    return f'{{"units_per_em":{font["head"].unitsPerEm},"glyphs":{{\n{glyphs}\n}}}}\n'


def main() -> None:
    """Write the file of each font."""
    for name in NAMES:
        (FONTS / f"{name}.paths.json").write_text(paths_of(name), encoding="utf-8")


if __name__ == "__main__":
    main()
