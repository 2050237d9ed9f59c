"""The scenarios DC-S1 to DC-S14 of the rulings. A, B and C sit in order from the dealer's left."""

import pytest

from tests.games.citadel.position import A, B, C, arrange_game, arrange_rivals
from tests.games.playing import faults_of, name_of, scenarios
from vaultkit.games.turn import Chance
from vaultkit.session.examples.parser import Example


def test_dc_s3_party_throws_cards_for_a_forfeit() -> None:
    game = arrange_game("6-swords", ("1-coins", "", ""), crowns={B: "beast"})
    game.play("pass")
    assert game.moves == {f"throw {card}" for card in game.hand(A)}
    game.play("throw 1-coins", f"throw {max(game.hand(B))}", f"throw {max(game.hand(C))}")
    assert game.out == [A]
    assert game.crowns(B) == {"beast"}


THROWERS = ("9-coins", "2-stars", "2-glyphs")
THROWN = {"9-coins", "2-stars", "2-glyphs"}


def test_dc_s4_in_competitive_play_the_nearest_to_the_dealers_left_forfeits() -> None:
    game = arrange_rivals("6-swords", THROWERS)
    hand = game.hand(B)
    game.play("pass", "pass", "pass")
    game.play("throw 9-coins", "throw 2-stars", "throw 2-glyphs")
    assert game.out == [B] and game.active == (A, C)
    assert game.discarded == THROWN | {"6-swords"} | hand
    assert game.refill() == [(A, 1), (C, 1)]


def test_dc_s6_player_who_cannot_answer_a_hero_forfeits_and_all_is_discarded() -> None:
    game = arrange_game("master-stars", ("3-stars", "9-stars", ""))
    hand = game.hand(C)
    game.play("play 3-stars", "play 9-stars")
    assert game.out == [C]
    assert game.discarded == {"master-stars", "3-stars", "9-stars"} | hand
    assert not any(game.won(seat) for seat in (A, B, C))


def test_dc_s6_an_open_crown_saves_the_player_but_not_the_round() -> None:
    game = arrange_game("master-stars", ("3-stars", "9-stars", ""), crowns={A: "mists"})
    game.play("play 3-stars", "play 9-stars")
    assert game.moves == {"crown mists", "pass"}
    game.play("crown mists")
    assert not game.out and game.active == (A, B, C)
    assert game.discarded == {"master-stars", "3-stars", "9-stars", "mists"}
    assert not game.crowns(A) and not game.won(B)


def test_dc_s7_in_competitive_play_the_owner_is_asked_to_give() -> None:
    game = arrange_rivals("ghost", ("master-glyphs", "", ""), crowns={A: "mists", C: "raven"})
    game.play("play master-glyphs", "pass", "pass")
    assert (game.asked, game.moves) == (A, {"crown mists", "pass"})
    game.play("crown mists")
    assert (game.asked, game.moves) == (C, {"crown raven", "pass"})
    game.play("crown raven")
    assert not game.out
    assert game.discarded == {"ghost", "master-glyphs", "mists", "raven"}
    assert game.refill() == [(A, 1)]


def test_dc_s9_turned_seer_is_put_under_the_deck_and_another_card_is_turned() -> None:
    game = arrange_game(None, ("7-glyphs", "", ""))
    game.luck("seer")
    assert game.state.at.deck.bottom == ("seer",)
    assert game.chance.name == "turn-up" and "seer" not in game.chance.pile.unknown
    game.luck("6-glyphs")
    assert game.moves == {"play 7-glyphs"}
    assert game.state.at.rounds == ("number",)


def test_dc_s9_party_wins_if_nothing_else_can_be_turned() -> None:
    game = arrange_game(None, ("", "", ""), deck="seer")
    game.luck("seer")
    assert game.outcome.kind == "party"
    assert game.outcome.winners == (A, B, C)


def test_dc_s11_a_score_sheet_and_its_reward_rolls() -> None:
    won = "8-swords 9-swords master-swords 7-stars 2-stars master-coins"
    game = arrange_game(None, ("", "", ""), won={A: won}, crowns={A: "raven mists beast"}, deck="seer")
    game.luck("seer")
    parts = game.outcome.scores[A]
    assert (parts["swords.total"], parts["swords.heroes"]) == (17, 1)
    assert (parts["stars.total"], parts["coins.total"], parts["coins.heroes"]) == (9, 0, 1)
    assert (parts["swords.rolls"], parts["swords.row"]) == (2, 2)
    assert (parts["stars.rolls"], parts["stars.row"]) == (1, 1)
    assert parts["coins.rolls"] == parts["glyphs.rolls"] == 0
    assert (parts["crowns.count"], parts["crowns.rolls"], parts["crowns.row"]) == (3, 1, 3)


SHORT = ("9-stars", "8-stars", "raven")


def test_dc_s13_the_last_cards_are_drawn_and_the_party_has_won() -> None:
    """DC-S13: A and C draw the last cards; B, whose card was covered, has a full hand, and the party wins."""
    game = arrange_game("master-stars", ("9-stars", "", "raven"), crowns={A: "mists"}, deck="1-swords 2-swords")
    game.play("play 9-stars", "play raven", "crown mists")
    assert game.refill() == [(A, 1), (C, 1)]
    assert game.outcome.kind == "party" and game.outcome.winners == (A, B, C)


def test_dc_s13_too_few_cards_are_dealt_from_the_dealers_left() -> None:
    game = arrange_game("master-stars", SHORT, deck="1-swords 2-swords")
    game.play("play 9-stars", "play 8-stars", "play raven")
    assert game.refill() == [(A, 1), (B, 1)]
    assert len(game.hand(C)) == 4
    assert game.outcome.kind == "party" and game.outcome.winners == (A, B, C)


def test_dc_s14_competitive_game_ends_at_once_with_one_player_left() -> None:
    game = arrange_rivals("master-stars", ("3-stars", "", ""), out=(C,), won={B: "9-coins"})
    game.play("play 3-stars", "pass")
    assert game.out == [B]
    assert game.turn is None and not isinstance(game.turn, Chance)
    assert game.outcome.kind == "last-survivor" and game.outcome.winners == (A,)


@pytest.mark.parametrize("example", scenarios(__file__), ids=name_of)
def test_scenario_written_as_an_example_is_fulfilled(example: Example) -> None:
    assert faults_of(example) == []
