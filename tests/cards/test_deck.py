"""A deck's fingerprint tells whether two decks hold the same cards, however they are written down."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultkit.cards import Card, Deck
from vaultkit.cards.deck import known_deck

KINDS = ("tarokka", "decktet", "astromancy", "french52")


def deck_of(kind: str) -> Deck:
    deck = known_deck(kind)
    assert deck is not None
    return deck


@pytest.mark.slow
@given(st.sampled_from(KINDS), st.randoms())
def test_order_of_the_cards_does_not_change_the_fingerprint(kind: str, rng: Random) -> None:
    deck = deck_of(kind)
    cards = list(deck)
    rng.shuffle(cards)
    assert Deck(kind, deck.title, tuple(cards)).fingerprint == deck.fingerprint


@pytest.mark.parametrize("kind", KINDS)
def test_names_titles_and_trait_order_do_not_change_the_fingerprint(kind: str) -> None:
    deck = deck_of(kind)
    cards = tuple(
        replace(card, name=f"Il {card.name}", traits=dict(reversed(list(card.traits.items())))) for card in deck
    )
    assert Deck("my-own", "Another title", cards).fingerprint == deck.fingerprint


CHANGES = {
    "id": {"id": "another-id"},
    "suits": {"suits": ("Cups",)},
    "no suit": {"suits": ()},
    "rank": {"rank": 99},
    "trait": {"traits": {"deck": "another"}},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("change", CHANGES)
def test_every_fact_of_every_card_changes_the_fingerprint(kind: str, change: str) -> None:
    deck = deck_of(kind)
    seen = {deck.fingerprint}
    for place, card in enumerate(deck):
        changed = replace(card, **CHANGES[change])  # type: ignore[arg-type]
        if changed != card:
            other = Deck(kind, deck.title, (*deck.cards[:place], changed, *deck.cards[place + 1 :]))
            assert other.fingerprint not in seen, card.id
            seen.add(other.fingerprint)
    assert len(seen) > 1


@pytest.mark.parametrize("kind", KINDS)
def test_missing_card_changes_the_fingerprint(kind: str) -> None:
    deck = deck_of(kind)
    assert Deck(kind, deck.title, deck.cards[1:]).fingerprint != deck.fingerprint


def test_known_decks_have_different_fingerprints() -> None:
    assert len({deck_of(kind).fingerprint for kind in KINDS}) == len(KINDS)


def test_rank_that_looks_like_a_number_is_compared_as_text() -> None:
    """Ranks are compared as they are printed, so that a note and our own table agree."""
    number, word = (Deck("x", "X", (Card("a", "A", ("Cups",), rank),)) for rank in (2, "2"))
    assert number.fingerprint == word.fingerprint


@pytest.mark.parametrize(
    ("kind", "card", "title"),
    [
        ("astromancy", "aries-scrap-1", "Aries Scrap I"),
        ("astromancy", "aries-ribbon", "Aries Ribbon"),
        ("astromancy", "aries-animal", "Aries Ram"),
        ("astromancy", "gemini-number", "Gemini 0"),
        ("tarokka", "6-swords", "Berserker (6 of Swords)"),
        ("tarokka", "raven", "Raven"),
        ("decktet", "Am", "Ace of Moons"),
        ("decktet", "2mk", "Author (2 of Moons and Knots)"),
        ("french52", "10-hearts", "10 of Hearts"),
    ],
)
def test_title_contains_rank_and_suit_once(kind: str, card: str, title: str) -> None:
    assert deck_of(kind)[card].title == title


def test_name_with_only_the_suit_still_gets_its_rank() -> None:
    assert Card("7-cups", "Old Cups", ("Cups",), 7).title == "Old Cups (7 of Cups)"


@pytest.mark.parametrize("kind", KINDS)
def test_no_two_cards_have_one_title(kind: str) -> None:
    titles = [card.title for card in deck_of(kind)]
    assert len(titles) == len(set(titles))
