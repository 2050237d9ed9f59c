"""The scenarios DC-S1 to DC-S14, as the rulings tell them. Seats: A, B, C from the dealer's left."""

from tests.games.citadel.position import A, B, C, competitive, standing
from vaultkit.games.turn import Chance


def test_dc_s1_the_party_answers_with_a_higher_number_and_its_owner_collects() -> None:
    game = standing("6-swords", ("7-swords", "master-swords", "ghost"))
    assert game.moves == {"play 7-swords", "play master-swords", "play ghost"}
    game.play("play 7-swords")
    assert game.won(A) == {"6-swords", "7-swords"}
    assert not game.discarded and not game.out
    assert game.refill() == [(A, 1)]
    assert game.chance.name == "turn-up"


def test_dc_s1_scores_swords_13() -> None:
    game = standing("6-swords", ("7-swords", "master-swords", "ghost"), deck="1-coins")
    game.play("play 7-swords")
    game.refill()
    assert game.outcome.kind == "party"
    assert game.outcome.scores[A]["swords.total"] == 13


def test_dc_s2_the_only_fitting_card_must_be_played_and_is_lost() -> None:
    game = standing("6-swords", ("", "", "2-swords"))
    assert game.moves == {"play 2-swords"}
    game.play("play 2-swords")
    assert game.discarded == {"6-swords", "2-swords"}
    assert game.active == (A, B, C)
    assert not game.won(C)
    assert game.refill() == [(C, 1)]


def test_dc_s3_with_nobody_able_an_open_crown_may_be_spent() -> None:
    game = standing("6-swords", ("", "", ""), crowns={B: "beast"})
    assert game.moves == {"crown beast", "pass"}
    game.play("crown beast")
    assert game.discarded == {"6-swords", "beast"}
    assert not game.crowns(B) and not game.out
    assert game.refill() == []
    assert game.chance.name == "turn-up"


def test_dc_s3_or_the_party_throws_cards_for_a_forfeit() -> None:
    game = standing("6-swords", ("1-coins", "", ""), crowns={B: "beast"})
    game.play("pass")
    assert game.moves == {f"throw {card}" for card in game.hand(A)}
    game.play("throw 1-coins", f"throw {max(game.hand(B))}", f"throw {max(game.hand(C))}")
    assert game.out == [A]
    assert game.crowns(B) == {"beast"}


THROWERS = ("9-coins", "2-stars", "2-glyphs")
THROWN = {"9-coins", "2-stars", "2-glyphs"}


def test_dc_s4_in_co_op_the_party_chooses_among_the_tied() -> None:
    game = standing("6-swords", THROWERS)
    hand = game.hand(C)
    game.play("throw 9-coins", "throw 2-stars", "throw 2-glyphs")
    assert game.moves == {f"forfeit {B}", f"forfeit {C}"}
    game.play(f"forfeit {C}")
    assert game.out == [C] and game.active == (A, B)
    assert game.discarded == THROWN | {"6-swords"} | hand
    assert game.refill() == [(A, 1), (B, 1)]


def test_dc_s4_in_competitive_play_it_is_the_nearest_to_the_dealers_left() -> None:
    game = competitive("6-swords", THROWERS)
    hand = game.hand(B)
    game.play("pass", "pass", "pass")
    game.play("throw 9-coins", "throw 2-stars", "throw 2-glyphs")
    assert game.out == [B] and game.active == (A, C)
    assert game.discarded == THROWN | {"6-swords"} | hand
    assert game.refill() == [(A, 1), (C, 1)]


def test_dc_s5_a_hero_round_answered_by_all_is_won_by_the_highest_of_the_suit() -> None:
    game = standing("master-stars", ("3-stars", "9-stars", "raven"), deck="1-swords 2-swords 3-swords")
    game.play("play 3-stars", "play 9-stars", "play raven")
    assert game.won(B) == {"master-stars", "3-stars", "9-stars"}
    assert game.crowns(C) == {"raven"}
    assert not game.won(A) and not game.won(C) and not game.discarded and not game.out
    assert game.refill() == [(A, 1), (B, 1), (C, 1)]
    parts = game.outcome.scores[B]
    assert (parts["stars.total"], parts["stars.heroes"]) == (12, 1)
    assert game.outcome.scores[C]["crowns.count"] == 1


def test_dc_s6_who_cannot_answer_a_hero_forfeits_and_all_is_discarded() -> None:
    game = standing("master-stars", ("3-stars", "9-stars", ""))
    hand = game.hand(C)
    game.play("play 3-stars", "play 9-stars")
    assert game.out == [C]
    assert game.discarded == {"master-stars", "3-stars", "9-stars"} | hand
    assert not any(game.won(seat) for seat in (A, B, C))


def test_dc_s6_an_open_crown_saves_the_player_but_not_the_round() -> None:
    game = standing("master-stars", ("3-stars", "9-stars", ""), crowns={A: "mists"})
    game.play("play 3-stars", "play 9-stars")
    assert game.moves == {"crown mists", "pass"}
    game.play("crown mists")
    assert not game.out and game.active == (A, B, C)
    assert game.discarded == {"master-stars", "3-stars", "9-stars", "mists"}
    assert not game.crowns(A) and not game.won(B)


