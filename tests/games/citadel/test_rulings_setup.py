"""DC-1 to DC-6 and DC-39: the cards, the deal, drawing, the end of the deck, and the choice of mode."""

from random import Random

import pytest

from tests.games.citadel.position import CARDS, DECK, A, B, C, Play, arrange_game, arrange_rivals, complete, sample
from tests.games.playing import known_cards
from vaultkit.errors import UsageError
from vaultkit.games.dragon_citadel import ending
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.dragon_citadel.rules import make_cards
from vaultkit.games.turn import HIDDEN, IllegalMove

HEROES = {"Swords": "Warrior", "Stars": "Wizard", "Coins": "Rogue", "Glyphs": "Priest"}


def new(seats: int, **options: object) -> Play:
    return Play(DragonCitadel().new(seats, complete(**options), DECK), 0)


def test_dc_1_the_heroes_are_the_four_masters_above_every_number_of_their_suit() -> None:
    cards = make_cards(DECK, "Seer")
    heroes = {DECK.by_id[card].suits[0]: DECK.by_id[card].name for card in CARDS if cards.is_hero(card)}
    assert heroes == HEROES
    for suit in DECK.suits:
        ranks = {card.rank: cards.strength[card.id] for card in DECK if card.suits == (suit,)}
        assert [ranks[number] for number in range(1, 10)] == list(range(1, 10))
        assert ranks["Master"] == 10


def test_dc_1_a_deck_has_36_numbers_4_heroes_13_crowns_and_a_joker() -> None:
    cards = make_cards(DECK, "Seer")
    kinds = [cards.round_of(card) for card in CARDS if card != cards.joker]
    assert (kinds.count("number"), kinds.count("hero"), kinds.count("crown")) == (36, 4, 13)
    assert cards.joker == "seer" and not cards.is_crown("seer")


def test_dc_2_top_card_the_dealer_turns_the_top_of_the_deck_and_has_no_hand() -> None:
    game = new(3)
    assert game.refill() == [(A, 5), (B, 5), (C, 5)]
    assert game.chance.name == "turn-up" and game.chance.open
    assert len(game.chance.pile) == 54 - 15
    assert game.state.at.dealer_hand == ()


def test_dc_2_hand_of_5_the_dealer_is_dealt_last_and_plays_one_of_five() -> None:
    game = new(3, dealer="hand-of-5")
    assert game.refill() == [(A, 5), (B, 5), (C, 5), (None, 5)]
    assert game.chance.name == "dealer-plays"
    assert game.chance.options == game.state.at.dealer_hand and len(game.chance.options) == 5
    with pytest.raises(IllegalMove):
        game.luck("seer")


def test_dc_2_hand_of_5_dealers_cards_are_hidden() -> None:
    game = new(3, dealer="hand-of-5")
    for _ in range(3):
        game.luck(*game.chance.pile.unknown[:5])
    assert not game.chance.open
    held = game.chance.pile.unknown[:5]
    told = game.luck(*held)
    assert not any(set(event.cards) & set(held) for event in told)
    assert not any(set(held) & game.state.view(seat).seen for seat in (A, B, C))
    assert game.state.view(A).at.dealer_hand == (HIDDEN,) * 5


def test_dc_2_hand_of_5_the_dealer_draws_after_the_players() -> None:
    mine = "6-swords 1-coins 2-coins 3-coins 4-coins"
    game = arrange_game("6-swords", ("7-swords", "", ""), dealer="hand-of-5", dealer_hand=mine)
    game.play("play 7-swords")
    assert game.refill() == [(A, 1), (None, 1)]
    assert len(game.state.at.dealer_hand) == 5


def test_dc_2_hand_of_5_seer_in_it_is_put_under_the_deck_and_replaced() -> None:
    mine = "6-swords 1-coins 2-coins 3-coins 4-coins"
    game = arrange_game("6-swords", ("7-swords", "", ""), dealer="hand-of-5", dealer_hand=mine)
    game.play("play 7-swords")
    game.luck(game.chance.pile.unknown[0])
    game.luck("seer")
    assert game.state.at.deck.bottom == ("seer",)
    assert len(game.state.at.dealer_hand) == 4 and "seer" not in game.state.at.dealer_hand
    assert game.refill() == [(None, 1)]


def test_dc_3_three_to_seven_can_play() -> None:
    for seats, left in zip(range(3, 8), (39, 34, 29, 24, 19), strict=True):
        game = new(seats)
        game.refill()
        assert len(game.state.at.deck) == left
    for seats in (1, 2, 8):
        with pytest.raises(UsageError, match="DC-3"):
            new(seats)


def test_dc_3_min_players_2_allows_two_players() -> None:
    game = new(2, min_players=2)
    assert game.refill() == [(A, 5), (B, 5)]
    for seats in (1, 8):
        with pytest.raises(UsageError):
            new(seats, min_players=2)


