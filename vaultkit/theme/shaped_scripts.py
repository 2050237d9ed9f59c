"""Scripts whose letters join, stack, change places or run from right to left, and the runs of text in them."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any

from vaultkit.theme.bidi import JOINERS, has_right_to_left, script_of

_SHAPED_SCRIPT = re.compile(
    "(HEBREW|ARABIC|SYRIAC|MANDAIC|MONGOLIAN|DEVANAGARI|BENGALI|GURMUKHI|GUJARATI|ORIYA|TAMIL|TELUGU|KANNADA|MALAYALAM"
    "|SINHALA|THAI|LAO|TIBETAN|MYANMAR|KHMER|BALINESE|JAVANESE|SUNDANESE|BATAK|BUGINESE|TAI|CHAM|LEPCHA|LIMBU|MEETEI"
    "|BRAHMI|KAITHI|CHAKMA|SHARADA|GRANTHA|NEWA|TIRHUTA|SIDDHAM|MODI|TAKRI|PHAGS-PA"
    "|ARABIC-INDIC|EXTENDED ARABIC-INDIC) "
)
"""Scripts whose letters join, stack or change places, by the beginning of their Unicode names."""
_SCRIPT_NAMES = {"CJK": "Chinese or Japanese", "HANGUL": "Korean", "EXTENDED": "Arabic"}


@lru_cache(maxsize=4096)
def is_shaped_script(character: str) -> bool:
    """Return whether a character is of a script that must be shaped, ordered or broken by rules of its own.

    Such scripts run from right to left, join or stack letters, or are East Asian; set letter by letter, they would be
    in the wrong order, in separate pieces, or with line breaks in the wrong places.
    """
    if unicodedata.bidirectional(character) in {"R", "AL"}:
        return character not in JOINERS
    if character.isascii() or unicodedata.category(character)[0] not in "LM":
        return False
    match = _SHAPED_SCRIPT.match(unicodedata.name(character, ""))
    return bool(match) or unicodedata.east_asian_width(character) in "WH"


@lru_cache(maxsize=4096)
def _is_shaped_sign(character: str) -> bool:
    """Return whether a character is a digit or a sign of a shaped script, or a wide East Asian sign."""
    if character.isascii() or character in JOINERS:
        return False
    is_wide = unicodedata.east_asian_width(character) in "WFH"
    is_east_asian = "\u3000" <= character <= "\u33ff" or "\ufe30" <= character <= "\uffef"
    return (is_wide and is_east_asian) or bool(_SHAPED_SCRIPT.match(unicodedata.name(character, "")))


def script_name(letter: str) -> str:
    """Return what people call the script of a letter, such as Hebrew or Korean."""
    script = script_of(letter)
    return _SCRIPT_NAMES.get(script, script.capitalize())


def script_runs(text: str) -> Iterator[tuple[str, str]]:
    """Yield each character with the script in which it is shaped, "" if it is not; marks belong to letters before."""
    script = ""
    for character in text:
        if is_shaped_script(character) or _is_shaped_sign(character):
            script = script_of(character) or script or character
        elif not script or not (character in JOINERS or unicodedata.category(character)[0] == "M"):
            script = ""
        yield script, character


def neutral_runs(fonts: list[Any]) -> list[tuple[int, int]]:
    """Return the start and end of each run of characters without a shaped font that is beside one with such a font."""
    runs, start = list[tuple[int, int]](), 0
    for font, group_of_font in groupby(list(fonts)):
        end = start + len(list(group_of_font))
        if font is None and (start or end < len(fonts)):
            runs.append((start, end))
        start = end
    return runs


def count_signs(text: str, letter: str) -> int:
    """Return the number of signs at the beginning of a text that belong to a shaped letter beside it.

    They end at the first space or other letter; beside a letter that runs from right to left, spaces belong to it too.
    """
    takes_spaces = has_right_to_left(letter)
    ends = (n for n, sign in enumerate(text) if not is_neutral(sign) or (sign.isspace() and not takes_spaces))
    return next(ends, len(text))


def is_neutral(character: str) -> bool:
    """Return whether a character is a space or a sign, which every script has."""
    return unicodedata.category(character)[0] in "ZPS"
