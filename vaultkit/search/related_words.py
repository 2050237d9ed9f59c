"""Words of about the same meaning, from free thesauri: `related/LANGUAGE.txt` has a line for each stem.

A line is a stem and then related stems: after `9:` those of the same meaning, and so on down to `3:`, those of the same
subject. A related stem is the number of its line in base 36, `1` for the first. With a plus sign it is as related to
the stem of this line, and its own line leaves that out. Frequent words come first.
`scripts.related_words` makes such files.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from vaultkit import files

_FOLDER = Path(__file__).with_name("related")
_NEARNESS_STEPS = 10
"""The number of steps of nearness, the highest of which is the same word."""
_DEFAULT_WORD_COUNT = 10_000
"""The number of frequent words in a language without a file."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MUTUAL = "+"


def encode_number(number: int) -> str:
    """Return a number in base 36, which `int` reads."""
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits


@cache
def _read_text(language_code: str) -> str:
    file = _FOLDER / f"{language_code}.txt"
    return files.read(file, allow_links=True).decode() if file.exists() else ""


@cache
def _lines(language_code: str) -> list[str]:
    return _read_text(language_code).splitlines()


@cache
def _ranks(language_code: str) -> dict[str, int]:
    """Return the number of each stem's line."""
    return {line.partition(" ")[0]: rank for rank, line in enumerate(_lines(language_code), 1)}


def is_listed(stem: str, language_code: str) -> bool:
    """Return whether a stem is that of a frequent word of a language with a file."""
    return stem in _ranks(language_code)


def find_rank(stem: str, language_code: str) -> int:
    """Return the rank of a word by how frequent it is in a language; a word that is in no line comes last."""
    ranks = _ranks(language_code)
    return ranks.get(stem) or max(len(ranks), _DEFAULT_WORD_COUNT)


@cache
def find_related(stem: str, language_code: str) -> dict[str, float]:
    """Return the stems of words of about the meaning of a stem, each with its nearness from 0 to 1."""
    rank, lines, step = _ranks(language_code).get(stem, 0), _lines(language_code), 0
    if not rank:
        return {}
    nearness = dict(_find_mutual(_read_text(language_code), f" {encode_number(rank)}{MUTUAL}"))
    for word in lines[rank - 1].split()[1:]:
        if word.endswith(":"):
            step = int(word[:-1])
        else:
            nearness[lines[int(word.removesuffix(MUTUAL), 36) - 1].partition(" ")[0]] = step / _NEARNESS_STEPS
    return nearness


def _find_mutual(text: str, number: str) -> Iterator[tuple[str, float]]:
    """Yield the stem of each line with a number that stands for both directions, and the nearness."""
    place = text.find(number)
    while place >= 0:
        line = text[text.rfind("\n", 0, place) + 1 : place]
        yield line.partition(" ")[0], int(line[line.rindex(":") - 1]) / _NEARNESS_STEPS
        place = text.find(number, place + 1)
