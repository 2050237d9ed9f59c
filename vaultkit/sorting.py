"""The order in which people look for names, when two names are the same, and what they are in plain letters."""

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


def plain_letters(text: str) -> str:
    """The text in small letters, without accents and strokes."""
    letters = text.casefold()
    if letters.isascii():
        return letters
    return "".join(one for one in normalize("NFKD", letters) if not combining(one)).translate(_STROKES)


def slug(name: str, between: str) -> str:
    """A name in small letters and digits of English, with a sign for all that stands `between` them."""
    return re.sub(r"[^a-z0-9]+", between, plain_letters(name)).strip(between)


def name_order(name: str) -> tuple[object, ...]:
    """The key to sort names and paths by: case and accents hardly count, numbers count by their value."""
    letters = plain_letters(name).replace("/", "\0")  # so that a folder stands before what begins like it
    pieces: list[object] = _NUMBER.split(letters)
    pieces[1::2] = [(len(number), number) for number in (str(piece).lstrip("0") for piece in pieces[1::2])]
    return (*pieces, (), name)
