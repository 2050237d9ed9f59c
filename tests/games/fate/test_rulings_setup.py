"""The setup: temples, the first Citizens, and the first hands (TF-1 to TF-8)."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.games.fate.position import CARDS, DECK, GAME, A, B, begin, complete
from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.turn import Chance
from vaultkit.games.turn_of_fate.rules import RIVAL, make_cards

OPPOSED = (("Moons", "Wyrms"), ("Suns", "Leaves"), ("Waves", "Knots"))
LEADS_TO = {
    "Moons": "2mk 6mw 8ms Xm",
    "Suns": "3sk 6sy Xs",
    "Leaves": "3ly 9lk 4wl",
    "Wyrms": "5yk",
}


@pytest.mark.parametrize(("temple", "cards"), LEADS_TO.items())
def test_tf_1_first_printed_temple_suit_determines_the_temple(temple: str, cards: str) -> None:
    for card in cards.split():
        game = begin(f"0 {card}")
        assert game.state.at.temples == (temple, RIVAL[temple]), card


def test_tf_1_the_odds_of_the_temples() -> None:
    first = Counter(CARDS.first_temple(citizen) for citizen in CARDS.citizens)
    assert first == {"Moons": 4, "Suns": 3, "Leaves": 3, "Wyrms": 1}
    assert first["Moons"] + first["Wyrms"] == 5 and first["Suns"] + first["Leaves"] == 6


def test_tf_1_only_the_sailor_has_no_temple_on_top() -> None:
    assert [citizen for citizen in CARDS.citizens if CARDS.top_suit(citizen) is None] == ["4wl"]


def test_tf_1_the_sailor_is_redrawn() -> None:
    game = begin("0 4wl", sailor="redraw")
    assert not game.state.at.temples and game.chance.name == "citizen"
    assert game.chance.pile.bottom == ("4wl",) and "4wl" not in game.chance.pile.unknown
    game.luck("5yk")
    assert game.state.at.temples == ("Wyrms", "Moons")
    assert game.state.view(B).at.citizens.bottom == ("4wl",)


@pytest.mark.parametrize(
    ("temple", "place"), [("Leaves", "own"), ("Suns", "rival"), ("Moons", "agora"), ("Wyrms", "agora")]
)
def test_tf_1_sailor_allows_player_1_to_choose(temple: str, place: str) -> None:
    game = begin("1 4wl", sailor="choose")
    assert game.asked == B
    assert game.moves == {"temple Moons", "temple Suns", "temple Leaves", "temple Wyrms"}
    game.play(f"temple {temple}")
    assert game.state.at.temples == (RIVAL[temple], temple)
    lies = {"own": game.congregation(B), "rival": game.congregation(A), "agora": game.agora}
    assert lies[place] == {"4wl"}


@pytest.mark.parametrize("sailor", ["redraw", "choose"])
def test_tf_1_options_of_the_sailor_do_not_affect_others(sailor: str) -> None:
    assert begin("0 9lk", sailor=sailor).state.at.temples == ("Leaves", "Suns")


def test_tf_1_player_1_chooses_a_temple_before_any_card() -> None:
    game = begin("1", temples="chosen")
    assert game.asked == B and game.prompt.rule == "Setting Up"
    game.play("temple Suns")
    assert game.state.at.temples == ("Leaves", "Suns")
    game.luck("4wl")
    assert game.congregation(A) == {"4wl"}, "placed by TF-7, whatever its top suit"


def test_tf_1_chance_may_determine_the_temples() -> None:
    game = begin("0", temples="random")
    assert isinstance(game.turn, Chance) and set(game.turn.options) == set(RIVAL)
    game.luck("Wyrms 6mw")
    assert game.state.at.temples == ("Wyrms", "Moons") and game.congregation(B) == {"6mw"}


def test_tf_2_no_card_has_the_suits_of_two_rivals() -> None:
    for one, other in OPPOSED:
        assert not [card.name for card in DECK if one in card.suits and other in card.suits]


def test_tf_2_deck_with_a_card_of_two_rival_suits_is_refused() -> None:
    torn = tuple(replace(card, suits=("Moons", "Wyrms")) if card.id == "9ms" else card for card in DECK)
    with pytest.raises(UsageError) as caught:
        make_cards(Deck("decktet", "Torn Deck", torn))
    assert "Pact" in caught.value.message and caught.value.hint


def test_tf_2_a_deck_without_enough_people_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        make_cards(Deck("decktet", "Short Deck", tuple(card for card in DECK if card.name != "Author")))
    assert "not 10 and 25" in caught.value.message


@pytest.mark.parametrize(("card", "first"), [("5yk", 1), ("2mk", 0), ("3sk", 0), ("9lk", 1)])
def test_tf_3_wyrms_or_leaves_move_first_regardless_of_who_reveals(card: str, first: int) -> None:
    game = begin(f"1 {card}")
    while not game.state.at.number:
        game.any_luck()
    assert game.state.at.temples[game.asked] in {"Wyrms", "Leaves"}
    assert game.asked == first


@pytest.mark.parametrize("first", [0, 1])
def test_g_2_a_seat_can_be_named_player_1(first: int) -> None:
    game = begin("5yk", first=first)
    assert game.state.at.player_1 == first and game.congregation(first) == {"5yk"}


@pytest.mark.parametrize("first", ["random", "winner-of-last"])
def test_g_2_player_1_is_otherwise_chosen_by_lot(first: str) -> None:
    game = begin("", first=first)
    assert game.chance.options == ("0", "1")


@pytest.mark.parametrize("card", ["Xm", "Xs"])
def test_tf_4_the_first_citizen_may_take_vows_at_once(card: str) -> None:
    game = begin(f"0 {card}")
    assert game.temple(A) == {card} and not game.state.at.in_play
    game.luck("9lk 3ly 5yk")
    assert game.chance.name == "citizen", "four others are still to be found"


def test_tf_5_huntress_and_bard_have_opposite_effects() -> None:
    moons = begin("0 2mk Xm Xs")
    assert moons.temple(A) == {"Xm"} and moons.state.at.removed == ("Xs",)
    suns = begin("0 3sk Xs Xm")
    assert suns.temple(A) == {"Xs"} and suns.state.at.removed == ("Xm",)


def test_tf_6_four_citizens_in_congregations_and_agora() -> None:
    game = begin("0 2mk Xm Xs 5yk 4wl")
    assert len(game.state.at.in_play) == 3 and game.chance.name == "citizen"
    game.luck("3sk")
    assert len(game.state.at.in_play) == 4 and game.chance.name == "fate"


def test_tf_6_nine_of_eleven_are_ordinary() -> None:
    assert len(CARDS.citizens) - len(CARDS.specials) == 9


def test_tf_7_player_2_places_by_the_general_rule() -> None:
    game = begin("0 2mk 6mw 5yk 9lk")
    assert game.congregation(A) == {"2mk", "6mw"}
    assert game.congregation(B) == {"5yk"} and game.agora == {"9lk"}
    assert [event.seat for event in game.told("introduce")] == [A, B, B, B]


def test_tf_8_the_first_mover_draws_to_three_then_the_other() -> None:
    game = begin("0 2mk 6mw 5yk 9lk")
    assert game.chance.seat == B, "the Wyrms move first"
    game.luck("7wy Am 4yk")
    assert game.chance.seat == B, "the Ace of Moons went under the deck"
    game.luck("8yk")
    assert game.hand(B) == {"7wy", "4yk", "8yk"} and game.chance.seat == A
    game.luck("4ms 9wy Xw 3mw")
    assert game.hand(A) == {"4ms", "Xw", "3mw"} and game.asked == B
    assert game.deck[1] == ("Am", "9wy")


@pytest.mark.parametrize("seats", [1, 3])
def test_exactly_two_can_play(seats: int) -> None:
    with pytest.raises(UsageError) as caught:
        GAME.new(seats, complete(), DECK)
    assert "2 players" in caught.value.message and caught.value.hint
