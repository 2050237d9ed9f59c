"""TrueType fonts of the system, found by the letters that they have."""

import os
import struct
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

from vaultkit import files
from vaultkit.errors import BudgetExceeded
from vaultkit.theme.custom_fonts import find_letter_ranges, find_tables

_SUFFIXES = {".ttf", ".ttc", ".otf"}
_MAX_FONT_COUNT = 5_000
JAPANESE, KOREAN, CHINESE = "ja", "ko", "zh"
_NAMES_BY_SCRIPT = {
    "HEBREW": ("NotoSerifHebrew", "NotoSansHebrew", "FrankRuehl", "david", "ArialHB", "arial", "DejaVuSans"),
    "ARABIC": ("Amiri-", "NotoNaskhArabic", "NotoSansArabic", "arabtype", "trado", "GeezaPro", "arial", "DejaVuSans"),
    "THAI": ("NotoSerifThai", "NotoSansThai", "Sarabun", "Loma", "LeelawUI", "Thonburi", "tahoma"),
    JAPANESE: ("VL-PGothic", "ipaexm", "ipaexg", "ipagp", "YuMincho", "YuGoth", "meiryo", "msmincho", "msgothic"),
    KOREAN: ("NanumMyeongjo", "NanumGothic", "batang", "malgun", "AppleMyungjo", "AppleGothic"),
    CHINESE: ("wqy-zenhei", "simsun", "msyh", "STHeiti", "Songti", "uming", "ukai", "DroidSansFallback"),
}
"""The beginnings of the names of font files that suit text in a script, the best first."""
_FREE_FONTS = {
    "HEBREW": "Noto Serif Hebrew", "ARABIC": "Amiri", "THAI": "Noto Serif Thai", JAPANESE: "IPAex Mincho",
    KOREAN: "Nanum Myeongjo", CHINESE: "WenQuanYi Zen Hei",
}  # fmt: skip
"""A free TrueType font for each script."""


def find_system_fonts(letters: str, language: str, *, is_bold: bool) -> Iterator[Path]:
    """Yield the system's TrueType fonts with all the letters, the best first.

    `language` decides between Chinese, Japanese and Korean fonts where the letters do not.
    """
    script = font_script(letters, language)
    return (file for file in _ranked_fonts(script, is_bold) if _font_has(file, letters, truetype=True))


def find_unusable_font(letters: str) -> str:
    """Return the name of a font of the system that has the letters but cannot be used for its outlines, else ""."""
    fonts = _ranked_fonts(font_script(letters, ""), False)
    return next((file.name for file in fonts if _font_has(file, letters, truetype=False)), "")


def free_font(letters: str, language: str = "") -> str:
    """Return the name of a free TrueType font for the script of the letters, "" if none is known."""
    return _FREE_FONTS.get(font_script(letters, language), "")


def font_script(letters: str, language: str) -> str:
    """Return the script that letters need a font for: a word of their names, or an East Asian language."""
    names = {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}
    if any(name.startswith(("HIRAGANA", "KATAKANA")) for name in names):
        return JAPANESE
    if "HANGUL" in names:
        return KOREAN
    if "CJK" in names or not names & _NAMES_BY_SCRIPT.keys():
        return language[:2] if language[:2] in {JAPANESE, KOREAN} else CHINESE
    return min(names & _NAMES_BY_SCRIPT.keys())


@lru_cache(maxsize=32)
def _ranked_fonts(script: str, is_bold: bool) -> Sequence[Path]:
    """Return the fonts of the system, the ones that suit a script first."""
    names = [name.lower() for name in _NAMES_BY_SCRIPT.get(script, ())]

    def rank(file: Path) -> tuple[int, bool, int, str]:
        stem = file.stem.lower()
        place = next((n for n, name in enumerate(names) if stem.startswith(name)), len(names))
        is_slanted = any(word in stem for word in ("italic", "oblique", "slanted"))
        return place, is_slanted, ("bold" in stem) != is_bold, str(file)

    return sorted(_system_fonts(), key=rank)


@lru_cache(maxsize=1)
def _system_fonts() -> Sequence[Path]:
    fonts = (
        Path(folder, name)
        for root in _font_folders()
        for folder, _, names in os.walk(root, followlinks=False)
        for name in names
        if os.path.splitext(name)[1].lower() in _SUFFIXES  # noqa: PTH122 - quick
    )
    return [file for file, _ in zip(fonts, range(_MAX_FONT_COUNT), strict=False)]


def _font_folders() -> Iterator[str]:
    """Yield the folders in which the system and the user keep fonts."""
    home = Path.home()
    if sys.platform == "win32":
        yield str(Path(os.environ.get("WINDIR", "C:\\Windows"), "Fonts"))
        yield str(home / "AppData" / "Local" / "Microsoft" / "Windows" / "Fonts")
    elif sys.platform == "darwin":
        yield from ("/System/Library/Fonts", "/Library/Fonts", str(home / "Library" / "Fonts"))
    else:
        data_folders = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
        yield from (f"{folder}/fonts" for folder in data_folders.split(":"))
        yield from (str(home / ".local" / "share" / "fonts"), str(home / ".fonts"))


def _font_has(file: Path, letters: str, *, truetype: bool) -> bool:
    """Return whether a font has the letters, and outlines of TrueType, or of another kind if not `truetype`."""
    has_truetype_outlines, starts, ends = _read_letters(file)
    places = ((bisect_right(starts, ord(letter)) - 1, ord(letter)) for letter in letters)
    return has_truetype_outlines == truetype and all(place >= 0 and code <= ends[place] for place, code in places)


@lru_cache(maxsize=_MAX_FONT_COUNT)
def _read_letters(file: Path) -> tuple[bool, Sequence[int], Sequence[int]]:
    """Return whether a font has TrueType outlines, and where each range of its letters starts and ends."""
    try:
        with files.open_plain(file.resolve()) as opened:
            tables = find_tables(memoryview(mmap(opened.fileno(), 0, access=ACCESS_READ)))
            ranges = find_letter_ranges(tables[b"cmap"])
    except (OSError, ValueError, KeyError, IndexError, struct.error, BudgetExceeded):
        return False, (), ()
    return b"glyf" in tables, [start for start, _ in ranges], [end for _, end in ranges]
