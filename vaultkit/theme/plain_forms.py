"""Plain letters for signs that few fonts have: wide, raised and small capital letters, and runes."""

import re
import unicodedata

_SMALL_CAPITAL = re.compile("LATIN LETTER SMALL CAPITAL ([A-Z]{1,2})\\Z")
_RUNE = re.compile("RUNIC LETTER (?:[A-Z-]+ )*([A-Z-]+)\\Z")
_VARIANT_OF_RUNE = re.compile("(?:LONG-BRANCH|SHORT-TWIG|DOTTED|OPEN|ICELANDIC)-")
_RUNES_BY_NAME = {"THORN": "TH", "INGWAZ": "NG", "ING": "NG", "ENG": "NG", "EOLHX": "X", "ETH": "D"}
"""The sounds of runes whose names do not begin with them."""


def plain_form(character: str) -> str:
    """Return plain letters for a sign that stands for them, "" if there are none."""
    name = unicodedata.name(character, "")
    if match := _SMALL_CAPITAL.match(name):
        return match[1]
    if match := _RUNE.match(name):
        sound = _VARIANT_OF_RUNE.sub("", match[1])
        return _RUNES_BY_NAME.get(sound) or (sound if len(sound) <= 2 else sound[0])
    plain = unicodedata.normalize("NFKC", character)
    return plain if plain != character and plain.isprintable() else ""
