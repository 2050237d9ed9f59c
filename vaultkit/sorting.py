"""The order in which people look for names, and when two names are the same."""

import re
from functools import lru_cache
from unicodedata import combining, normalize

_NUMBER = re.compile(r"([0-9]+)")
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that no decomposition takes apart."""


@lru_cache(maxsize=10_000)
def name_key(name: str) -> str:
    """A name as it is compared: case, the number of blanks, and how accents are composed do not count."""
    return " ".join(normalize("NFC", name).casefold().split())


def without_article(name: str) -> str:
    """A name or a heading as people say it: in lower case, without an article."""
    return " ".join(name.casefold().split()).removeprefix("the ")


def name_order(name: str) -> tuple[object, ...]:
    """The key to sort names and paths by: case and accents hardly count, numbers count by their value."""
    letters = name.casefold().replace("/", "\0")  # so that a folder stands before what begins like it
    if not letters.isascii():
        letters = "".join(one for one in normalize("NFKD", letters) if not combining(one)).translate(_STROKES)
    pieces: list[object] = _NUMBER.split(letters)
    pieces[1::2] = [(len(number), number) for number in (str(piece).lstrip("0") for piece in pieces[1::2])]
    return (*pieces, (), name)
