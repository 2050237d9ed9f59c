"""Names: which texts are names, when two are the same, their order, and their plain letters."""

import re
from functools import lru_cache
from unicodedata import category, combining, normalize

JOINERS = "\u200c\u200d"
"""Zero width non-joiner and joiner: invisible, but letters of Persian and Indian names and emoji need them."""
_WITHOUT_JOINERS = str.maketrans("", "", JOINERS)
_VIRAMA_COMBINING_CLASS = 9
"""The combining class of the signs behind which a joiner changes how a consonant is written."""
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that nobody sees."""
_NUMBER = re.compile(r"([0-9]+)")
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that no decomposition takes apart."""


@lru_cache(maxsize=10_000)
def name_key(name: str) -> str:
    """Return a name's comparison key: case, number of blanks, joiners and accent composition do not count."""
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
    """Return a text as answers are compared: without case, width, invisible signs, and how accents are composed."""
    folded = normalize("NFKC", normalize("NFKC", text).casefold())
    return " ".join("".join(sign for sign in folded if category(sign) != "Cf").split())


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
