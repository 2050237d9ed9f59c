"""The tricks of Propheta as sets of cards that are numbers, a bit for each card: an index of the rules, made by them.

A search asks the same of the same tricks again and again, and counts cards; bits are counted in one step.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from vaultkit.games.propheta import rules
from vaultkit.games.propheta.rules import CONDITIONS, ELEMENTS, ProphetaCards

LOST = -1
"""Stands for the cards that would end the lead of a card that does not lead."""


class Prospect(NamedTuple):
    """The prospects of a card put down next: the cards that would end its lead, themselves or by a 0 that they lift
    (none after the last card of a trick), or LOST; and, for each of ELEMENTS, those that would keep its condition met,
    0 where that cannot be.
    """

    beaten_by: int
    keeping: tuple[int, ...]


class Row(dict[str, Prospect]):
    """The prospect of each card in one trick, worked out when first asked for."""

    def __init__(self, trick: tuple[str, ...], index: "Index") -> None:
        self._trick, self._index, self.facts = trick, index, index.facts

    def __missing__(self, card: str) -> Prospect:
        self[card] = prospect = self._index.prospect((*self._trick, card))
        return prospect


class Index(dict[tuple[str, ...], Row]):
    """The rows of all tricks that came up, by the cards that lie in them."""

    def __init__(self, facts: ProphetaCards, literal: bool, seats: int) -> None:
        self.facts, self._literal, self._seats = facts, literal, seats
        self.bit = {card: 1 << place for place, card in enumerate(facts.ids)}
        self.all = (1 << len(facts.ids)) - 1
        self._sharing: dict[int, int] = {}

    def __missing__(self, trick: tuple[str, ...]) -> Row:
        self[trick] = row = Row(trick, self)
        return row

    def mask(self, cards: Iterable[str]) -> int:
        """Cards as one number."""
        return sum([self.bit[card] for card in cards])

    def prospect(self, cards: tuple[str, ...]) -> Prospect:
        """The prospect of the last of `cards`."""
        common = rules.common_traits(cards, self.facts)
        keeping = tuple([self._shared_by(common & CONDITIONS[element]) for element in ELEMENTS])
        return Prospect(self._stronger(cards) if self._leads(cards) else LOST, keeping)

    def _leads(self, cards: tuple[str, ...]) -> bool:
        return rules.winner(cards, self.facts, self._literal) == len(cards) - 1

    def _stronger(self, cards: tuple[str, ...]) -> int:
        facts, last = self.facts, len(cards) - 1
        if len(cards) == self._seats:
            return 0
        return self.mask(card for card in facts.ids if rules.winner((*cards, card), facts, self._literal) != last)

    def _shared_by(self, traits: int) -> int:
        """Every card that has one of these traits, at least."""
        mask = self._sharing.get(traits)
        if mask is None:
            cards = [card for card in self.facts.ids if self.facts.traits[card] & traits]
            mask = self._sharing[traits] = self.mask(cards)
        return mask


@lru_cache(maxsize=8)
def index_of(facts: ProphetaCards, literal: bool, seats: int) -> Index:
    """The index of a deck for so many seats; `literal` is the option `zero_tiebreak: literal`."""
    return Index(facts, literal, seats)