def test_dc_s7_a_crown_round_is_paid_from_hand_and_with_open_crowns() -> None:
    game = standing("ghost", ("master-glyphs", "", ""), crowns={A: "mists", C: "raven"})
    assert game.moves == {"play master-glyphs"}
    game.play("play master-glyphs", "crown mists")
    assert game.moves == {"crown raven", "pass"}
    game.play("crown raven")
    assert not game.out
    assert game.discarded == {"ghost", "master-glyphs", "mists", "raven"}
    assert not any(game.won(seat) or game.crowns(seat) for seat in (A, B, C))
    assert game.refill() == [(A, 1)]


def test_dc_s7_in_competitive_play_the_owner_is_asked_to_give() -> None:
    game = competitive("ghost", ("master-glyphs", "", ""), crowns={A: "mists", C: "raven"})
    game.play("play master-glyphs", "pass", "pass")
    assert (game.asked, game.moves) == (A, {"crown mists", "pass"})
    game.play("crown mists")
    assert (game.asked, game.moves) == (C, {"crown raven", "pass"})
    game.play("crown raven")
    assert not game.out
    assert game.discarded == {"ghost", "master-glyphs", "mists", "raven"}
    assert game.refill() == [(A, 1)]


def test_dc_s8_of_several_who_cannot_pay_the_party_names_one() -> None:
    game = standing("ghost", ("raven", "", ""))
    hand = game.hand(B)
    game.play("play raven")
    assert game.moves == {f"forfeit {B}", f"forfeit {C}"}
    game.play(f"forfeit {B}")
    assert game.out == [B] and game.active == (A, C)
    assert game.discarded == {"ghost", "raven"} | hand


def test_dc_s9_a_turned_seer_goes_to_the_bottom_and_another_card_is_turned() -> None:
    game = standing(None, ("7-glyphs", "", ""))
    game.luck("seer")
    assert game.state.at.deck.bottom == ("seer",)
    assert game.chance.name == "turn-up" and "seer" not in game.chance.pile.unknown
    game.luck("6-glyphs")
    assert game.moves == {"play 7-glyphs"}
    assert game.state.at.rounds == ("number",)


def test_dc_s9_with_nothing_else_to_turn_the_party_has_won() -> None:
    game = standing(None, ("", "", ""), deck="seer")
    game.luck("seer")
    assert game.outcome.kind == "party"
    assert game.outcome.winners == (A, B, C)


def test_dc_s10_a_player_who_plays_the_seer_ends_the_game() -> None:
    game = standing("master-stars", ("3-stars", "9-stars seer", ""), won={C: "8-coins"})
    game.play("play 3-stars", "joker")
    assert game.turn is None
    assert game.discarded == {"master-stars", "3-stars", "seer"}
    assert game.outcome.kind == "seer" and game.outcome.winners == ()
    assert not game.out and game.active == (A, B, C)
    assert game.outcome.scores[C]["coins.total"] == 8


def test_dc_s11_a_score_sheet_and_its_reward_rolls() -> None:
    won = "8-swords 9-swords master-swords 7-stars 2-stars master-coins"
    game = standing(None, ("", "", ""), won={A: won}, crowns={A: "raven mists beast"}, deck="seer")
    game.luck("seer")
    parts = game.outcome.scores[A]
    assert (parts["swords.total"], parts["swords.heroes"]) == (17, 1)
    assert (parts["stars.total"], parts["coins.total"], parts["coins.heroes"]) == (9, 0, 1)
    assert (parts["swords.rolls"], parts["swords.row"]) == (2, 2)
    assert (parts["stars.rolls"], parts["stars.row"]) == (1, 1)
    assert parts["coins.rolls"] == parts["glyphs.rolls"] == 0
    assert (parts["crowns.count"], parts["crowns.rolls"], parts["crowns.row"]) == (3, 1, 3)


def test_dc_s12_the_best_bid_is_played_and_the_others_return_to_hand() -> None:
    game = competitive("4-coins", ("6-coins", "9-coins", "ghost"))
    game.play("bid 6-coins", "bid 9-coins", "bid ghost")
    assert game.crowns(C) == {"ghost"} and game.won(C) == {"4-coins"}
    assert "6-coins" in game.hand(A) and "9-coins" in game.hand(B)
    assert not game.discarded
    assert game.refill() == [(C, 1)]


SHORT = ("9-stars", "8-stars", "raven")


def test_dc_s13_the_last_cards_are_drawn_and_the_party_has_won() -> None:
    """B's hand is not short: B was covered."""
    game = standing("master-stars", ("9-stars", "", "raven"), crowns={A: "mists"}, deck="1-swords 2-swords")
    game.play("play 9-stars", "play raven", "crown mists")
    assert game.refill() == [(A, 1), (C, 1)]
    assert game.outcome.kind == "party" and game.outcome.winners == (A, B, C)


def test_dc_s13_too_few_cards_go_to_the_first_from_the_dealers_left() -> None:
    game = standing("master-stars", SHORT, deck="1-swords 2-swords")
    game.play("play 9-stars", "play 8-stars", "play raven")
    assert game.refill() == [(A, 1), (B, 1)]
    assert len(game.hand(C)) == 4
    assert game.outcome.kind == "party" and game.outcome.winners == (A, B, C)


def test_dc_s14_with_one_player_left_the_competitive_game_is_over_at_once() -> None:
    game = competitive("master-stars", ("3-stars", "", ""), out=(C,), won={B: "9-coins"})
    game.play("play 3-stars", "pass")
    assert game.out == [B]
    assert game.turn is None and not isinstance(game.turn, Chance)
    assert game.outcome.kind == "last-survivor" and game.outcome.winners == (A,)
