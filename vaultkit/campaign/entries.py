"""Parsing of entries in a game with real cards, from names of players, cards and words of the game in any spelling."""

import re
from collections.abc import Sequence

from vaultkit.campaign.players import find_seats
from vaultkit.errors import UsageError
from vaultkit.games.ledger import Ledger, LedgerLine
from vaultkit.session.card_names import LIKE, cards_meant, goes_by, spellings
from vaultkit.sorting import name_key
from vaultkit.spelling import did_you_mean

_MOST = 5
"""The highest number of words in one name."""
_FILLERS = frozenset({"the", "and", "on", "with", "by", "of", "a", "from", "to", "is", "takes", "took", "taken"})


def read_entry(typed: str, names: Sequence[str], ledger: Ledger, begun: LedgerLine = ()) -> LedgerLine:
    """Return the entry that the text stands for, with the tokens of `prefix` before it.

    Raises UsageError for a word that is no player, card or word of the game, or that can mean several cards.
    """
    return _Reading(names, ledger).all(re.findall(r"[^\s,;:()]+", typed), begun)


class _Reading:
    def __init__(self, names: Sequence[str], ledger: Ledger) -> None:
        self._names, self._ledger, self._deck = names, ledger, ledger.deck

    def all(self, left: list[str], begun: LedgerLine) -> LedgerLine:
        found = list(begun)
        while left:
            size = next((size for size in range(min(len(left), _MOST), 0, -1) if self._meant(left[:size], found)), 0)
            if not size and left[0].casefold() not in _FILLERS:
                raise self._unknown(left)
            tokens = self._meant(left[:size], found)
            if len(tokens) > 1:
                cards = "; ".join(self._deck[token].title for token in tokens)
                raise UsageError(f"'{' '.join(left[:size])}' could be: {cards}.")
            found += tokens
            left = left[max(size, 1) :]
        return tuple(found)

    def _meant(self, typed: Sequence[str], found: Sequence[str]) -> tuple[str, ...]:
        """Return the tokens that the words can stand for; a full name goes before the beginning of a name."""
        text = " ".join(typed)
        if not text:
            return ()
        seats = find_seats(self._names, text)
        if any(name_key(self._names[seat]) == name_key(text) for seat in seats):
            return (f"@{seats[0]}",)
        if text.casefold() in self._ledger.words:
            return (text.casefold(),)
        cards = cards_meant(text, self._deck, self._ledger.expected(tuple(found)))
        if len(seats) == 1 and not any(goes_by(text, card) for card in cards):
            return (f"@{seats[0]}",)
        return tuple(card.id for card in cards)

    def _unknown(self, left: Sequence[str]) -> UsageError:
        """Return the error for words that cannot be parsed, with the nearest name or all players that fit."""
        if len(seats := find_seats(self._names, left[0])) > 1:
            return UsageError(f"'{left[0]}' could be: {'; '.join(self._names[seat] for seat in seats)}.")
        known = [*self._names, *self._ledger.words, *spellings(self._deck, self._deck.by_id)]
        tries = (" ".join(left[:size]) for size in range(min(len(left), 3), 0, -1))
        near = next(filter(None, (did_you_mean(text, known, like=LIKE) for text in tries)), "")
        return UsageError(f"'{left[0]}' is no card, player or word here. {near}".strip())


def spoken(names: Sequence[str], ledger: Ledger) -> tuple[str, ...]:
    """Return the full spellings with which typed text can be completed."""
    return (*names, *ledger.words, *spellings(ledger.deck, ledger.deck.by_id))
