"""The names that people use for a card, and which card they mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.terminal.refereed import deck_of
from vaultkit.cards import Card, Deck
from vaultkit.cards.deck import known_deck
from vaultkit.session.card_names import are_indistinguishable, find_cards, is_exact_name, spellings
from vaultkit.terminal.terminal_mode import completions


@pytest.mark.parametrize(
    ("deck", "typed", "cards"),
    [
        ("tarokka", "6 swords", ["6-swords"]),
        ("tarokka", "six of SWORDS", ["6-swords"]),
        ("tarokka", "6sw", ["6-swords"]),
        ("tarokka", "6s", ["6-swords", "6-stars"]),
        ("tarokka", "the Raven", ["raven"]),
        ("tarokka", "mc", ["master-coins"]),
        ("tarokka", "hooded", ["7-swords"]),
        ("tarokka", "mer", ["4-swords", "4-coins"]),
        ("tarokka", "merchant", ["4-coins"]),
        ("tarokka", "nonsense", []),
        ("tarokka", " , ", []),
        ("decktet", "merchant", ["9lk"]),
        ("decktet", "2SY", ["2sy"]),
        ("decktet", "crown wyrms", ["Xy"]),
        ("astromancy", "aries scrap", ["aries-scrap-1"]),
        ("astromancy", "gem 0", ["gemini-number"]),
        ("french52", "10h", ["10-hearts"]),
        ("french52", "qs", ["queen-spades"]),
    ],
)
def test_card_is_found_by_name_number_code_or_their_beginning(deck: str, typed: str, cards: list[str]) -> None:
    known = known_deck(deck)
    assert known and [card.id for card in find_cards(typed, known, known.by_id)] == cards


def test_copies_of_a_card_mean_the_next_one_in_the_pile() -> None:
    deck = deck_of("propheta")
    assert [card.id for card in find_cards("aries scrap", deck, {"aries-scrap-2", "gemini-number"})] == [
        "aries-scrap-2"
    ]


def own_deck(*cards: Card) -> Deck:
    return Deck("own", "Own", cards)


def test_beginning_of_two_crowns_matches_both_and_not_only_the_first() -> None:
    known = known_deck("tarokka")
    assert known and [card.id for card in find_cards("d", known, known.by_id)] != []
    assert len(find_cards("m", known, {"mists", "marionette"})) == 2
    assert [card.id for card in find_cards("mi", known, {"mists", "marionette"})] == ["mists"]


@pytest.mark.parametrize(
    ("names", "typed", "meant"),
    [
        (("Châtelaine", "Évêque"), "chatelaine", ["Châtelaine"]),
        (("Châtelaine", "Évêque"), "EVEQUE", ["Évêque"]),
        (("Łowca", "Strażnik"), "lowca", ["Łowca"]),
        (("Straße", "Brücke"), "STRASSE", ["Straße"]),
        (("Άσσος", "Βασιλιάς"), "ασσος", ["Άσσος"]),
        (("はか", "ばか"), "はか", ["はか"]),
        (("はか", "ばか"), "ばか", ["ばか"]),
        (("राजा", "रानी", "राजी"), "रानी", ["रानी"]),
        (("राजा", "रानी", "राजी"), "राजी", ["राजी"]),
        (("ملك", "مَلَكة"), "ملكة", ["مَلَكة"]),
        (("Тень", "Йога"), "тень", ["Тень"]),
        (("The Tower", "The Towers"), "tower", ["The Tower"]),
        (("Louis XIV", "Louis XVI"), "louis", ["Louis XIV", "Louis XVI"]),
    ],
)
def test_card_of_an_own_deck_is_found_by_its_name_in_any_script(
    names: tuple[str, ...], typed: str, meant: list[str]
) -> None:
    deck = own_deck(*(Card(id=f"card-{number}", name=name) for number, name in enumerate(names)))
    assert [card.name for card in find_cards(typed, deck, deck.by_id)] == meant
    assert all(is_exact_name(card.name, card) for card in deck)


def test_only_copies_are_interchangeable() -> None:
    red, black = Card(id="a", name="Red Joker"), Card(id="b", name="Black Joker")
    one, two = (Card(id=f"gold-{n}", name=f"Gold {n}", rank=1, suits=("Coins",)) for n in (1, 2))
    other = Card(id="hoard", name="Hoard", rank=1, suits=("Coins",))
    assert (
        not are_indistinguishable(red, black)
        and are_indistinguishable(one, two)
        and not are_indistinguishable(one, other)
    )


@pytest.mark.slow
@given(st.sampled_from(["tarokka", "decktet", "astromancy", "french52"]), st.text(max_size=12))
def test_any_text_gives_cards_of_the_deck_or_none(deck: str, typed: str) -> None:
    known = known_deck(deck)
    assert known and set(find_cards(typed, known, known.by_id)) <= set(known.cards)


@given(st.sampled_from(["tarokka", "decktet", "french52"]))
def test_every_completion_gives_one_card(deck: str) -> None:
    known = known_deck(deck)
    assert known
    for words in spellings(known, known.by_id):
        assert len(find_cards(words, known, known.by_id)) == 1, words


def test_completion_restarts_after_a_comma() -> None:
    words = ("Raven", "Rogue", "6 Swords")
    assert completions("ra", words) == ["Raven"]
    assert completions(" R", words) == [" Raven", " Rogue"]
