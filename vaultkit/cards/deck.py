"""A deck: distinct cards in a fixed order."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from vaultkit.cards.card import Card


@dataclass(frozen=True)
class Deck:
    """The cards of one deck. `kind` is the deck's id (`tarokka`, `decktet`, or a name of the GM's own)."""

    kind: str
    title: str
    cards: tuple[Card, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Card]:
        return {card.id: card for card in self.cards}

    @cached_property
    def suits(self) -> tuple[str, ...]:
        """Every suit, in the order in which the cards first show it."""
        return tuple(dict.fromkeys(suit for card in self.cards for suit in card.suits))

    @cached_property
    def fingerprint(self) -> str:
        """A short hash over ids and facts, not over names, texts or order: the same deck has the same one."""
        lines = sorted(
            f"{card.id}|{card.rank}|{','.join(card.suits)}|{sorted(card.traits.items())}" for card in self.cards
        )
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __getitem__(self, card_id: str) -> Card:
        return self.by_id[card_id]
