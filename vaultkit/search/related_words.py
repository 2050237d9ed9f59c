"""Words of about the same meaning, from free thesauri: `related/LANGUAGE.txt` has a line for each stem.

A line is a stem and then stems of related words: after a digit stand the stems of that nearness, from 9 (the same
meaning) to 4 (the same subject). Frequent words come first.
`scripts.related_words` makes such files.
"""

from functools import cache
from pathlib import Path

from vaultkit import files

_FOLDER = Path(__file__).with_name("related")
_NEARNESS_STEPS = 10
"""The number of steps of nearness, the highest of which is the same word."""
_DEFAULT_WORD_COUNT = 10_000
"""The number of frequent words in a language without a file."""


@cache
def _lines(language_code: str) -> bytes:
    file = _FOLDER / f"{language_code}.txt"
    return b"\n" + files.read(file, allow_links=True) if file.exists() else b""


def is_listed(stem: str, language_code: str) -> bool:
    """Return whether a stem is that of a frequent word of a language with a file."""
    return f"\n{stem} ".encode() in _lines(language_code)


@cache
def find_rank(stem: str, language_code: str) -> int:
    """Return the rank of a word by how frequent it is in a language; a word that is in no line comes last."""
    text = _lines(language_code)
    start = text.find(f"\n{stem} ".encode())
    return text.count(b"\n", 0, start) + 1 if start >= 0 else max(text.count(b"\n"), _DEFAULT_WORD_COUNT)


@cache
def find_related(stem: str, language_code: str) -> dict[str, float]:
    """Return the stems of words of about the meaning of a stem, each with its nearness from 0 to 1."""
    text, nearness_of_stem, nearness = _lines(language_code), dict[str, float](), 0.0
    start = text.find(f"\n{stem} ".encode())
    for word in text[start + 1 : text.find(b"\n", start + 1)].decode().split()[1:] if start >= 0 else ():
        if word.isdecimal():
            nearness = int(word) / _NEARNESS_STEPS
        else:
            nearness_of_stem[word] = nearness
    return nearness_of_stem
