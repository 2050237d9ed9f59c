"""Cards, and decks of different cards in a fixed order."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

Rank = int | str | None
"""The rank of a card: a number, a name such as `"Master"`, or None for a card without a rank."""

NO_TRAITS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a deck.

    `id` is unique in the deck and never changes, such as `6-swords` or `raven`. `traits` contains further facts besides
    suits and rank, by keys in lower case: `deck: high`, `season: Spring`.
    """

    id: str
    name: str
    suits: tuple[str, ...] = ()
    rank: Rank = None
    traits: Mapping[str, str] = field(default_factory=lambda: NO_TRAITS, hash=False)

    @property
    def title(self) -> str:
        """The name of the card, with rank and suits if it does not contain them: `Berserker (6 of Swords)`."""
        if not self.suits or self.rank is None or self._has_rank_and_suits:
            return self.name
        return f"{self.name} ({self.rank} of {' and '.join(self.suits)})"

    @property
    def rank_text(self) -> str:
        """The rank as text, "" for a card without a rank."""
        return "" if self.rank is None else str(self.rank)

    @property
    def _has_rank_and_suits(self) -> bool:
        """Whether the name contains rank and suits, such as `Ace of Moons`, or `Aries Ram` with the rank `animal`."""
        words, rank = self.name.casefold().split(), str(self.rank).casefold()
        rank_names = (rank, self.traits.get(rank, rank).casefold())
        return any(rank_word in words for rank_word in rank_names) and all(
            suit.casefold() in words for suit in self.suits
        )


def find_shortest_prefix(suit: str, suits: Sequence[str], normalize: Callable[[str], str] = str) -> str:
    """Return the shortest prefix of `suit` with which no other one of `suits` begins, such as `Sw` for Swords.

    Prefix and suits are passed through `normalize` before they are compared.
    """
    other_suits = [normalize(other) for other in suits if other != suit]
    prefixes = (suit[:end] for end in range(1, len(suit)))
    return next(
        (prefix for prefix in prefixes if not any(other.startswith(normalize(prefix)) for other in other_suits)), suit
    )


@dataclass(frozen=True)
class Deck:
    """A deck of cards; `kind` is its id: `tarokka`, `decktet`, or a name that the GM chose."""

    kind: str
    title: str
    cards: tuple[Card, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Card]:
        return {card.id: card for card in self.cards}

    @cached_property
    def suits(self) -> tuple[str, ...]:
        """All suits, in the order of their first cards in the deck."""
        return tuple(dict.fromkeys(suit for card in self.cards for suit in card.suits))

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the ids, ranks, suits and traits of all cards.

        It does not depend on the names and the order of the cards.
        """
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
