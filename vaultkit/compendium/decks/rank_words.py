"""The words of a deck: ranks in English, and a deck note's own translations.

    vaultkit-suits: ["Schwerter = Swords"]
    vaultkit-ranks: ["Meister = Master", "Eins = 1"]
    vaultkit-names: ["Der Rabe = Raven"]

Obsidian shows such flat lists among a note's properties; a map (`Schwerter: Swords`) is read, too. Names are needed
only for cards without suit and rank; all other cards are identified by suit and rank.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import msgspec

from vaultkit.cards import Rank
from vaultkit.errors import Problem
from vaultkit.text import NUMBER_WORDS, name_key, parse_whole_number
from vaultkit.vault import Note
from vaultkit.vault.note import texts
from vaultkit.vault.note_facts import Facts

SUITS, RANKS, _ = WORD_PROPERTIES = ("vaultkit-suits", "vaultkit-ranks", "vaultkit-names")
_NUMBER_WORDS = NUMBER_WORDS[:11]
_COURT_CARDS = ("ace", "jack", "queen", "king", "page", "knight", "master", "crown")


def parse_rank(word: str) -> Rank:
    """Parse a rank: return 3 for `Three` and `3`, None for an empty word, any other word unchanged."""
    text = word.strip()
    if (parsed_number := parse_whole_number(text)) is not None:
        return parsed_number
    if text.lower() in _NUMBER_WORDS:
        return _NUMBER_WORDS.index(text.lower())
    return text or None


class Words(msgspec.Struct, frozen=True, dict=True):
    """Translations of suits, ranks and names, by folded word. A word without translation is kept."""

    suits: Mapping[str, str] = {}
    ranks: Mapping[str, str] = {}
    names: Mapping[str, str] = {}

    @property
    def has_translations(self) -> bool:
        """Whether the deck has translations, so that it is in another language."""
        return bool(self.suits or self.ranks or self.names)

    def suit(self, word: str) -> str:
        return self._known_suits.get(name_key(word), word.strip())

    def rank(self, word: str) -> Rank:
        return parse_rank(self._known_ranks.get(name_key(word), word))

    def name(self, word: str) -> str:
        return self.names.get(name_key(word), word)

    def is_rank(self, word: str) -> bool:
        """Return whether `word` is a number, a number word, a court card or a rank that has a translation."""
        is_known_word = word.strip().lower() in _COURT_CARDS or name_key(word) in self.ranks
        return is_known_word or isinstance(parse_rank(word), int)

    @cached_property
    def rank_pattern(self) -> str:
        """A pattern for every folded rank in English or the deck's language, the longest first."""
        return _alternatives_pattern((*self._known_ranks, *_NUMBER_WORDS, *_COURT_CARDS), r"[0-9]{1,8}")

    @cached_property
    def suit_pattern(self) -> str:
        """A pattern for every folded suit in English or the deck's language; without suits it matches nothing."""
        return _alternatives_pattern(self._known_suits, r"(?!)")

    @cached_property
    def _known_suits(self) -> Mapping[str, str]:
        return {**{name_key(suit): suit for suit in self.suits.values()}, **self.suits}

    @cached_property
    def _known_ranks(self) -> Mapping[str, str]:
        return {**{name_key(rank): rank for rank in self.ranks.values()}, **self.ranks}


NO_TRANSLATIONS = Words()


def read_translations(note: Note) -> tuple[Words, tuple[Problem, ...]]:
    """Return the translations that a deck note gives, and the problems of invalid entries."""
    problems: list[Problem] = []
    suits, ranks, names = (_read_property(note, key, problems) for key in WORD_PROPERTIES)
    return Words(suits, ranks, names), tuple(problems)


def own_words(note: Note | Facts) -> Mapping[str, str]:
    """Return the deck note's own word for each suit and rank, as written; of several words for one, the first."""
    words_by_meaning: dict[str, str] = {}
    for key in (SUITS, RANKS):
        for entry, word, meaning in _parse_entries(note.property(key)):
            if word and meaning:
                words_by_meaning.setdefault(meaning, entry.partition("=")[0].strip())
    return words_by_meaning


def _read_property(note: Note, key: str, problems: list[Problem]) -> dict[str, str]:
    translations: dict[str, str] = {}
    for entry, word, meaning in _parse_entries(note.property(key)):
        if not word or not meaning:
            problems.append(_entry_problem(note, key, entry, f"'{entry}' in {key} is no translation."))
        elif translations.setdefault(word, meaning) != meaning:
            message = f"'{entry}' in {key} gives that word a second meaning; the first is '{translations[word]}'."
            problems.append(_entry_problem(note, key, entry, message))
    return translations


def _parse_entries(value: object) -> Iterator[tuple[str, str, str]]:
    """Yield each translation in a property: the entry as written, its folded word, and its meaning."""
    if isinstance(value, Mapping):
        pairs = [(str(word), " ".join(texts(meaning))) for word, meaning in value.items()]
        yield from ((word, name_key(word), meaning.strip()) for word, meaning in pairs)
        return
    for entry in texts(value):
        word, _, meaning = entry.partition("=")
        yield entry, name_key(word), meaning.strip()


def _entry_problem(note: Note, key: str, entry: str, message: str) -> Problem:
    start = note.text.find(entry, note.text.lower().find(key), note.body_start)
    line = note.places.line(start) if start >= 0 else 1
    hint = 'Write the word of this deck, "=", and the English one: ' + PROPERTY_EXAMPLES[key]
    return Problem(note.path, line, 1, "card-words", message, hint)


PROPERTY_EXAMPLES = {
    "vaultkit-suits": 'vaultkit-suits: ["Schwerter = Swords"]',
    "vaultkit-ranks": 'vaultkit-ranks: ["Meister = Master"]',
    "vaultkit-names": 'vaultkit-names: ["Der Rabe = Raven"]',
}
"""An example line of frontmatter for each property, for hints."""


def _alternatives_pattern(words: Iterable[str], otherwise: str) -> str:
    longest_first = sorted(set(words), key=len, reverse=True)
    return "|".join([*(re.escape(word) for word in longest_first), otherwise])
