"""Suggestions of known names for a name with a typing error.

Similar names may mean different things: East Gate and West Gate, Part II and Part III.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypedDict, Unpack

from vaultkit import files
from vaultkit.errors import NothingFound
from vaultkit.text import plain_letters

MIN_SIMILARITY_PERCENT = 60
"""The minimum similarity, as rapidfuzz's ratio in per cent, of a misspelt name to the name that is meant."""

_MAX_SUGGESTED_NAMES = 3
_MAX_SIMILAR_NAMES = 20
"""The most similar names that are asked whether they mean something else."""
_MAX_COMPARED_FILE_COUNT = 1_000
"""The most files of a folder that are compared with the name of a missing file."""
_NAME_WORD = re.compile(r"[^\W_]+")
_NUMBER_PREFIX = re.compile(r"^[\d\W_]+(?=[^\W_])")
"""The number or date before a name, as in `4-Sessions`."""


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

    matches = process.extract(word, list(words), scorer=OSA.distance, score_cutoff=max_edits, limit=_MAX_SIMILAR_NAMES)
    similar_words = [(distance, match) for match, distance, _ in matches if not are_distinct(word, match)]
    return [match for distance, match in similar_words if distance == similar_words[0][0]]


class SuggestionOptions(TypedDict, total=False):
    """The options of `did_you_mean_by` for how similar names are, how many are suggested, and what follows them."""

    min_score: int
    numbers_distinguish: bool
    limit: int
    suffix: str


def did_you_mean(word: str, names: Iterable[str], **options: Unpack[SuggestionOptions]) -> str:
    """Return a hint that suggests up to `limit` of `names` similar to `word`; case does not count."""
    return did_you_mean_by(word, {name: name for name in names}, **options)


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


def suggest_by_words(name: str, names_by_word: Mapping[str, str]) -> str:
    """Return a hint that suggests the names that have all words of `name`, or else the most similar name.

    A number or date before a name may be left out: `4-Sessions`, `2026-10-31 Session 5`. The hint is "" if none fits.
    """
    words = {*_NAME_WORD.findall(name.casefold())}
    words_by_key = {key: {*_NAME_WORD.findall(key.casefold())} for key in names_by_word}
    if matches := [names_by_word[key] for key, key_words in words_by_key.items() if words and words <= key_words]:
        return suggest_names(*[*dict.fromkeys(matches)][:_MAX_SUGGESTED_NAMES])
    short_names = {_NUMBER_PREFIX.sub("", key): other for key, other in names_by_word.items()}
    suggestion = did_you_mean_by(name, {**short_names, **names_by_word}, numbers_distinguish=True)
    long_words = {word: names_by_word[key] for key, words in words_by_key.items() for word in words if len(word) > 3}
    similar_words = [] if suggestion else find_fewest_edits(name.casefold(), long_words, 1)
    names = list(dict.fromkeys(long_words[word] for word in similar_words))[:_MAX_SUGGESTED_NAMES]
    return suggestion or (suggest_names(*names) if names else "")


def missing_file(name: str) -> NothingFound:
    """Return the error for a file that the user named but that does not exist. It suggests files of its folder."""
    path = Path(name)
    try:
        siblings = [file for file in path.parent.iterdir() if file.suffix.lower() == path.suffix.lower()]
    except OSError:
        siblings = []
    names_by_stem = {file.stem: str(file) for file in siblings[:_MAX_COMPARED_FILE_COUNT]}
    guess = suggest_by_words(path.stem, names_by_stem)
    return NothingFound("There is no such file.", where=name, hint=guess or "Are its name and its folder right?")


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
    matches = process.extract(word, candidates, scorer=fuzz.ratio, score_cutoff=min_score, limit=_MAX_SIMILAR_NAMES)
    return [*islice((name for name, *_ in matches if name == word or not are_distinct(word, name)), limit)]


@lru_cache(maxsize=100_000)
def _numbers_in(name: str) -> tuple[str, ...]:
    return tuple(number.lstrip("0") for number in re.findall(r"\d+", name))


def read_number(word: str) -> int | None:
    """Return the number that digits or a number word of several languages mean, or None."""
    return int(word) if word.isdecimal() else _shipped_words().numbers.get("".join(_split_words(word)))


