"""The line with a card's rank and suits, parsed in English or in the words of a deck note's own translations.

Such a line is `*Three of Glyphs*`, `*2 of Moons and Knots · event*` or `*Drei der Glyphen*`. A deck note gives its
words in properties:

    vaultkit-suits: ["Schwerter = Swords"]
    vaultkit-ranks: ["Meister = Master", "Eins = 1"]
    vaultkit-names: ["Der Rabe = Raven"]

Obsidian shows such flat lists among a note's properties; a map (`Schwerter: Swords`) is read, too. Names are needed
only for cards without suit and rank; all other cards are identified by suit and rank.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

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


_EMPHASISED_LINE = re.compile(r"\s*(?P<mark>[*_])(?P<inner>[^*_\n]+)(?P=mark)\s*")
_ENGLISH_FACTS = re.compile(r"(?!(?:an?|the)\s)(?P<rank>\S+(?:\s+\S+)?)\s+of\s+(?!an?\s)(?P<suits>\S.*)", re.IGNORECASE)
_BETWEEN_SUITS = re.compile(r"\s*(?:[,/&+]|(?<!\w)\w{1,3}(?!\w))?\s*")
_MAX_CONNECTING_WORDS = 3
"""The maximum number of words between a rank and a suit, as in `Drei von den Schwertern`."""
_MAX_LINE_LENGTH = 200
_SENTENCE_ENDS = tuple(".!?…:;,\"”»)'")


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
            problems.append(_entry_problem(note, key, entry, f"'{entry}' in {key} is not a translation."))
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


@dataclass(frozen=True, slots=True)
class CardFacts:
    """The suits, rank and traits of one card as a note gives them, and the line in which they stand."""

    suits: tuple[str, ...] = ()
    rank: Rank = None
    traits: dict[str, str] = field(default_factory=dict)
    line: int = 0


def parse_suits(text: str, words: Words = NO_TRANSLATIONS) -> tuple[str, ...]:
    """Parse suits from a text such as `Moons and Knots`, `Moons & Knots` or `Moons, Knots`; a dash means no suit.

    They may be in the deck's own words, such as `Monde und Knoten`.
    """
    text_before, known_suits, text_after = _split_at_suits(name_key(text), words)
    if known_suits and not text_before.strip() and not text_after.strip():
        return known_suits
    parts = (part.strip() for part in re.split(r"\s+(?:and|&|\+)\s+|,|/", text))
    return tuple(words.suit(part) for part in parts if part.strip("-–— "))


def parse_card_line(line: str, words: Words = NO_TRANSLATIONS) -> CardFacts | None:
    """Parse a card line, and return its facts; None if the line is something else.

    If the deck note gives words of another language, rank and suit may stand in either order, with any connecting word
    between.
    """
    inner = emphasised_text(line)
    if inner is None:
        return None
    rank_and_suit_text, _, types = (part.strip() for part in inner.partition("·"))
    traits = {"types": types} if types else {}
    match = _ENGLISH_FACTS.fullmatch(rank_and_suit_text)
    if match is not None:
        return CardFacts(parse_suits(match["suits"], words), words.rank(match["rank"]), traits)
    rank_and_suits = _parse_translated(name_key(rank_and_suit_text), words) if words.has_translations else None
    return CardFacts(rank_and_suits[1], rank_and_suits[0], traits) if rank_and_suits else None


def emphasised_text(line: str) -> str | None:
    """Return the text of a line that is emphasised as a whole, without its marks; None for other lines."""
    match = _EMPHASISED_LINE.fullmatch(line) if len(line) <= _MAX_LINE_LENGTH else None
    return match["inner"].strip() or None if match else None


def looks_like_card_line(line: str) -> bool:
    """Return whether a line may be meant as rank and suit: emphasised, two to five words, and no sentence."""
    inner = emphasised_text(line)
    return inner is not None and 2 <= len(inner.split()) <= 5 and not inner.endswith(_SENTENCE_ENDS)


def _parse_translated(text: str, words: Words) -> tuple[Rank, tuple[str, ...]] | None:
    """Return rank and suits of folded text that has the rank at one end and the suits at the other, or None."""
    rank_first = re.match(rf"(?P<rank>{words.rank_pattern})(?!\w)(?P<rest>.*)", text)
    if rank_first and (known_suits := _suits_beside_rank(rank_first["rest"], words, are_last=True)):
        return words.rank(rank_first["rank"]), known_suits
    rank_last = re.fullmatch(rf"(?P<rest>.*)(?<!\w)(?P<rank>{words.rank_pattern})", text)
    if rank_last and (known_suits := _suits_beside_rank(rank_last["rest"], words, are_last=False)):
        return words.rank(rank_last["rank"]), known_suits
    return None


def _suits_beside_rank(text: str, words: Words, *, are_last: bool) -> tuple[str, ...]:
    """Return the suits at the end of `text` if `are_last`, else at its start; () if too many other words are in it."""
    text_before, known_suits, text_after = _split_at_suits(text, words)
    text_outside, text_between = (text_after, text_before) if are_last else (text_before, text_after)
    return () if text_outside.strip() or len(text_between.split()) > _MAX_CONNECTING_WORDS else known_suits


def _split_at_suits(text: str, words: Words) -> tuple[str, tuple[str, ...], str]:
    """Split folded text into the words before its suits, the suits, and the words after them.

    All three are empty if there are no suits, or if more than a comma or a short word separates the suits.
    """
    matches = list(re.finditer(rf"(?<!\w)(?:{words.suit_pattern})(?!\w)", text))
    gaps = [text[previous.end() : following.start()] for previous, following in pairwise(matches)]
    if not matches or not all(map(_BETWEEN_SUITS.fullmatch, gaps)):
        return "", (), ""
    return text[: matches[0].start()], tuple(words.suit(match[0]) for match in matches), text[matches[-1].end() :]
