"""Similar names that mean different things: East Gate and West Gate, Part II and Part III."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from vaultkit import files
from vaultkit.text import plain_letters

MIN_PREFIX_LETTERS, MIN_SUFFIX_LETTERS = 3, 4
"""The minimum lengths of a known word that is recognized at the beginning and at the end of a longer word."""
_SHIPPED_WORDS = Path(__file__).with_name("distinct_words.toml")
_WORD = re.compile(r"(?<!\w)[-\u2212](?=\d)|\d+|[^\W\d_]+")
_ID = re.compile(r"\b(?=\w*\d[^\W\d_]+\d|\w*[^\W\d_]\d+[^\W\d_])\w+")
"""Words in which letters and digits alternate, as in the id of a game; their digits are no numbers."""
_ENDING = re.compile(r"st|nd|rd|th|er|re|e|eme|o|a")
"""Endings of ordinal numbers: 1st, 2nd, 3e."""
_ROMAN = re.compile(r"(?=[ivxl])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}

Marks = Mapping[str, tuple[int, ...]]
"""What tells a name apart: the sorted meanings of its words by set of opposites; in "number", its numbers in order."""


class _Words(NamedTuple):
    """The shipped words.

    `meanings` maps a word to pairs of a set of opposites and the word's meaning in it. `numbers` maps a numeral to its
    value. `negations` are prefixes that negate a word.
    """

    meanings: Mapping[str, tuple[tuple[str, int], ...]]
    numbers: Mapping[str, int]
    negations: tuple[str, ...]


def are_distinct(name: str, other: str) -> bool:
    """Return whether two similar names mean different things.

    Both have a number, an ordinal, a direction or a word of one set of opposites, and differ in it.
    """
    ours, theirs = _marks(name), _marks(other)
    if any(theirs[kind] != marks for kind, marks in ours.items() if kind in theirs):
        return True
    return _is_negated(name, other) or _is_negated(other, name)


@lru_cache(maxsize=100_000)
def _marks(name: str) -> Marks:
    marks: dict[str, list[int]] = {}
    words = _words_of(name)
    for at, word in enumerate(words):
        if (number := _number(words, at)) is not None:
            marks.setdefault("number", []).append(number)
        for kind, meaning in _meanings(word):
            marks.setdefault(kind, []).append(meaning)
    return {kind: tuple(meanings if kind == "number" else sorted(meanings)) for kind, meanings in marks.items()}


def _words_of(name: str) -> list[str]:
    return _WORD.findall(_ID.sub(" ", plain_letters(name).replace("ß", "ss")))


def _number(words: list[str], at: int) -> int | None:
    """Return the number that a word of `words` stands for, or None.

    It may be digits, a number word, a Roman numeral, or a single letter at the end, as in `Room B`.

    Letters count as negative numbers, so that they differ from digits.
    """
    word = words[at]
    if word.isdecimal():
        return -int(word) if at and words[at - 1] in "-\u2212" else int(word)
    if at and words[at - 1].isdecimal():  # the letter in 12a, but not the ending of 2nd
        return None if _ENDING.fullmatch(word) and word != "a" else -ord(word) if len(word) == 1 else None
    if word in _shipped_words().numbers:
        return _shipped_words().numbers[word]
    is_last = at > 0 and at == len(words) - 1
    if (len(word) > 1 or is_last) and _ROMAN.fullmatch(word):
        return _roman(word)
    return -ord(word) if is_last and len(word) == 1 and word.isalpha() else None


def _roman(word: str) -> int:
    values = [_ROMAN_VALUES[sign] for sign in word]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def _meanings(word: str) -> Iterator[tuple[str, int]]:
    """Yield set and meaning of each known word in `word`.

    These are the known words that follow each other from its beginning, and one at its end.
    """
    meanings, start = _shipped_words().meanings, 0
    while start < len(word):
        end = next((end for end in range(len(word), start, -1) if _is_word_part(word, start, end)), 0)
        if not end:
            break
        yield from meanings[word[start:end]]
        start = end
    ends = range(max(start, 1), len(word) - MIN_SUFFIX_LETTERS + 1)
    yield from next((meanings[word[at:]] for at in ends if word[at:] in meanings), ())


def _is_word_part(word: str, start: int, end: int) -> bool:
    """Return whether `word[start:end]` is a known word and is either the whole word or long enough as a part of it."""
    is_whole = start == 0 and end == len(word)
    return (is_whole or end - start >= MIN_PREFIX_LETTERS) and word[start:end] in _shipped_words().meanings


def _is_negated(name: str, other: str) -> bool:
    """Return whether a word of `name` is the word of `other_name` in the same place with a prefix such as `un`."""
    ours, theirs = _words_of(name), _words_of(other)
    if len(ours) != len(theirs):
        return False
    pairs = [(word, plain) for word, plain in zip(ours, theirs, strict=True) if word != plain]
    negations = _shipped_words().negations
    return any(
        len(plain) > 2 and word.removesuffix(plain) in negations and word.endswith(plain) for word, plain in pairs
    )


@cache
def _shipped_words() -> _Words:
    """Return the words that ship with the program, in plain letters."""
    data = files.parse_toml(files.read_text(_SHIPPED_WORDS, links=True))
    meanings: dict[str, dict[tuple[str, int], None]] = {}
    for number, one_set in enumerate(data["opposites"]):
        for meaning, words in enumerate(one_set):
            for word in words.split():
                meanings.setdefault("".join(_words_of(word)), {})[f"set {number}", meaning] = None
    by_value = {**dict(enumerate(data["numbers"])), **{int(key): words for key, words in data["large_numbers"].items()}}
    numbers = {"".join(_words_of(word)): value for value, words in by_value.items() for word in words.split()}
    meanings_by_word = {word: tuple(pairs) for word, pairs in meanings.items()}
    return _Words(meanings_by_word, numbers, tuple(data["negations"].split()))
