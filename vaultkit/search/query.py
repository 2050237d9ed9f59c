"""A question in words: its language, the words that say something, and the names that it may contain."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from vaultkit.games.registry import GAMES
from vaultkit.search.related_words import is_listed
from vaultkit.search.stemming import GERMAN, Language, name_key
from vaultkit.spelling import find_fewest_edits
from vaultkit.text import plain_letters

_CAPITALIZED_WORD = re.compile(r"(?<=\w )[A-ZÀ-ÖØ-ÞĀ-Ž]\w+")
_MIN_CORRECTED_LENGTH, _MIN_VAULT_WORD_LENGTH, _MIN_EXCHANGED_LENGTH = 4, 5, 7
"""The minimum lengths of words that become a question word, a word of the vault, and one with another letter."""
_MAX_NAME_WORDS = 7
"""The maximum number of words of a name that is looked for within a question."""


class Query:
    """A question in a language. `games` are the ids of the games that it names, and `words` the stems of its words.

    The words that name games are left out of `words`, unless there are no others.
    """

    def __init__(self, text: str, question_language: Language) -> None:
        self.text, self.language = text, question_language
        self.games, remaining_words = _split_games(question_language.unwrap(text))
        self.is_only_game = not remaining_words.strip()
        """Whether the question is only the name of a game."""
        self._keys = name_key(remaining_words).split() or name_key(text).split()
        self.words = question_language.stems(
            remaining_words if remaining_words.strip() else _titles(self.games) or text
        )

    def correct_spelling(self, occurs: Callable[[str], bool], vault_words: Callable[[str], Iterable[str]]) -> "Query":
        """Return the question with the spelling of unknown words corrected.

        `vault_words` returns the words of the vault that begin with a letter. A word becomes one of these with one
        letter more or less, or two exchanged; a long one that is no name also becomes one with another letter in the
        place of one. Words at the beginning of the question become question words.
        """
        corrections = {key: word for key, word in self._find_corrections(occurs, vault_words) if word}
        query = Query(self.text, self.language)
        query._keys = [corrections.get(key, key) for key in self._keys]
        stems = {self.language.stem(key): self.language.stem(word) for key, word in corrections.items()}
        query.words = [stems.get(stem, stem) for stem in self.words]
        return query

    def _find_corrections(
        self, occurs: Callable[[str], bool], vault_words: Callable[[str], Iterable[str]]
    ) -> Iterator[tuple[str, str]]:
        """Yield the unknown words that may be misspelt, each with the word that may be meant, "" if there is none."""
        for index, key in enumerate(self._keys):
            stem = self.language.stem(key)
            if len(key) < _MIN_CORRECTED_LENGTH or stem not in self.words or occurs(stem):
                continue
            word, is_word = "", is_listed(stem, self.language.code)
            if index <= 1 and self._question_keys.issuperset(self._keys[:index]):
                words = (other for other in self._question_keys if not is_word or len(other) == len(key))
                word = _find_nearest(key, words)
            if not word and len(key) >= _MIN_VAULT_WORD_LENGTH and not is_word:
                is_common = len(key) >= _MIN_EXCHANGED_LENGTH and stem not in self.capitalized_words
                word = _find_nearest(key, vault_words(key[0]), may_exchange=is_common)
            yield key, word

    @cached_property
    def content_words(self) -> list[str]:
        """The stems of the words that say something, without duplicates."""
        return [word for word in dict.fromkeys(self.words) if word not in self.language.stop_words]

    @cached_property
    def capitalized_words(self) -> frozenset[str]:
        """The stems of the words after the first that begin with a capital letter, () in German, where all nouns do."""
        if self.language.code == GERMAN:
            return frozenset()
        return frozenset(self.language.stem(word.casefold()) for word in _CAPITALIZED_WORD.findall(self.text))

    @cached_property
    def _question_keys(self) -> frozenset[str]:
        return frozenset(map(plain_letters, self.language.question_words))

    @property
    def topic(self) -> str:
        """The question without the question words at its beginning and end, in lower case."""
        return [*self.name_keys()][-1]

    @property
    def says_something(self) -> bool:
        """Whether the question has a word that is no question word."""
        return not self._question_keys.issuperset(self._keys)

    def name_keys(self) -> Iterator[str]:
        """Yield the names for which the question may ask: its words, with fewer question words at both ends.

        Words such as `list` at its beginning are left out like question words.
        """
        start, end = 0, len(self._keys)
        yield " ".join(self._keys)
        while start < end - 1 and (
            self._keys[start] in self._question_keys
            or self.language.stem(self._keys[start]) in self.language.table_words
        ):
            start += 1
            yield " ".join(self._keys[start:end])
        while end > start + 1 and self._keys[end - 1] in self._question_keys:
            end -= 1
            yield " ".join(self._keys[start:end])

    def numbered_keys(self) -> list[str]:
        """Return each word that says something and is followed by a number, with that number."""
        pairs = zip(self._keys, self._keys[1:], strict=False)
        return [f"{word} {number}" for word, number in pairs if number.isdecimal() and word not in self._question_keys]

    def inner_keys(self) -> list[str]:
        """Return all sequences of words in the question that may be the name of a note."""
        return [
            " ".join(self._keys[start:end])
            for start in range(len(self._keys))
            for end in range(start + 1, min(len(self._keys), start + _MAX_NAME_WORDS) + 1)
            if not self._question_keys.issuperset(self._keys[start:end])
        ]


def _find_nearest(word: str, words: Iterable[str], *, may_exchange: bool = False) -> str:
    """Return the one of some words with one letter more or less than a word, or with two exchanged; "" if none is near.

    If `may_exchange`, it may also have another letter in the place of one.
    """
    candidates = [name for name in words if may_exchange or len(name) != len(word) or sorted(name) == sorted(word)]
    return next(iter(find_fewest_edits(word, candidates, 1)), "")


def _split_games(text: str) -> tuple[frozenset[str], str]:
    """Return the ids of the games that a text names, and the other words of the text in lower case."""
    rest, games = f" {text.casefold()} ", set[str]()
    for info in GAMES.values():
        for name in filter(None, (info.title, *info.aliases, info.id, info.short)):
            if (spaced_name := f" {name.casefold()} ") in rest:
                games.add(info.id)
                rest = rest.replace(spaced_name, " ")
    return frozenset(games), rest.strip()


def _titles(games: frozenset[str]) -> str:
    return " ".join(GAMES[game].title for game in sorted(games))
