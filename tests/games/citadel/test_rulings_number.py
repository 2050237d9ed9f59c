"""DC-7 to DC-10 and DC-14: one card from one hand answers the dealer's number."""

import pytest

from tests.games.citadel.position import A, B, C, D, arrange_game, arrange_rivals


def test_dc_7_exactly_one_fitting_card_of_any_player_must_be_played() -> None:
    game = arrange_game("5-swords", ("7-swords 2-swords", "master-swords", "ghost seer"))
    assert game.moves == {"play 7-swords", "play 2-swords", "play master-swords", "play ghost", "joker"}
    game.play("play 7-swords")
    assert game.refill() == [(A, 1)]


def test_dc_7_must_win_no_the_party_may_lose_on_purpose() -> None:
    game = arrange_game("5-swords", ("7-swords", "2-swords", ""))
    game.play("play 2-swords")
    assert game.discarded == {"5-swords", "2-swords"} and not game.out


def test_dc_7_must_win_yes_only_winning_cards_may_be_played_if_any() -> None:
    game = arrange_game("5-swords", ("7-swords", "2-swords", "ghost"), must_win="yes")
    assert game.moves == {"play 7-swords", "play ghost"}


def test_dc_7_must_win_yes_without_a_winning_card_a_losing_one_must_be_played() -> None:
    game = arrange_game("5-swords", ("3-swords", "2-swords", "seer"), must_win="yes")
    assert game.moves == {"play 3-swords", "play 2-swords", "joker"}


def test_dc_7_seer_does_not_make_a_player_able() -> None:
    game = arrange_game("5-swords", ("seer", "", ""), crowns={B: "ghost"})
    assert game.moves == {"crown ghost", "pass", "joker"}


def test_dc_7_cards_of_forfeited_players_and_open_crowns_are_not_hand_cards() -> None:
    game = arrange_game("5-swords", ("", "2-swords", ""), out=(A,), crowns={C: "ghost"})
    assert game.moves == {"play 2-swords"}


def test_dc_7_first_human_from_the_dealers_left_answers_for_the_party() -> None:
    assert arrange_game("5-swords", ("", "", "7-swords")).asked == A
    assert arrange_game("5-swords", ("", "", "7-swords"), people=(B, C)).asked == B
    assert arrange_game("5-swords", ("", "", "7-swords"), people=(A, C), out=(A,)).asked == C
    assert arrange_game("5-swords", ("", "", "7-swords"), people=(A,), out=(A,)).asked == B


def test_dc_8_a_higher_number_wins() -> None:
    game = arrange_game("5-swords", ("", "6-swords", ""))
    game.play("play 6-swords")
    assert game.won(B) == {"5-swords", "6-swords"} and not game.discarded


def test_dc_8_the_hero_of_the_suit_wins_and_counts_as_a_hero() -> None:
    game = arrange_game("9-swords", ("", "master-swords", ""), deck="1-coins")
    game.play("play master-swords")
    assert game.won(B) == {"9-swords", "master-swords"} and not game.discarded
    game.refill()
    assert game.outcome.scores[B]["swords.heroes"] == 1
    assert game.outcome.scores[B]["swords.total"] == 9


def test_dc_8_winning_crown_becomes_an_open_crown_of_its_player() -> None:
    game = arrange_game("9-swords", ("", "ghost", ""))
    game.play("play ghost")
    assert game.won(B) == {"9-swords"} and game.crowns(B) == {"ghost"}
    assert "ghost" not in game.hand(B) and not game.discarded
    assert game.refill() == [(B, 1)]


def test_dc_9_a_lower_number_loses_without_penalty() -> None:
    game = arrange_game("5-swords", ("", "4-swords", ""))
    game.play("play 4-swords")
    assert game.discarded == {"5-swords", "4-swords"}
    assert not game.won(B) and not game.out
    assert game.refill() == [(B, 1)]


def test_dc_10_open_crowns_may_be_spent_only_if_no_hand_card_fits() -> None:
    game = arrange_game("5-swords", ("1-swords", "", ""), crowns={B: "ghost"})
    assert game.moves == {"play 1-swords"}


def test_dc_10_in_co_op_any_crown_of_those_still_in() -> None:
    game = arrange_game("5-swords", ("", "", ""), crowns={A: "raven", B: "ghost", C: "mists beast"}, out=(A,))
    assert game.moves == {"crown ghost", "crown mists", "crown beast", "pass"}
    game.play("crown mists")
    assert game.crowns(C) == {"beast"} and game.crowns(B) == {"ghost"}
    assert game.discarded == {"5-swords", "mists"} and not game.out


def test_dc_10_spending_a_crown_is_optional() -> None:
    game = arrange_game("5-swords", ("", "", ""), crowns={B: "ghost"})
    game.play("pass")
    assert all(move.startswith("throw") for move in game.moves)


def test_dc_10_in_competitive_play_each_owner_is_asked_once_from_the_dealers_left() -> None:
    game = arrange_rivals(
        "5-swords", ("", "", "", ""), crowns={A: "donjon", B: "ghost", C: "mists", D: "raven beast"}, out=(C,)
    )
    game.play("pass", "pass", "pass")
    assert (game.asked, game.moves) == (A, {"crown donjon", "pass"})
    game.play("pass")
    assert (game.asked, game.moves) == (B, {"crown ghost", "pass"})
    game.play("pass")
    assert (game.asked, game.moves) == (D, {"crown raven", "crown beast", "pass"})
    game.play("pass")
    assert (game.asked, game.moves) == (A, {f"throw {card}" for card in game.hand(A)})


def test_dc_10_in_competitive_play_the_first_crown_ends_the_round_for_all() -> None:
    game = arrange_rivals("5-swords", ("7-swords", "", ""), crowns={A: "ghost", B: "mists"})
    game.play("pass", "pass", "pass", "crown ghost")
    assert game.discarded == {"5-swords", "ghost"} and game.crowns(B) == {"mists"}
    assert not game.out and game.refill() == []
    assert game.chance.name == "turn-up"


@pytest.mark.parametrize("mode", ["coop", "competitive"])
def test_dc_14_hero_of_a_player_obliges_nobody(mode: str) -> None:
    game = arrange_game("5-swords", ("master-swords", "6-swords", ""), mode=mode)
    game.play(*(["play master-swords"] if mode == "coop" else ["bid master-swords", "pass", "pass"]))
    assert game.won(A) == {"5-swords", "master-swords"}
    assert not game.out and "6-swords" in game.hand(B)
    assert game.state.at.rounds == ("number",)
