"""Matching of typed texts with cards: by a name, a number and suit, a short code such as `6sw`, or parts of names."""

import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from unicodedata import category, combining, normalize

from vaultkit.cards import Card, Deck
from vaultkit.spelling import did_you_mean
from vaultkit.text import NUMBER_WORDS, lookalike_key, plain_letters

_DIGITS_OF_WORD = {word: str(number) for number, word in enumerate(NUMBER_WORDS[1:11], 1)}
_FILLER_WORDS = frozenset({"the", "of", "and"})
MAX_LISTED_CARDS = 3
"""The maximum number of cards that a message about an ambiguous text lists."""
MIN_SIMILARITY_PERCENT = 70
"""The minimum similarity of a name that is suggested; lower values match too many short names."""
_CODE_PATTERN = re.compile(r"(\d+|[a-z]) ?([a-z]+)")
_COPY_NUMBER_PATTERN = re.compile(r"\d+|[ivx]+")
"""The number at the end of the name of one of several copies of a card, such as `Aries Scrap II`."""
_ACCENT_CLASSES = (*range(10, 36), *range(200, 235))
"""Unicode combining classes of accents and vowel points, which people leave out.

Marks of other classes make a different letter.
"""


def find_cards(query: str, deck: Deck, pile: Collection[str]) -> tuple[Card, ...]:
    """Return the cards that `query` may mean: several if it is ambiguous, none if it names no card.

    Of the cards that match equally well, those in `pile` (ids of cards) are returned, or all if none of them is in it.
    If the cards to return are indistinguishable copies, only the first one is returned.
    """
    words = words_of(query)
    if not words:
        return ()
    for is_match in _make_matchers(words, strip_accents(query)):
        matches = [card for card in deck if is_match(card)]
        matches_in_pile = [card for card in matches if card.id in pile]
        if matches:
            best_matches = matches_in_pile or matches
            return tuple(best_matches[:1] if are_indistinguishable(*best_matches) else best_matches)
    return ()


def is_exact_name(query: str, card: Card) -> bool:
    """Return whether `query`, compared without accents, is a complete name of the card.

    Complete names are the id, the name, the title, the number with the suit, and a short code.
    """
    words = words_of(strip_accents(query))
    text = " ".join(words)
    return bool(words) and (words in _plain_spelling_words(card) or _is_code(text, card))


def are_indistinguishable(*cards: Card) -> bool:
    """Return whether cards cannot be told apart on a table, such as copies whose names differ only in a number."""
    return len({(card.rank, card.suits, tuple(sorted(card.traits.items())), _face_words(card)) for card in cards}) == 1


def suggest_card(query: str, deck: Deck) -> str:
    """Return a hint with the most similar name, or number and suit, of a card in the deck; "" if none is similar."""
    return did_you_mean(query, spellings(deck, deck.by_id), min_score=MIN_SIMILARITY_PERCENT)


def spellings(deck: Deck, pile: Collection[str]) -> tuple[str, ...]:
    """Return the names of the cards in `pile` (ids), and their numbers with suits, for completion."""
    cards = [card for card in deck if card.id in pile]
    names = dict.fromkeys(card.name for card in cards)
    return (*names, *(_rank_and_suits(card) for card in cards if _rank_and_suits(card)))


def _make_matchers(accented_words: tuple[str, ...], plain_text: str) -> Iterator[Callable[[Card], bool]]:
    """Yield tests of whether a text means a card, the strictest first; the first one that any card passes decides.

    `accented_words` are the words of the text as typed, `plain_text` is the text without accents.
    """
    words = words_of(plain_text)
    text = " ".join(words)
    yield lambda card: accented_words in map(words_of, _card_spellings(card))
    yield lambda card: any(" ".join(form) == text for form in _plain_spelling_words(card))
    yield lambda card: _is_code(text, card)
    yield lambda card: any(" ".join(form).startswith(text) for form in _plain_spelling_words(card))
    yield lambda card: any(_has_beginnings(form, words) for form in _plain_spelling_words(card))
    yield lambda card: len(text) > 2 and any(word.startswith(text) for word in words_of(strip_accents(card.name)))


def _plain_spelling_words(card: Card) -> Iterator[tuple[str, ...]]:
    yield from (words_of(strip_accents(text)) for text in _card_spellings(card))


def _card_spellings(card: Card) -> tuple[str, ...]:
    return card.id, card.name, card.title, _rank_and_suits(card)


def _rank_and_suits(card: Card) -> str:
    return f"{card.rank} {' '.join(card.suits)}" if card.suits and card.rank is not None else ""


@lru_cache(maxsize=10_000)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a name for comparisons: in lower case, with numbers as digits, without "the", "of", "and"."""
    words = words_in(lookalike_key(text).replace("'", ""))
    return tuple(_DIGITS_OF_WORD.get(word, word) for word in words if word not in _FILLER_WORDS)


def words_in(text: str) -> list[str]:
    """Return the words of a text in any script: letters and digits with their combining marks, and apostrophes."""
    plain_text = "".join(char if char.isalnum() or char in "_'" or category(char)[0] == "M" else " " for char in text)
    return plain_text.split()


@lru_cache(maxsize=10_000)
def strip_accents(text: str) -> str:
    """Return a text in lower case, without the accents and vowel points that people often leave out."""
    return "".join(map(_plain_letter, normalize("NFC", lookalike_key(text))))


def _plain_letter(letter: str) -> str:
    latin_letters = plain_letters(letter)
    if latin_letters.isascii():
        return latin_letters
    characters = (character for character in normalize("NFKD", letter) if combining(character) not in _ACCENT_CLASSES)
    return normalize("NFC", "".join(characters))


def _is_code(text: str, card: Card) -> bool:
    """Return whether `text` is a short code of the card, such as `6sw` or `ms`.

    A code is the number of the card, or the first letter of its rank, followed by the beginning of its suit.
    """
    match = _CODE_PATTERN.fullmatch(text)
    if not match or len(card.suits) != 1 or card.rank is None:
        return False
    rank = str(card.rank).casefold()
    return match[1] in {rank, rank[0] if rank.isalpha() else rank} and card.suits[0].casefold().startswith(match[2])


def _has_beginnings(form: tuple[str, ...], prefixes: tuple[str, ...]) -> bool:
    """Return whether there are at least two prefixes, and the first words of `form` begin with them in order."""
    return len(prefixes) > 1 and len(form) >= len(prefixes) and all(map(str.startswith, form, prefixes))


def _face_words(card: Card) -> tuple[str, ...]:
    """Return the words of the card's name, without the number of a copy if the card has a rank or suits."""
    *words, last = words_of(card.name) or ("",)
    is_copy = words and _COPY_NUMBER_PATTERN.fullmatch(last) and (card.rank is not None or card.suits)
    return tuple(words) if is_copy else (*words, last)
