"""An index of the tricks of Propheta, with sets of cards as bit masks, computed by the game's rules.

A search asks about the same tricks again and again, and counts cards; bits are counted in one step.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from vaultkit.games.propheta import rules
from vaultkit.games.propheta.rules import CONDITIONS, ELEMENTS, ProphetaCards

NOT_LEADING_MASK = -1
"""The value of `Prospect.beaten_by` for a card that does not lead."""


class Prospect(NamedTuple):
    """The prospects of a card put down next in a trick, as masks of cards.

    `beaten_by` are the cards that would end its lead, themselves or by a 0 that they lift; 0 for the last card of a
    trick, NOT_LEADING_MASK for a card that does not lead. `keeping` are, for each of ELEMENTS, the cards that would
    keep its condition met; 0 if it cannot be met.
    """

    beaten_by: int
    keeping: tuple[int, ...]


class TrickRow(dict[str, Prospect]):
    """The prospect of each card in one trick, computed on first use."""

    def __init__(self, trick: tuple[str, ...], index: "TrickIndex") -> None:
        self._trick, self._index, self.facts = trick, index, index.facts

    def __missing__(self, card: str) -> Prospect:
        self[card] = prospect = self._index.prospect((*self._trick, card))
        return prospect


class TrickIndex(dict[tuple[str, ...], TrickRow]):
    """The rows of all tricks that came up, by the cards that lie in them."""

    def __init__(self, facts: ProphetaCards, literal: bool, seats: int) -> None:
        self.facts, self._literal, self._seats = facts, literal, seats
        self.bit = {card: 1 << place for place, card in enumerate(facts.ids)}
        self.all = (1 << len(facts.ids)) - 1
        self._sharing: dict[int, int] = {}

    def __missing__(self, trick: tuple[str, ...]) -> TrickRow:
        self[trick] = row = TrickRow(trick, self)
        return row

    def mask(self, cards: Iterable[str]) -> int:
        """Return a set of cards as one number."""
        return sum([self.bit[card] for card in cards])

    def prospect(self, cards: tuple[str, ...]) -> Prospect:
        """Return the prospect of the last of `cards`, which lie in one trick."""
        common = rules.common_traits(cards, self.facts)
        keeping = tuple([self._shared_by(common & CONDITIONS[element]) for element in ELEMENTS])
        return Prospect(self._beating_cards(cards) if self._leads(cards) else NOT_LEADING_MASK, keeping)

    def _leads(self, cards: tuple[str, ...]) -> bool:
        return rules.winner(cards, self.facts, self._literal) == len(cards) - 1

    def _beating_cards(self, cards: tuple[str, ...]) -> int:
        facts, last = self.facts, len(cards) - 1
        if len(cards) == self._seats:
            return 0
        return self.mask(card for card in facts.ids if rules.winner((*cards, card), facts, self._literal) != last)

    def _shared_by(self, traits: int) -> int:
        """Return the mask of all cards that have at least one of the given traits."""
        mask = self._sharing.get(traits)
        if mask is None:
            cards = [card for card in self.facts.ids if self.facts.traits[card] & traits]
            mask = self._sharing[traits] = self.mask(cards)
        return mask


@lru_cache(maxsize=8)
def index_of(facts: ProphetaCards, literal: bool, seats: int) -> TrickIndex:
    """Return the cached index of a deck and a number of seats; `literal` is the option `zero_tiebreak: literal`."""
    return TrickIndex(facts, literal, seats)
