"""Generator of vaultkit/web/pages/FONT-basic.ttf: the part of a font that every page needs, so that pages are small.

Usage: python -m scripts.web_fonts
"""

from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from vaultkit.web.page_html import PAGES

FONTS = Path(__file__).resolve().parents[1] / "print" / "fonts"
NAMES = ("Cinzel-Bold", "Alegreya-Regular")
"""The fonts of pages and of drawn cards."""
ACCENTED = "ÄÖÜäöüßéèêàâçîôûñáíóú"
UNICODES = sorted(
    {*range(0x20, 0x7F), 0xA0, 0xB7, 0xD7, 0x2013, 0x2014, *range(0x2018, 0x201F), 0x2026, *map(ord, ACCENTED)}
)
"""ASCII, what words of ours use besides, and the letters with accents of common names."""
_NAME_IDS = [0, 13, 14]
"""The copyright and the licence, which stay in each copy."""


def basic_font(name: str) -> bytes:
    """Return the basic part of a font, with kerning and the digits of the font."""
    font, file = TTFont(FONTS / f"{name}.ttf", recalcTimestamp=False), BytesIO()
    options = Options(layout_features=["kern", "lnum"], hinting=False, name_IDs=_NAME_IDS, notdef_outline=False)
    options.drop_tables += ["STAT", "gasp", "DSIG", "prep"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=UNICODES)
    subsetter.subset(font)
    font.save(file)
    return file.getvalue()


def unicode_range() -> str:
    """Return the characters of the basic part as the stylesheet names them."""
    starts = [code for code in UNICODES if code - 1 not in UNICODES]
    ends = [code for code in UNICODES if code + 1 not in UNICODES]
    return ", ".join(f"U+{start:X}" + f"-{end:X}" * (start != end) for start, end in zip(starts, ends, strict=True))


def main() -> None:
    """Write the basic part of each font of the pages, and print their range for the stylesheet."""
    for name in NAMES:
        (PAGES / f"{name}-basic.ttf").write_bytes(basic_font(name))
    print(f"unicode-range: {unicode_range()}")


if __name__ == "__main__":
    main()
