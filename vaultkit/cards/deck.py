"""A deck: distinct cards in a fixed order."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

Rank = int | str | None
"""A number, a named rank such as `"Master"`, or None where a card has no rank."""

NO_TRAITS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Card:
    """A card's facts. `id` is unique within its deck and stable, such as `6-swords` or `raven`.

    `traits` holds what a deck says beyond suit and rank, by lower-case key: `deck: high`, `season: Spring`.
    """

    id: str
    name: str
    suits: tuple[str, ...] = ()
    rank: Rank = None
    traits: Mapping[str, str] = field(default_factory=lambda: NO_TRAITS, hash=False)

    @property
    def title(self) -> str:
        """Name with rank and suit, as people say it: `Berserker (6 of Swords)`, or a name that says both itself."""
        if not self.suits or self.rank is None or self._says_all:
            return self.name
        return f"{self.name} ({self.rank} of {' and '.join(self.suits)})"

    @property
    def rank_said(self) -> str:
        """The rank in digits or words; "" for none."""
        return "" if self.rank is None else str(self.rank)

    @property
    def _says_all(self) -> bool:
        """Whether the name has rank and suits in it: `Ace of Moons`, `Aries Scrap I`, or `Aries Ram`, its animal."""
        words, rank = self.name.casefold().split(), str(self.rank).casefold()
        ranks = (rank, self.traits.get(rank, rank).casefold())
        return any(said in words for said in ranks) and all(suit.casefold() in words for suit in self.suits)


def fewest_letters(suit: str, suits: Sequence[str], read: Callable[[str], str] = str) -> str:
    """As many letters of a suit as tell it from the others as they are `read`: `Sw`, `St`, `C`, `G`."""
    others = [read(other) for other in suits if other != suit]
    starts = (suit[:end] for end in range(1, len(suit)))
    return next((start for start in starts if not any(other.startswith(read(start)) for other in others)), suit)


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
