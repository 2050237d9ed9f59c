"""Some cards of a deck, and how often, as a person writes it: `Raven, 2x Seer, 5-9`."""

import re
from collections.abc import Sequence

from vaultkit.errors import NothingFound, UsageError
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.spelling import by_words, did_you_mean_by

_COPIES = re.compile(r"(\d{1,3})\s*[x×]\s*(.+)", re.ASCII | re.IGNORECASE)
_NUMBERS = re.compile(r"(\d+)(?:\s*-\s*(\d+))?", re.ASCII)
_MOST = 200


def chosen(cards: Sequence[PrintableCard], wanted: str) -> list[PrintableCard]:
    """The cards that `wanted` names, in its order: by name, or by number in the deck from 1; all if it is empty.

    Raises NothingFound for a card that is not in the deck, UsageError for too many copies.
    """
    if not wanted.strip():
        return list(cards)
    found: list[PrintableCard] = []
    for part in (part.strip() for part in wanted.split(",")):
        copies = _COPIES.fullmatch(part)
        count = int(copies[1]) if copies else 1
        if not 0 < count <= _MOST:
            raise UsageError(f"'{part}': from 1 to {_MOST} copies can be printed at once.")
        found += count * _named(cards, copies[2] if copies else part)
    return found


def _named(cards: Sequence[PrintableCard], words: str) -> list[PrintableCard]:
    named = [card for card in cards if _plain(card.title) == _plain(words)]
    numbers = _NUMBERS.fullmatch(words)
    if not named and numbers:
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        named = list(cards[first - 1 : last]) if 1 <= first <= last <= len(cards) else []
    if not named:
        near = did_you_mean_by(words, by_words(card.title for card in cards), like=70)
        hint = near or f"Its cards have the numbers 1 to {len(cards)}."
        raise NothingFound(f"There is no card '{words}' in this deck.", hint=hint)
    return named


def _plain(name: str) -> str:
    return " ".join(name.casefold().split()).removeprefix("the ")