MIN_PREFIX_LETTERS, MIN_SUFFIX_LETTERS = 3, 4
"""The minimum lengths of a known word that is recognized at the beginning and at the end of a longer word."""
_SHIPPED_WORDS = Path(__file__).with_name("distinct_words.toml")
_WORD = re.compile(r"(?<!\w)[-\u2212](?=\d)|\d+|[^\W\d_]+")
_MIXED_WORD = re.compile(r"\b(?=\w*\d[^\W\d_]+\d|\w*[^\W\d_]\d+[^\W\d_])\w+")
"""Words in which letters and digits alternate, as in the id of a game; their digits are no numbers."""
_ORDINAL_ENDING = re.compile(r"st|nd|rd|th|er|re|e|eme|o|a")
"""Endings of ordinal numbers: 1st, 2nd, 3e."""
_ROMAN = re.compile(r"(?=[ivxl])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}

Marks = Mapping[str, tuple[int, ...]]
"""The features that tell a name apart: the sorted meanings of its words by set of opposites, and its numbers."""


class _Words(NamedTuple):
    """The shipped words.

    `meanings` maps a word to pairs of a set of opposites and the word's meaning in it. `numbers` maps a numeral to its
    value. `negations` are prefixes that negate a word.
    """

    meanings: Mapping[str, tuple[tuple[str, int], ...]]
    numbers: Mapping[str, int]
    negations: tuple[str, ...]


def are_distinct(name: str, other_name: str) -> bool:
    """Return whether two similar names mean different things.

    Both have a number, an ordinal, a direction or a word of one set of opposites, and differ in it.
    """
    name_marks, other_marks = _compute_marks(name), _compute_marks(other_name)
    if any(other_marks[kind] != marks for kind, marks in name_marks.items() if kind in other_marks):
        return True
    return _is_negated(name, other_name) or _is_negated(other_name, name)


@lru_cache(maxsize=100_000)
def _compute_marks(name: str) -> Marks:
    marks: dict[str, list[int]] = {}
    words = _split_words(name)
    for index, word in enumerate(words):
        if (word_number := _number_at(words, index)) is not None:
            marks.setdefault("number", []).append(word_number)
        for kind, meaning in _find_meanings(word):
            marks.setdefault(kind, []).append(meaning)
    return {kind: tuple(meanings if kind == "number" else sorted(meanings)) for kind, meanings in marks.items()}


@lru_cache(maxsize=100_000)
def _split_words(name: str) -> list[str]:
    return _WORD.findall(_MIXED_WORD.sub(" ", plain_letters(name).replace("ß", "ss")))


def _number_at(words: list[str], index: int) -> int | None:
    """Return the number that a word of `words` stands for, or None.

    It may be digits, a number word, a Roman numeral, or a single letter at the end, as in `Room B`.

    Letters count as negative numbers, so that they differ from digits.
    """
    word = words[index]
    if word.isdecimal():
        return -int(word) if index and words[index - 1] in "-\u2212" else int(word)
    if index and words[index - 1].isdecimal():  # the letter in 12a, but not the ending of 2nd
        return None if _ORDINAL_ENDING.fullmatch(word) and word != "a" else -ord(word) if len(word) == 1 else None
    if word in _shipped_words().numbers:
        return _shipped_words().numbers[word]
    is_last = index > 0 and index == len(words) - 1
    if (len(word) > 1 or is_last) and _ROMAN.fullmatch(word):
        return _parse_roman(word)
    return -ord(word) if is_last and len(word) == 1 and word.isalpha() else None


def _parse_roman(word: str) -> int:
    values = [_ROMAN_VALUES[sign] for sign in word]
    return sum(
        -value if value < next_value else value for value, next_value in zip(values, [*values[1:], 0], strict=True)
    )


def _find_meanings(word: str) -> Iterator[tuple[str, int]]:
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
    yield from next((meanings[word[ending_start:]] for ending_start in ends if word[ending_start:] in meanings), ())


def _is_word_part(word: str, start: int, end: int) -> bool:
    """Return whether `word[start:end]` is a known word and is either the whole word or long enough as a part of it."""
    is_whole = start == 0 and end == len(word)
    return (is_whole or end - start >= MIN_PREFIX_LETTERS) and word[start:end] in _shipped_words().meanings


def _is_negated(name: str, other_name: str) -> bool:
    """Return whether a word of `name` is the word of `other_name` in the same place with a prefix such as `un`."""
    name_words, other_words = _split_words(name), _split_words(other_name)
    if len(name_words) != len(other_words):
        return False
    pairs = [(word, other_word) for word, other_word in zip(name_words, other_words, strict=True) if word != other_word]
    negations = _shipped_words().negations
    return any(
        len(other_word) > 2 and word.removesuffix(other_word) in negations and word.endswith(other_word)
        for word, other_word in pairs
    )


@cache
def _shipped_words() -> _Words:
    """Return the words that ship with the program, in plain letters."""
    data = files.parse_toml(files.read_text(_SHIPPED_WORDS, allow_links=True))
    meanings: dict[str, dict[tuple[str, int], None]] = {}
    for set_index, opposites in enumerate(data["opposites"]):
        for meaning, words in enumerate(opposites):
            for word in words.split():
                meanings.setdefault("".join(_split_words(word)), {})[f"set {set_index}", meaning] = None
    words_by_value = {
        **dict(enumerate(data["numbers"])),
        **{int(key): words for key, words in data["large_numbers"].items()},
    }
    numbers = {"".join(_split_words(word)): value for value, words in words_by_value.items() for word in words.split()}
    meanings_by_word = {word: tuple(pairs) for word, pairs in meanings.items()}
    return _Words(meanings_by_word, numbers, tuple(data["negations"].split()))
