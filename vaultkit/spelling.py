"""Suggestions of known names for a name with a typing error."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice

from vaultkit.distinct_names import are_distinct

MIN_SIMILARITY_PERCENT = 60
"""The minimum similarity, as rapidfuzz's ratio in per cent, of a misspelt name to the name that is meant."""


def find_nearest(
    word: str, words: Iterable[str], *, min_score: int = MIN_SIMILARITY_PERCENT, numbers_distinguish: bool = False
) -> str:
    """Return the word of `words` that is most similar to `word`; "" if none reaches `min_score` per cent.

    If `numbers_distinguish` names, `Session 5` is no misspelling of `Session 1`.
    """
    return next(iter(_find_all_near(word, words, min_score, 1, numbers_distinguish)), "")


def find_fewest_edits(word: str, words: Iterable[str], max_edits: int) -> list[str]:
    """Return the ones of `words` that differ from `word` in the fewest letters, and in at most `max_edits`.

    A letter is missing, added, changed or exchanged with the next one. Words that mean different things are left out.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    matches = process.extract(word, list(words), scorer=OSA.distance, score_cutoff=max_edits, limit=None)
    similar_words = [(distance, match) for match, distance, _ in matches if not are_distinct(word, match)]
    return [match for distance, match in similar_words if distance == similar_words[0][0]]


def did_you_mean(
    word: str,
    names: Iterable[str],
    *,
    min_score: int = MIN_SIMILARITY_PERCENT,
    numbers_distinguish: bool = False,
    limit: int = 1,
    suffix: str = "",
) -> str:
    """Return a hint that suggests up to `limit` of `names` similar to `word`, followed by `suffix`.

    Case does not count. The hint is `suffix` alone if no name is similar.
    """
    return did_you_mean_by(
        word,
        {name: name for name in names},
        min_score=min_score,
        numbers_distinguish=numbers_distinguish,
        limit=limit,
        suffix=suffix,
    )


def did_you_mean_by(
    word: str,
    names_by_word: Mapping[str, str],
    *,
    min_score: int = MIN_SIMILARITY_PERCENT,
    numbers_distinguish: bool = False,
    limit: int = 1,
    suffix: str = "",
) -> str:
    """Return a hint that suggests up to `limit` names, followed by `suffix`.

    `names_by_word` maps words to names; the names of words similar to `word` are suggested.

    Case does not count. The hint is `suffix` alone if no word is similar.
    """
    names_by_key = {key.casefold(): name for key, name in names_by_word.items()}
    similar_names = dict.fromkeys(
        names_by_key[key]
        for key in _find_all_near(word.casefold(), names_by_key, min_score, limit, numbers_distinguish)
    )
    return f"{suggest_names(*similar_names)} {suffix}".strip() if similar_names else suffix


def suggest_names(*names: str) -> str:
    """Return the question whether one of `names` is meant: `Did you mean 'Ann' or 'Anna'?`."""
    quoted_names = [f"'{name}'" for name in names]
    return f"Did you mean {' or '.join(quoted_names)}?"


def map_words_to_names(names: Iterable[str], min_letters: int = 1) -> dict[str, str]:
    """Return names by each of their words with at least `min_letters`, and by the whole name.

    All keys are in lower case.
    """
    names_by_key = {name.casefold(): name for name in names}
    return {
        word: name for key, name in names_by_key.items() for word in key.split() if len(word) >= min_letters
    } | names_by_key


def _find_all_near(word: str, words: Iterable[str], min_score: int, limit: int, numbers_distinguish: bool) -> list[str]:
    from rapidfuzz import fuzz, process

    numbers = _numbers_in(word) if numbers_distinguish else ()
    candidates = [name for name in words if not numbers or _numbers_in(name) in ((), numbers)]
    matches = (
        name for name, *_ in process.extract(word, candidates, scorer=fuzz.ratio, score_cutoff=min_score, limit=None)
    )
    return [*islice((name for name in matches if name == word or not are_distinct(word, name)), limit)]


@lru_cache(maxsize=100_000)
def _numbers_in(name: str) -> tuple[str, ...]:
    return tuple(number.lstrip("0") for number in re.findall(r"\d+", name))
