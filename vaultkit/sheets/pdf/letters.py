"""What the codes of a font mean, for those who search or copy text: ReportLab gets emoji and old scripts wrong."""

import re
from typing import Any

from pikepdf import Dictionary, Pdf

_BEYOND = re.compile(rb"(?<=> <)[0-9A-F]{5,6}(?=>)")


def write_letters(pdf: Pdf) -> None:
    """Writes letters beyond the first 65,536 of Unicode as PDF has them: two numbers of UTF-16 each."""
    for font in _fonts(pdf).values():
        table = font.ToUnicode.read_bytes()
        right = _BEYOND.sub(_pair, table)
        if right != table:
            font.ToUnicode.write(right)


def _fonts(pdf: Pdf) -> dict[tuple[int, int], Any]:
    found: dict[tuple[int, int], Any] = {}
    for page in pdf.pages:
        fonts = page.obj.get("/Resources", Dictionary()).get("/Font", Dictionary())
        found |= {font.objgen: font for font in fonts.values() if "/ToUnicode" in font}
    return found


def _pair(code: "re.Match[bytes]") -> bytes:
    return chr(int(code[0], 16)).encode("utf-16-be").hex().upper().encode()
