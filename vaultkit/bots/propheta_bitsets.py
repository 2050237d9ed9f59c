"""A cache of facts about the tricks of Propheta, with sets of cards as bit masks.

A search needs the same facts again and again, and counts cards; the bits of a mask are counted in one step.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from vaultkit.games.propheta import rules
from vaultkit.games.propheta.rules import CONDITIONS, ELEMENTS, ProphetaCards

NOT_LEADING_MASK = -1
"""The value of `Prospect.beaten_by` for a card that does not win the trick so far."""


class Prospect(NamedTuple):
    """The things that can still happen to a card that is put down next in a trick, as masks of cards.

    `beaten_by` is the mask of the cards after which the card would no longer win the trick: 0 for the last card of a
    trick, `NOT_LEADING_MASK` for a card that does not win it so far. `keeping` contains, for each of `ELEMENTS`, the
    mask of the cards after which the condition of the element would still be met; 0 if it cannot be met.
    """

    beaten_by: int
    keeping: tuple[int, ...]


class TrickRow(dict[str, Prospect]):
    """A mapping from each card to its prospect as the next card of one trick, computed on first use."""

    def __init__(self, trick: tuple[str, ...], index: "TrickIndex") -> None:
        self._trick, self._index, self.facts = trick, index, index.facts

    def __missing__(self, card: str) -> Prospect:
        self[card] = prospect = self._index.prospect((*self._trick, card))
        return prospect


class TrickIndex(dict[tuple[str, ...], TrickRow]):
    """A mapping from the cards of a trick so far to the row of the trick, created on first use.

    `bit` contains the bit of each card, `all` is the mask of all cards.
    """

    def __init__(self, facts: ProphetaCards, literal: bool, seats: int) -> None:
        self.facts, self._literal, self._seats = facts, literal, seats
        self.bit = {card: 1 << card_index for card_index, card in enumerate(facts.ids)}
        self.all = (1 << len(facts.ids)) - 1
        self._mask_of_traits: dict[int, int] = {}

    def __missing__(self, trick: tuple[str, ...]) -> TrickRow:
        self[trick] = row = TrickRow(trick, self)
        return row

    def mask(self, cards: Iterable[str]) -> int:
        """Return the mask of a set of cards."""
        return sum([self.bit[card] for card in cards])

    def prospect(self, cards: tuple[str, ...]) -> Prospect:
        """Return the prospect of the last card in a trick of `cards`."""
        common_traits = rules.common_traits(cards, self.facts)
        keeping = tuple([self._find_sharing_cards(common_traits & CONDITIONS[element]) for element in ELEMENTS])
        return Prospect(self._find_beating_cards(cards) if self._leads(cards) else NOT_LEADING_MASK, keeping)

    def _leads(self, cards: tuple[str, ...]) -> bool:
        return rules.winner_index(cards, self.facts, self._literal) == len(cards) - 1

    def _find_beating_cards(self, cards: tuple[str, ...]) -> int:
        facts, last_index = self.facts, len(cards) - 1
        if len(cards) == self._seats:
            return 0
        return self.mask(
            card for card in facts.ids if rules.winner_index((*cards, card), facts, self._literal) != last_index
        )

    def _find_sharing_cards(self, traits: int) -> int:
        """Return the mask of all cards with at least one of the traits, which are given as a mask of traits."""
        mask = self._mask_of_traits.get(traits)
        if mask is None:
            cards = [card for card in self.facts.ids if self.facts.traits[card] & traits]
            mask = self._mask_of_traits[traits] = self.mask(cards)
        return mask


@lru_cache(maxsize=8)
def index_of(facts: ProphetaCards, literal: bool, seats: int) -> TrickIndex:
    """Return the cached index of a deck and a number of seats.

    `literal` says whether the option `zero_tiebreak` has the value `literal`.
    """
    return TrickIndex(facts, literal, seats)
