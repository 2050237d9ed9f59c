"""Comparison of names: which texts are names, when two are the same, their order, and their plain letters."""

import re
from functools import lru_cache
from unicodedata import category, combining, normalize

JOINERS = "\u200c\u200d"
"""Zero width non-joiner and joiner: invisible, but letters of Persian and Indian names and emoji need them."""
_WITHOUT_JOINERS = str.maketrans("", "", JOINERS)
_VIRAMA_COMBINING_CLASS = 9
"""The Unicode combining class of signs after which a joiner changes how a consonant is written."""
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that look empty."""
_NUMBER = re.compile(r"([0-9]+)")
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that Unicode decomposition does not separate into a base letter and an accent."""


@lru_cache(maxsize=10_000)
def name_key(name: str) -> str:
    """Return the key by which names are compared.

    Case, number of blanks, joiners and accent composition do not count.
    """
    return " ".join(normalize("NFC", name).casefold().translate(_WITHOUT_JOINERS).split())


def clean_name(text: str) -> str:
    """Return a name in composed letters with single blanks, without the joiners that join nothing."""
    return " ".join(filter(None, map(_clean_word, normalize("NFC", text).split())))


def is_name(text: str) -> bool:
    """Return whether people can see and write `text` as a name: no control or direction character is in it."""
    is_plain = all(category(char)[0] != "C" or char in JOINERS for char in text)
    return is_plain and any(category(char)[0] in "LNPS" and char not in _BLANK for char in text)


def _clean_word(word: str) -> str:
    single = re.sub(f"([{JOINERS}])[{JOINERS}]+", r"\1", word).lstrip(JOINERS)
    bare = single.rstrip(JOINERS)
    return single if bare and combining(bare[-1]) == _VIRAMA_COMBINING_CLASS else bare


def lookalike_key(text: str) -> str:
    """Return the key by which answers are compared.

    Case, width, invisible signs and accent composition do not count.
    """
    folded = normalize("NFKC", normalize("NFKC", text).casefold())
    return " ".join("".join(sign for sign in folded if category(sign) != "Cf").split())


def strip_article(name: str) -> str:
    """Return a name or heading as people say it: in lower case, with single blanks, without `the`."""
    return " ".join(name.casefold().split()).removeprefix("the ")


def plain_letters(text: str) -> str:
    """Return the text in lower case, without accents and strokes."""
    letters = text.casefold()
    if letters.isascii():
        return letters
    return "".join(sign for sign in normalize("NFKD", letters) if not combining(sign)).translate(_STROKES)


def slug(name: str, separator: str) -> str:
    """Return a name in lower-case English letters and digits, with `separator` for everything between them."""
    return re.sub(r"[^a-z0-9]+", separator, plain_letters(name)).strip(separator)


def name_sort_key(name: str) -> tuple[object, ...]:
    """Return the key by which names and paths are sorted: numbers by their value; case and accents only break ties."""
    letters = plain_letters(name).replace("/", "\0")  # so that a folder comes before names that begin with its name
    pieces: list[object] = _NUMBER.split(letters)
    pieces[1::2] = [(len(number), number) for number in (str(piece).lstrip("0") for piece in pieces[1::2])]
    return (*pieces, (), name)
