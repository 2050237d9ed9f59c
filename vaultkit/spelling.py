"""Names with a typing error: which known names may be meant."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice

from vaultkit.distinct_names import are_distinct

LIKE = 60
"""The similarity, as rapidfuzz's ratio in per cent, from which one name may be a misspelling of another."""


def nearest(word: str, words: Iterable[str], *, like: int = LIKE, numbered: bool = False) -> str:
    """Return the word of `words` that is most similar to `word`; "" if none reaches `min_score` per cent.

    Where names are `numbered`, another number makes another name: `Session 5` is no misspelling of `Session 1`.
    """
    return next(iter(_nearest(word, words, like, 1, numbered)), "")


def one_slip_away(word: str, words: Iterable[str]) -> str:
    """Return the word of `words` with one letter more, less or changed, or two exchanged; "" if there is none."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    found = process.extract(word, list(words), scorer=OSA.distance, score_cutoff=1, limit=None)
    return next((str(one) for one, *_ in found if not are_distinct(word, str(one))), "")


def did_you_mean(
    word: str, names: Iterable[str], *, like: int = LIKE, numbered: bool = False, most: int = 1, then: str = ""
) -> str:
    """Return a hint that suggests up to `limit` of `names` similar to `word`, followed by `suffix`.

    Case does not count. The hint is `suffix` alone if no name is similar.
    """
    return did_you_mean_by(word, {name: name for name in names}, like=like, numbered=numbered, most=most, then=then)


def did_you_mean_by(
    word: str, by_word: Mapping[str, str], *, like: int = LIKE, numbered: bool = False, most: int = 1, then: str = ""
) -> str:
    """Return a hint that suggests the names for which words similar to `word` stand, followed by `suffix`.

    Case does not count. The hint is `suffix` alone if no word is similar.
    """
    folded = {known.casefold(): name for known, name in by_word.items()}
    near = dict.fromkeys(folded[known] for known in _nearest(word.casefold(), folded, like, most, numbered))
    return f"{hint_at(*near)} {then}".strip() if near else then


def hint_at(*names: str) -> str:
    """Return the question whether one of `names` is meant: `Did you mean 'Ann' or 'Anna'?`."""
    quoted = [f"'{name}'" for name in names]
    return f"Did you mean {' or '.join(quoted)}?"


def by_words(names: Iterable[str], least: int = 1) -> dict[str, str]:
    """Return names by each of their words with at least `min_letters`, and by the whole name.

    All keys are in lower case.
    """
    known = {name.casefold(): name for name in names}
    return {word: name for key, name in known.items() for word in key.split() if len(word) >= least} | known


def _nearest(word: str, words: Iterable[str], like: int, most: int, numbered: bool) -> list[str]:
    from rapidfuzz import fuzz, process

    numbers = _numbers(word) if numbered else ()
    meant = [one for one in words if not numbers or _numbers(one) in ((), numbers)]
    near = (one for one, *_ in process.extract(word, meant, scorer=fuzz.ratio, score_cutoff=like, limit=None))
    return [*islice((one for one in near if one == word or not are_distinct(word, one)), most)]


@lru_cache(maxsize=100_000)
def _numbers(name: str) -> tuple[str, ...]:
    return tuple(number.lstrip("0") for number in re.findall(r"\d+", name))
