"""Cards and decks: decks of different cards in a fixed order, and the standard decks that the games use.

The standard decks have names, suits, ranks and traits; texts and pictures are in vaults.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

Rank = int | str | None
"""The rank of a card: a number, a name such as `"Master"`, or None for a card without a rank."""

_TAROKKA_NAMES_BY_SUIT = {
    "Swords": "Warrior Avenger Paladin Soldier Mercenary Myrmidon Berserker Hooded_One Dictator Torturer",
    "Stars": "Wizard Transmuter Diviner Enchanter Abjurer Elementalist Evoker Illusionist Necromancer Conjurer",
    "Coins": "Rogue Swashbuckler Philanthropist Trader Merchant Guild_Member Beggar Thief Tax_Collector Miser",
    "Glyphs": "Priest Monk Missionary Healer Shepherd Druid Anarchist Charlatan Bishop Traitor",
}
"""For each suit of the common deck, the names of its Master and of its cards 1 to 9."""

_TAROKKA_HIGH_NAMES = (
    "Artifact Beast Broken_One Darklord Donjon Executioner Ghost Horseman Innocent Marionette Mists Raven Seer Tempter"
)

_DECKTET_SUITS = {"m": "Moons", "s": "Suns", "w": "Waves", "l": "Leaves", "y": "Wyrms", "k": "Knots"}
_DECKTET_TYPES = {"P": "personality", "L": "location", "E": "event"}
_DECKTET_LINES = (
    "2mk Author P, 2sy Desert L, 2wl Origin LE, 3mw Journey E, 3sk Painter P, 3ly Savage P, 4yk Battle E, "
    "4ms Mountain L, 4wl Sailor P, 5sw Discovery E, 5ml Forest L, 5yk Soldier P, 6mw Lunatic P, 6lk Market LE, "
    "6sy Penitent P, 7sk Castle L, 7wy Cave L, 7ml Chance_Meeting E, 8yk Betrayal E, 8ms Diplomat P, 8wl Mill L, "
    "9wy Darkness L, 9lk Merchant P, 9ms Pact E, Xm Huntress P, Xs Bard P, Xw Sea L, Xl End LE, Xy Calamity E, "
    "Xk Windfall L"
)
"""The id, the name and the types of each card; the letters in the id are its suits, in printed order."""

_ASTROMANCY_LINES = """
Aries Spring Cardinal Fire inscribed Ram -
Taurus Spring Fixed Earth red Bull -
Gemini Spring Mutable Air red - 0
Cancer Summer Cardinal Water blue Crab -
Leo Summer Fixed Fire red Lion -
Virgo Summer Mutable Earth - - 1
Libra Autumn Cardinal Air blue - 2
Scorpio Autumn Fixed Water blue Scorpion -
Sagittarius Autumn Mutable Fire red - 3
Capricorn Winter Cardinal Earth - Goat 5
Aquarius Winter Fixed Air inscribed - 7
Pisces Winter Mutable Water inscribed Fish -
"""
"""The sign, season, modality, element, ribbon, animal and number of each sign, "-" for none.

Each sign has four cards: one for each of ribbon, animal and number that it has, and scraps.
"""


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
    traits: Mapping[str, str] = field(default_factory=dict, hash=False)

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
        lines = sorted(f"{c.id}|{c.rank}|{','.join(c.suits)}|{sorted(c.traits.items())}" for c in self.cards)
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __getitem__(self, card_id: str) -> Card:
        return self.by_id[card_id]


@cache
def known_deck(kind: str) -> Deck | None:
    """Return the standard deck of a kind, or None if there is none, as for a deck of the GM's own."""
    if kind not in _TITLE_AND_MAKER_OF_KIND:
        return None
    title, make_cards = _TITLE_AND_MAKER_OF_KIND[kind]
    return Deck(kind, title, tuple(make_cards()))


def _make_tarokka_cards() -> Iterator[Card]:
    for suit, names in _TAROKKA_NAMES_BY_SUIT.items():
        for number, name in enumerate(names.split()):
            rank: Rank = number or "Master"
            yield Card(f"{rank}-{suit}".lower(), name.replace("_", " "), (suit,), rank, {"deck": "common"})
    for name in _TAROKKA_HIGH_NAMES.split():
        yield Card(name.replace("_", "-").lower(), name.replace("_", " "), traits={"deck": "high"})


def _make_decktet_cards() -> Iterator[Card]:
    for letter, suit in _DECKTET_SUITS.items():
        yield Card(f"A{letter}", f"Ace of {suit}", (suit,), "Ace", {"types": "", "value": "1"})
    for line in _DECKTET_LINES.split(", "):
        card_id, name, types = line.split(" ")
        suits = tuple(_DECKTET_SUITS[letter] for letter in card_id[1:])
        rank: Rank = "Crown" if card_id[0] == "X" else int(card_id[0])
        traits = {
            "types": ", ".join(_DECKTET_TYPES[letter] for letter in types),
            "value": str(10 if rank == "Crown" else rank),
        }
        yield Card(card_id, name.replace("_", " "), suits, rank, traits)


def _make_astromancy_cards() -> Iterator[Card]:
    for line in _ASTROMANCY_LINES.split("\n")[1:-1]:
        sign, season, modality, element, ribbon, animal, number = line.split()
        common_traits = {"season": season, "modality": modality, "element": element}
        marks = {"ribbon": ribbon, "animal": animal, "number": number}
        marks_of_sign = [(kind, value) for kind, value in marks.items() if value != "-"]
        for scrap_number in range(1, 5 - len(marks_of_sign)):
            traits = {**common_traits, "kind": "scrap"}
            yield Card(
                f"{sign.lower()}-scrap-{scrap_number}", f"{sign} Scrap {'I' * scrap_number}", (sign,), "scrap", traits
            )
        for kind, value in marks_of_sign:
            yield _make_marked_card(sign, kind, value, common_traits)


def _make_marked_card(sign: str, kind: str, value: str, common_traits: dict[str, str]) -> Card:
    name = f"{sign} Ribbon" if kind == "ribbon" else f"{sign} {value}"
    rank: Rank = int(value) if kind == "number" else kind
    return Card(f"{sign.lower()}-{kind}", name, (sign,), rank, {**common_traits, "kind": kind, kind: value})


def _make_french52_cards() -> Iterator[Card]:
    ranks: tuple[Rank, ...] = ("Ace", 2, 3, 4, 5, 6, 7, 8, 9, 10, "Jack", "Queen", "King")
    values = (14, *range(2, 14))
    for suit in ("Spades", "Hearts", "Diamonds", "Clubs"):
        for rank, value in zip(ranks, values, strict=True):
            yield Card(f"{rank}-{suit}".lower(), f"{rank} of {suit}", (suit,), rank, {"value": str(value)})


_TITLE_AND_MAKER_OF_KIND: dict[str, tuple[str, Callable[[], Iterator[Card]]]] = {
    "tarokka": ("Tarokka Deck", _make_tarokka_cards),
    "decktet": ("Decktet", _make_decktet_cards),
    "astromancy": ("Astromancy Deck", _make_astromancy_cards),
    "french52": ("Standard Deck", _make_french52_cards),
}
KINDS = tuple(_TITLE_AND_MAKER_OF_KIND)
