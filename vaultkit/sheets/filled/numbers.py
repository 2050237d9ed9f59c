"""Whole numbers as people type them into a box."""

import re
import unicodedata

_NUMBER = re.compile(r"[+-]?\d{1,6}")
_DASHES = re.compile("[\u2010-\u2015\u2212]")


def is_blank(text: str) -> bool:
    """Whether nothing is written: no sign at all, or only a dash, as one strikes out a box."""
    return _plain(text) in ("", "-", "--")


def number(text: str) -> int:
    """The whole number that `text` says, in digits of any width or script, with spaces around it.

    Anything else, also a sum, a fraction or more than six digits, is a ValueError.
    """
    plain = _plain(text)
    if not _NUMBER.fullmatch(plain):
        raise ValueError(text)
    return int(plain)


def _plain(text: str) -> str:
    shown = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    return _DASHES.sub("-", shown).strip()
