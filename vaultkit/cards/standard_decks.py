"""The standard decks that the games use, with names, suits, ranks and traits; texts and pictures are in vaults."""

from collections.abc import Callable, Iterator
from functools import cache

from vaultkit.cards.deck import Card, Deck, Rank

_TAROKKA = {
    "Swords": "Warrior Avenger Paladin Soldier Mercenary Myrmidon Berserker Hooded_One Dictator Torturer",
    "Stars": "Wizard Transmuter Diviner Enchanter Abjurer Elementalist Evoker Illusionist Necromancer Conjurer",
    "Coins": "Rogue Swashbuckler Philanthropist Trader Merchant Guild_Member Beggar Thief Tax_Collector Miser",
    "Glyphs": "Priest Monk Missionary Healer Shepherd Druid Anarchist Charlatan Bishop Traitor",
}
"""For each suit of the common deck, the names of its Master and of its cards 1 to 9."""

_HIGH_DECK = (
    "Artifact Beast Broken_One Darklord Donjon Executioner Ghost Horseman Innocent Marionette Mists Raven Seer Tempter"
)

_DECKTET_SUITS = {"m": "Moons", "s": "Suns", "w": "Waves", "l": "Leaves", "y": "Wyrms", "k": "Knots"}
_DECKTET_TYPES = {"P": "personality", "L": "location", "E": "event"}
_DECKTET = (
    "2mk Author P, 2sy Desert L, 2wl Origin LE, 3mw Journey E, 3sk Painter P, 3ly Savage P, 4yk Battle E, "
    "4ms Mountain L, 4wl Sailor P, 5sw Discovery E, 5ml Forest L, 5yk Soldier P, 6mw Lunatic P, 6lk Market LE, "
    "6sy Penitent P, 7sk Castle L, 7wy Cave L, 7ml Chance_Meeting E, 8yk Betrayal E, 8ms Diplomat P, 8wl Mill L, "
    "9wy Darkness L, 9lk Merchant P, 9ms Pact E, Xm Huntress P, Xs Bard P, Xw Sea L, Xl End LE, Xy Calamity E, "
    "Xk Windfall L"
)
"""The id, the name and the types of each card; the letters in the id are its suits, in printed order."""

_ASTROMANCY = """
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


@cache
def known_deck(kind: str) -> Deck | None:
    """Return the standard deck of a kind, or None if there is none, as for a deck of the GM's own."""
    if kind not in _DECKS:
        return None
    title, cards = _DECKS[kind]
    return Deck(kind, title, tuple(cards()))


def _tarokka() -> Iterator[Card]:
    for suit, names in _TAROKKA.items():
        for number, name in enumerate(names.split()):
            rank: Rank = number or "Master"
            yield Card(f"{rank}-{suit}".lower(), name.replace("_", " "), (suit,), rank, {"deck": "common"})
    for name in _HIGH_DECK.split():
        yield Card(name.replace("_", "-").lower(), name.replace("_", " "), traits={"deck": "high"})


def _decktet() -> Iterator[Card]:
    for letter, suit in _DECKTET_SUITS.items():
        yield Card(f"A{letter}", f"Ace of {suit}", (suit,), "Ace", {"types": "", "value": "1"})
    for line in _DECKTET.split(", "):
        card_id, name, types = line.split(" ")
        suits = tuple(_DECKTET_SUITS[letter] for letter in card_id[1:])
        rank: Rank = "Crown" if card_id[0] == "X" else int(card_id[0])
        traits = {
            "types": ", ".join(_DECKTET_TYPES[letter] for letter in types),
            "value": str(10 if rank == "Crown" else rank),
        }
        yield Card(card_id, name.replace("_", " "), suits, rank, traits)


def _astromancy() -> Iterator[Card]:
    for line in _ASTROMANCY.split("\n")[1:-1]:
        sign, season, modality, element, ribbon, animal, number = line.split()
        common = {"season": season, "modality": modality, "element": element}
        marks = {"ribbon": ribbon, "animal": animal, "number": number}
        better = [(kind, value) for kind, value in marks.items() if value != "-"]
        for count in range(1, 5 - len(better)):
            traits = {**common, "kind": "scrap"}
            yield Card(f"{sign.lower()}-scrap-{count}", f"{sign} Scrap {'I' * count}", (sign,), "scrap", traits)
        for kind, value in better:
            yield _better_card(sign, kind, value, common)


def _better_card(sign: str, kind: str, value: str, common: dict[str, str]) -> Card:
    name = f"{sign} Ribbon" if kind == "ribbon" else f"{sign} {value}"
    rank: Rank = int(value) if kind == "number" else kind
    return Card(f"{sign.lower()}-{kind}", name, (sign,), rank, {**common, "kind": kind, kind: value})


def _french52() -> Iterator[Card]:
    ranks: tuple[Rank, ...] = ("Ace", 2, 3, 4, 5, 6, 7, 8, 9, 10, "Jack", "Queen", "King")
    values = (14, *range(2, 14))
    for suit in ("Spades", "Hearts", "Diamonds", "Clubs"):
        for rank, value in zip(ranks, values, strict=True):
            yield Card(f"{rank}-{suit}".lower(), f"{rank} of {suit}", (suit,), rank, {"value": str(value)})


_DECKS: dict[str, tuple[str, Callable[[], Iterator[Card]]]] = {
    "tarokka": ("Tarokka Deck", _tarokka),
    "decktet": ("Decktet", _decktet),
    "astromancy": ("Astromancy Deck", _astromancy),
    "french52": ("Standard Deck", _french52),
}
KINDS = tuple(_DECKS)
