"""Words of about the same meaning, from free thesauri: `related/LANGUAGE.dat` has their stems and how near they are.

Such a file begins with a line for each stem, frequent words first, and an empty line. Then come bytes: for each stem
the number of its relations; for each relation its step of nearness, from 9 (the same meaning) to 3 (the same subject),
plus MUTUAL_MASK if it holds in both directions, which is told once; and for each relation the low, then for each the
high byte of the other stem's number, from 0. `scripts.related_words` makes such files.
"""

from bisect import bisect
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path

from vaultkit import files

MUTUAL_MASK = 16
_FOLDER = Path(__file__).with_name("related")
_NEARNESS_STEPS = 10
"""The number of steps of nearness, the highest of which is the same word."""
_DEFAULT_WORD_COUNT = 10_000
"""The number of frequent words in a language without a file."""


class _Thesaurus:
    """The stems of a language and their relations."""

    def __init__(self, data: bytes) -> None:
        stems, _, relations = data.partition(b"\n\n")
        self.stems = stems.decode().splitlines()
        self.ranks = {stem: rank for rank, stem in enumerate(self.stems, 1)}
        counts, codes = relations[: len(self.stems)], relations[len(self.stems) :]
        self._starts = [0, *accumulate(counts)]
        self._steps, self._low, self._high = (codes[part * len(codes) // 3 :][: len(codes) // 3] for part in range(3))

    def find_related(self, number: int) -> Iterator[tuple[str, int]]:
        """Yield the stems that are related to the one with a number, from 0, and their steps of nearness."""
        for place in range(*self._starts[number : number + 2]):
            yield self.stems[self._low[place] | self._high[place] << 8], self._steps[place] % MUTUAL_MASK
        place = self._low.find(number & 0xFF)
        while place >= 0:
            if self._high[place] == number >> 8 and self._steps[place] >= MUTUAL_MASK:
                yield self.stems[bisect(self._starts, place) - 1], self._steps[place] % MUTUAL_MASK
            place = self._low.find(number & 0xFF, place + 1)


@cache
def _thesaurus(language_code: str) -> _Thesaurus:
    file = _FOLDER / f"{language_code}.dat"
    return _Thesaurus(files.read(file, allow_links=True) if file.exists() else b"")


def is_listed(stem: str, language_code: str) -> bool:
    """Return whether a stem is that of a frequent word of a language with a file."""
    return stem in _thesaurus(language_code).ranks


def find_rank(stem: str, language_code: str) -> int:
    """Return the rank of a word by how frequent it is in a language; a word that is not listed comes last."""
    ranks = _thesaurus(language_code).ranks
    return ranks.get(stem) or max(len(ranks), _DEFAULT_WORD_COUNT)


@cache
def find_related(stem: str, language_code: str) -> dict[str, float]:
    """Return the stems of words of about the meaning of a stem, each with its nearness from 0 to 1."""
    thesaurus = _thesaurus(language_code)
    if stem not in thesaurus.ranks:
        return {}
    return {other: step / _NEARNESS_STEPS for other, step in thesaurus.find_related(thesaurus.ranks[stem] - 1)}
