"""One card of any deck."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    def _says_all(self) -> bool:
        """Whether the name has rank and suits in it: `Ace of Moons`, `Aries Scrap I`, or `Aries Ram`, its animal."""
        words, rank = self.name.casefold().split(), str(self.rank).casefold()
        ranks = (rank, self.traits.get(rank, rank).casefold())
        return any(said in words for said in ranks) and all(suit.casefold() in words for suit in self.suits)
