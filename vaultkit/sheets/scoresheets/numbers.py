"""Whole numbers as people type them into a box."""

import re
import unicodedata

_NUMBER = re.compile(r"([+-]?\d{1,6}(?:\s*\+\s*\d{1,6})*)(?:\s*(?:[x×]|on)?\s*row\s*\d)?", re.IGNORECASE)
_DASHES = re.compile("[\u2010-\u2015\u2212]")


def is_empty_box(text: str) -> bool:
    """Whether nothing is written: no sign at all, or only a dash, as one strikes out a box."""
    return _plain(text) in ("", "-", "--")


def whole_number(text: str) -> int:
    """The whole number that `text` says, in digits of any width or script, with spaces around it; of `8+9` the sum.

    Rolls may say their row, as in `2 × row 3` or `2 on row 3`: it follows from the total and is left out.
    Anything else, also a fraction or more than six digits, is a ValueError.
    """
    found = _NUMBER.fullmatch(_plain(text))
    if not found:
        raise ValueError(text)
    sign = -1 if found[1].startswith("-") else 1
    first, *others = map(int, found[1].lstrip("+-").split("+"))
    return sign * first + sum(others)


def _plain(text: str) -> str:
    shown = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    return _DASHES.sub("-", shown).strip()
