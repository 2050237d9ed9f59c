"""A naive Bayes model of which place a question is about, by words and pairs of adjacent words."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import exp, fsum, log1p

_WORD_PAIR_WEIGHT = 0.3
"""The weight of a pair of adjacent words, compared with a single word, in the likelihood of a place."""
_DOUBT_WORDS, _LIKELIHOOD_WEIGHT = 40, 0.08
"""The number of words of a place below which the likelihood is smoothed strongly, and the weight of the likelihood."""

Place = tuple[str, ...]
"""The note, heading, ruling and card of a passage."""


class PlaceModel:
    """A model of which place a question is about, made from the words of each place."""

    def __init__(self, place_words: Iterable[tuple[Place, Sequence[str]]]) -> None:
        self._place_counts: defaultdict[Place, Counter[str]] = defaultdict(Counter)
        self._total_counts = Counter[str]()
        for place, words in place_words:
            for counts in (self._place_counts[place], self._total_counts):
                counts.update(_words_and_pairs(words))

    def factors(self, words: Iterable[str]) -> dict[Place, float]:
        """Return the factor for the score of each place, which is 1 for the most likely place."""
        weights = {
            term: _WORD_PAIR_WEIGHT if " " in term else 1.0
            for term in _words_and_pairs([*words])
            if term in self._total_counts
        }
        total_count, total_weight = self._total_counts.total(), fsum(weights.values())
        log_scores = {
            place: fsum(
                weights[term] * log1p(counts[term] / _DOUBT_WORDS * total_count / self._total_counts[term])
                for term in weights
            )
            - total_weight * log1p(counts.total() / _DOUBT_WORDS)
            for place, counts in self._place_counts.items()
        }
        best = max(log_scores.values(), default=0.0)
        return {place: exp(_LIKELIHOOD_WEIGHT * (value - best)) for place, value in log_scores.items()}


def _words_and_pairs(words: Sequence[str]) -> Iterator[str]:
    """Yield the words, and the pairs of adjacent words.

    The first word also forms a pair with an empty word before it, and the last word with an empty word after it.
    """
    yield from words
    yield from map(" ".join, zip(("", *words), (*words, ""), strict=True))
