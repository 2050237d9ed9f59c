"""Word stems for comparing questions with passages: Snowball's stemmers, and the stop words of seven languages.

`languages.toml` has the words of each language with their source.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import snowballstemmer

from vaultkit import files
from vaultkit.text import NUMBER_WORDS, plain_letters

ENGLISH, GERMAN = "en", "de"
_WORD_PATTERN = re.compile(r"[^\W_]+")
_ORDINALS = ("second", "third", "fourth", "fifth", "sixth")


def _stem_group(key: str) -> "cached_property[frozenset[str]]":
    """Return a property of a language with the stems of the words under a key of `languages.toml`."""
    return cached_property(lambda language: frozenset(map(language.stem, language._data[key].split())))


def _word_groups(key: str) -> "cached_property[Mapping[str, frozenset[str]]]":
    """Return a property of a language with the other words of the groups of each stem under a key."""
    return cached_property(lambda language: language._read_groups(language._data.get(key, ())))


class Language:
    """The words of one language; `code` is `en`, `de`, `fr`, `es`, `it`, `pt` or `pl`.

    Stems are in lower case, without accents. Numbers from 0 to 12 are digits.
    """

    def __init__(self, code: str, data: Mapping[str, Any]) -> None:
        self.code, self._data = code, data
        self._stems: dict[str, str] = {}
        self._spellings: Mapping[str, str] = data.get("spellings", {})

    @cached_property
    def _stemmer(self) -> Any:
        return snowballstemmer.stemmer(self._data["stemmer"])

    @cached_property
    def _basic_forms(self) -> Mapping[str, str]:
        groups = self._data.get("irregular_forms", {})
        return {form: word for word, forms in groups.items() for form in forms.split()}

    @cached_property
    def _spelling_pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(self._spellings) or "(?!)")

    @cached_property
    def _endings(self) -> list[tuple[re.Pattern[str], str]]:
        return [(re.compile(end), other_end) for end, other_end in self._data.get("endings", {}).items()]

    @cached_property
    def _phrases(self) -> re.Pattern[str]:
        phrases = {"": "|".join(self._data["question_phrases"]), **self._data.get("phrases", {})}
        texts = (f"(?P<{name}>{text})" if name else text for name, text in phrases.items())
        return re.compile(rf"\b(?=\w++ )(?:{'|'.join(texts)})\b")  # the first part makes the search twice as fast

    def unwrap(self, text: str) -> str:
        """Return a question in lower case without polite or chatty words around it; keep them if nothing else is left.

        For `could you tell me who Ann is`, that is `who Ann is`.
        """
        plain_text = text.casefold().replace("’", "'")
        question = re.sub(rf"(?<!\w)(?:{'|'.join(self._data['wrappers'])})(?!\w)", " ", plain_text)
        return question if _WORD_PATTERN.search(question) else plain_text

    @cached_property
    def question_words(self) -> frozenset[str]:
        """The words that say little by themselves, in lower case."""
        return frozenset(_WORD_PATTERN.findall(f"{self._data['stop_words']} {self._data['question_words']}".casefold()))

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """The stems of the words that say little by themselves."""
        return frozenset(map(self.stem, self.question_words))

    synonyms = _word_groups("synonyms")
    """The stems of the synonyms of each stem that has any."""
    near_words = _word_groups("near_words")
    """The stems of other words about the same subject, for each stem that has any."""

    def asks_amount(self, text: str) -> bool:
        """Return whether a question asks for an amount, as questions with `how many` do."""
        return bool(re.search(rf"\b(?:{'|'.join(self._data['amount_questions'])})\b", text.casefold()))

    @cached_property
    def number_words(self) -> frozenset[str]:
        """The stems of words for numbers and shares, without that of `one`."""
        return frozenset(map(self.stem, (*NUMBER_WORDS[2:], *self._data["number_words"].split())))

    amount_words = _stem_group("amount_words")
    """The stems of words for which a number may be the answer, such as `cost`."""
    table_words = _stem_group("table_words")
    """The stems of words for which a table may be the answer, such as `list`."""
    goal_words = _stem_group("goal_words")
    """The stems of words for the aim of a game."""
    win_words = _stem_group("win_words")
    """The stems of words by which rules say who wins."""
    game_words = _stem_group("game_words")
    """The stems of words such as `game`, which say little in a question about a game."""

    @cached_property
    def defining_verbs(self) -> re.Pattern[str]:
        """The words between a term and what it is, such as `is`."""
        return re.compile(rf"\b(?:{'|'.join(self._data['defining_verbs'].split())})\b", re.IGNORECASE)

    def asks_house_rules(self, text: str) -> bool:
        """Return whether a question asks for the house rules of a game, and for nothing else."""
        rest, count = re.subn(rf"\b(?:{self._data['house_rules']})\b", " ", text.casefold())
        return count > 0 and self.game_words.issuperset(self.content_stems(rest))

    def _read_groups(self, lines: Iterable[str]) -> Mapping[str, frozenset[str]]:
        groups = [frozenset(self.content_stems(line)) for line in lines]
        return {
            word: frozenset().union(*(group for group in groups if word in group)) - {word}
            for word in frozenset().union(*groups)
        }

    def irregular_forms(self, stem: str) -> list[str]:
        """Return the irregular forms of the words that have a stem, their basic forms, and its other spellings."""
        spellings = [other for other, spelling in self._spellings.items() if stem.startswith(spelling)]
        return spellings + [
            word
            for form, basic_form in self._basic_forms.items()
            if self.stem(basic_form) == stem
            for word in (form, basic_form)
        ]

    def stems(self, text: str) -> list[str]:
        """Return the stems of all words of a text, in their order.

        Phrases such as `run out` are first replaced by one word. A letter after an apostrophe is left out.
        """
        phrased_text = self._phrases.sub(lambda match: match.lastgroup or " ", text.casefold().replace("’", "'"))
        return [self.stem(word) for word in _WORD_PATTERN.findall(phrased_text) if len(word) > 1 or word.isdecimal()]

    def content_stems(self, text: str) -> list[str]:
        """Return the stems of the words of a text that say something, without duplicates."""
        return [word for word in dict.fromkeys(self.stems(text)) if word not in self.stop_words]

    def stem(self, word: str) -> str:
        """Return the stem of a word in lower case; `three` and `third` become `3` in every language."""
        if word not in self._stems:
            self._stems[word] = self._find_stem(word)
        return self._stems[word]

    def _find_stem(self, word: str) -> str:
        if word in _ORDINALS:
            return str(_ORDINALS.index(word) + 2)
        if word in NUMBER_WORDS:
            return str(NUMBER_WORDS.index(word))
        stem = self._stemmer.stemWord(self._basic_forms.get(word, word))
        for end, other_end in self._endings:
            if end.search(stem):
                stem = self._stemmer.stemWord(end.sub(other_end, stem))
        if match := self._spelling_pattern.match(stem):
            stem = self._spellings[match[0]] + stem[match.end() :]
        return plain_letters(stem)


@cache
def _language_data() -> Mapping[str, Any]:
    return files.parse_toml(files.read_text(Path(__file__).with_name("languages.toml"), allow_links=True))


def language_codes() -> tuple[str, ...]:
    """Return the codes of the languages whose words are known."""
    return tuple(_language_data())


@cache
def language(code: str) -> Language:
    """Return a language by its code, English for an unknown one."""
    data = _language_data()
    return Language(code, data[code]) if code in data else language(ENGLISH)


def guess_language(words: Iterable[str], default: str = ENGLISH) -> str:
    """Return the code of the language whose question words are most frequent among words in lower case.

    That is `default` if no other language has more of them.
    """
    counts = Counter(words)
    scores = {
        code: sum(count for word, count in counts.items() if word in language(code).question_words)
        for code in language_codes()
    }
    return max(scores, key=lambda code: (scores[code], code == default, code == ENGLISH))


def name_key(text: str) -> str:
    """Return the words of a name in lower case, without accents and zeros before numbers, with single blanks."""
    return " ".join(word.lstrip("0") or word for word in _WORD_PATTERN.findall(plain_letters(text)))


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD_PATTERN.findall(text.casefold())
