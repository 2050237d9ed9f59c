"""Which card people mean: by name, by number and suit, by a short code such as `6sw`, or by enough of any of these."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from unicodedata import category, combining, normalize

from vaultkit.cards import Card, Deck
from vaultkit.sorting import lookalike_key, plain_letters
from vaultkit.spelling import did_you_mean
from vaultkit.wording import NUMBERS

_NUMBERS = {word: str(number) for number, word in enumerate(NUMBERS[1:11], 1)}
_FILLERS = frozenset({"the", "of", "and"})
MOST_TOLD = 3
"""So many cards are told of where a word may mean several."""
LIKE = 70
"""Per cent of letters in common from which on a card may be meant: short names are soon alike."""
_CODE = re.compile(r"(\d+|[a-z]) ?([a-z]+)")
_COPY = re.compile(r"\d+|[ivx]+")
"""The number of one of several copies of a card, such as `Aries Scrap II`."""
_ACCENT_CLASSES = (*range(10, 36), *range(200, 235))
"""Combining classes of accents and of vowel points, which people leave out; other marks make other letters."""


def cards_meant(typed: str, deck: Deck, pile: Collection[str]) -> tuple[Card, ...]:
    """The cards that `typed` may mean: one is an answer, several are a question, none is no card at all.

    A whole name means its card wherever that lies. What is less than a whole name means cards of the `pile` (ids),
    and others of the deck only where none of those fits. Of cards that are all alike the first in the pile is meant.
    """
    wanted = words_of(typed)
    if not wanted:
        return ()
    for fits in _tiers(wanted, strip_accents(typed)):
        found = [card for card in deck if fits(card)]
        here = [card for card in found if card.id in pile]
        if found:
            same = here or found
            return tuple(same[:1] if _alike(same) else same)
    return ()


def goes_by(typed: str, card: Card) -> bool:
    """Return whether a card goes by the whole of what was typed, without its accents.

    That is its id, name, title, number and suit, or a short code.
    """
    wanted = words_of(strip_accents(typed))
    text = " ".join(wanted)
    return bool(wanted) and (any(form == wanted for form in _plain_forms(card)) or _is_code(text, card))


def alike(one: Card, other: Card) -> bool:
    """Whether nobody could tell two cards apart on a table."""
    return _alike((one, other))


def nearest_card(typed: str, deck: Deck) -> str:
    """The hint that asks for the card of which a name or number with suit is written most alike; "" if none is."""
    return did_you_mean(typed, spellings(deck, deck.by_id), like=LIKE)


def spellings(deck: Deck, pile: Collection[str]) -> tuple[str, ...]:
    """The full spellings of the cards of the pile, for completion: names, and numbers with suits."""
    cards = [card for card in deck if card.id in pile]
    names = dict.fromkeys(card.name for card in cards)
    return (*names, *(_numbered(card) for card in cards if _numbered(card)))


def _tiers(wanted: tuple[str, ...], typed: str) -> Iterator[Callable[[Card], bool]]:
    """Yield ways in which a card may be meant, the surest first; the first that fits any card decides.

    `wanted` are the words with their accents, `typed` is the text without.
    """
    words = words_of(typed)
    text = " ".join(words)
    yield lambda card: any(form == wanted for form in _forms(card))
    yield lambda card: any(" ".join(form) == text for form in _plain_forms(card))
    yield lambda card: _is_code(text, card)
    yield lambda card: any(" ".join(form).startswith(text) for form in _plain_forms(card))
    yield lambda card: any(_begin(form, words) for form in _plain_forms(card))
    yield lambda card: len(text) > 2 and any(word.startswith(text) for word in words_of(strip_accents(card.name)))


def _forms(card: Card) -> Iterator[tuple[str, ...]]:
    yield from map(words_of, _spellings(card))


def _plain_forms(card: Card) -> Iterator[tuple[str, ...]]:
    yield from (words_of(strip_accents(text)) for text in _spellings(card))


def _spellings(card: Card) -> tuple[str, ...]:
    return card.id, card.name, card.title, _numbered(card)


def _numbered(card: Card) -> str:
    return f"{card.rank} {' '.join(card.suits)}" if card.suits and card.rank is not None else ""


@lru_cache(maxsize=10_000)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text as names are compared: in small letters, numbers as digits, without `the` and `of`."""
    words = words_in(lookalike_key(text).replace("'", ""))
    return tuple(_NUMBERS.get(word, word) for word in words if word not in _FILLERS)


def words_in(text: str) -> list[str]:
    """Return the words of a text in any script: letters and digits with the marks on them, and apostrophes."""
    return "".join(one if one.isalnum() or one in "_'" or category(one)[0] == "M" else " " for one in text).split()


@lru_cache(maxsize=10_000)
def strip_accents(text: str) -> str:
    """Return a text in small letters without accents and vowel points, which people often leave out."""
    return "".join(map(_plain_letter, normalize("NFC", lookalike_key(text))))


def _plain_letter(letter: str) -> str:
    latin = plain_letters(letter)
    if latin.isascii():
        return latin
    kept = (one for one in normalize("NFKD", letter) if combining(one) not in _ACCENT_CLASSES)
    return normalize("NFC", "".join(kept))


def _is_code(text: str, card: Card) -> bool:
    """`6sw`, `ms`: the number or the rank's first letter, and how the suit begins."""
    found = _CODE.fullmatch(text)
    if not found or len(card.suits) != 1 or card.rank is None:
        return False
    rank = str(card.rank).casefold()
    return found[1] in {rank, rank[0] if rank.isalpha() else rank} and card.suits[0].casefold().startswith(found[2])


def _begin(form: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether each word of the form begins like the one that was typed in its place."""
    return len(wanted) > 1 and len(form) >= len(wanted) and all(map(str.startswith, form, wanted))


def _alike(cards: Sequence[Card]) -> bool:
    """Return whether nobody could tell these cards apart on a table: copies, of which only a number differs."""
    return len({(card.rank, card.suits, tuple(sorted(card.traits.items())), _face(card)) for card in cards}) == 1


def _face(card: Card) -> tuple[str, ...]:
    """Return the words of a card's name, without the number of a copy where rank or suit tell what the card is."""
    *words, last = words_of(card.name) or ("",)
    is_copy = words and _COPY.fullmatch(last) and (card.rank is not None or card.suits)
    return tuple(words) if is_copy else (*words, last)
