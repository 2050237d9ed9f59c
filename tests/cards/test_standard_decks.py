"""The facts of the known decks, compared with the table that they were taken from."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from vaultkit.cards import Card
from vaultkit.cards.deck import known_deck

FACTS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "data" / "decks.json").read_text("utf-8")
)


def as_card(kind: str, row: dict[str, Any]) -> Card:
    """A row of the table as we hold it: no prefix, numbers as numbers, every trait as text."""
    traits = {key: _text(value) for key, value in row.get("traits", {}).items()}
    if "value" in row:
        traits["value"] = str(row["value"])
    rank = row["rank"]
    if isinstance(rank, str) and rank.isdecimal():
        rank = int(rank)
    return Card(row["id"].removeprefix(f"{kind}:"), row["name"], tuple(row["suits"]), rank, traits)


def _text(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


@pytest.mark.parametrize("kind", FACTS)
def test_known_decks_have_the_facts_of_the_table(kind: str) -> None:
    deck = known_deck(kind)
    assert deck is not None and deck.kind == kind and deck.title
    ours = {card.id: (card, dict(card.traits)) for card in deck}
    expected = {card.id: (card, dict(card.traits)) for card in (as_card(kind, row) for row in FACTS[kind])}
    assert ours == expected
    assert len(deck) == len(ours), "ids are unique"
    assert len({card.name for card in deck}) == len(deck), "names are unique"


@pytest.mark.parametrize(
    ("kind", "count", "suits"),
    [
        ("tarokka", 54, ("Swords", "Stars", "Coins", "Glyphs")),
        ("decktet", 36, ("Moons", "Suns", "Waves", "Leaves", "Wyrms", "Knots")),
        ("french52", 52, ("Spades", "Hearts", "Diamonds", "Clubs")),
    ],
)
def test_known_decks_have_their_counts_and_suits(kind: str, count: int, suits: tuple[str, ...]) -> None:
    deck = known_deck(kind)
    assert deck is not None and len(deck) == count and deck.suits == suits


def test_tarokka_has_40_common_and_14_high_cards() -> None:
    deck = known_deck("tarokka")
    assert deck is not None
    assert Counter(card.traits["deck"] for card in deck) == {"common": 40, "high": 14}
    assert deck["6-swords"].title == "Berserker (6 of Swords)"
    assert deck["master-swords"].title == "Warrior (Master of Swords)"


def test_the_astromancy_deck_has_twelve_suits_of_four() -> None:
    deck = known_deck("astromancy")
    assert deck is not None
    assert set(Counter(card.suits[0] for card in deck).values()) == {4} and len(deck.suits) == 12
    kinds = Counter(card.traits["kind"] for card in deck)
    assert kinds == {"scrap": 25, "ribbon": 10, "animal": 7, "number": 6}
    ribbons = Counter(card.traits["ribbon"] for card in deck if card.rank == "ribbon")
    assert ribbons == {"red": 4, "blue": 3, "inscribed": 3}


def test_no_decktet_card_joins_hostile_suits() -> None:
    deck = known_deck("decktet")
    assert deck is not None
    for hostile in ({"Moons", "Wyrms"}, {"Suns", "Leaves"}, {"Waves", "Knots"}):
        assert not any(hostile <= set(card.suits) for card in deck)


def test_a_deck_of_the_gms_own_is_not_known() -> None:
    assert known_deck("my-own-deck") is None