def test_dc_4_players_still_in_draw_up_to_five_from_the_dealers_left() -> None:
    game = arrange_game("master-stars", ("9-stars", "", "raven", "8-stars"), out=(B,))
    game.play("play 9-stars", "play raven", "play 8-stars")
    assert game.refill() == [(0, 1), (2, 1), (3, 1)]
    assert [len(game.hand(seat)) for seat in range(4)] == [5, 0, 5, 5]


def test_dc_4_several_missing_cards_are_drawn() -> None:
    hands = ("2-stars 3-stars", "2-glyphs 9-glyphs", "8-coins")
    game = arrange_game("6-swords", hands, low_tie="replay-card")
    game.play("throw 2-stars", "throw 2-glyphs", "throw 8-coins", "throw 3-stars", "throw 9-glyphs")
    assert game.out == [A]
    assert game.refill() == [(B, 2), (C, 1)]


@pytest.mark.parametrize("mode", ["coop", "competitive"])
def test_dc_4_in_competitive_play_only_the_seat_itself_sees_what_it_draws(mode: str) -> None:
    game = new(3, mode=mode)
    secret = mode == "competitive"
    assert game.chance.open != secret
    cards = game.chance.pile.unknown[:5]
    told = game.luck(*cards)
    for seat in (A, B, C):
        named = {card for event in told if event.is_visible_to(seat) for card in event.cards}
        assert named == (set() if secret and seat != A else set(cards))
        assert any(event.is_visible_to(seat) for event in told)


def test_dc_5_the_game_ends_with_the_round_in_which_the_deck_becomes_empty() -> None:
    game = arrange_game("6-swords", ("7-swords", "", ""), deck="1-coins 2-coins")
    game.play("play 7-swords")
    assert game.refill() == [(A, 1)]
    assert ending.outcome(game.state) is None and game.chance.name == "turn-up"
    game.luck("2-coins")
    game.play(min(game.moves))
    assert game.refill() == []
    assert game.outcome.kind == "party" and game.outcome.winners == (A, B, C)


def test_dc_5_forfeit_is_resolved_before_the_empty_deck() -> None:
    game = arrange_game("6-swords", ("", "1-coins", ""), out=(A, C), deck="")
    game.play("throw 1-coins")
    assert game.outcome.kind == "dealer" and game.outcome.winners == ()


def test_dc_5_party_with_a_survivor_wins_despite_a_forfeit_in_the_last_round() -> None:
    game = arrange_game("6-swords", ("", "1-coins", "9-coins"), out=(A,), deck="")
    game.play("throw 1-coins", "throw 9-coins")
    assert game.out == [B]
    assert game.outcome.kind == "party" and game.outcome.winners == (A, B, C)


def test_dc_5_hand_of_5_the_dealers_own_hand_does_not_prolong_the_game() -> None:
    mine = "6-swords 1-coins 2-coins 3-coins 4-coins"
    game = arrange_game("6-swords", ("7-swords", "", ""), dealer="hand-of-5", dealer_hand=mine, deck="9-glyphs")
    game.play("play 7-swords")
    assert game.refill() == [(A, 1)]
    assert game.outcome.kind == "party"


@pytest.mark.parametrize("mode", ["coop", "competitive"])
def test_dc_6_the_discards_are_never_shuffled_back_in(mode: str) -> None:
    luck = Random(6)
    game = new(4, mode=mode)
    discard: tuple[str, ...] = ()
    deck = 54
    while game.turn is not None:
        game.apply(sample(game.state, luck))
        now = game.state.at.discard
        assert now[: len(discard)] == discard
        assert len(game.state.at.deck) <= deck
        discard, deck = now, len(game.state.at.deck)
    assert discard


def test_dc_39_mode_coop_hands_are_open() -> None:
    game = arrange_game("6-swords", ("7-swords", "", ""))
    assert all(set(known_cards(game.state.view(B), seat)) == game.hand(seat) for seat in (A, B, C))


def test_dc_39_mode_competitive_hands_are_secret() -> None:
    game = arrange_rivals("6-swords", ("7-swords", "", ""))
    assert set(game.state.view(B).at.hands[B]) == game.hand(B)
    assert known_cards(game.state.view(B), A) == known_cards(game.state.view(B), C) == ()


def test_dc_2_hand_of_5_state_sampled_from_a_view_never_gives_the_dealer_the_seer() -> None:
    game = new(3, dealer="hand-of-5")
    game.luck("1-coins", "2-coins", "3-coins", "4-coins", "5-coins")
    while game.chance.name != "dealer-plays":
        game.luck(*[card for card in game.chance.pile.unknown if card != "seer"][: game.chance.count])
    for seed in range(60):
        guess = DragonCitadel().determinize(game.state.view(A), Random(seed))
        assert len(guess.at.dealer_hand) == 5 and "seer" not in guess.at.dealer_hand
