"""DC-22 to DC-24: every player pays for the dealer's Crown."""

import pytest

from tests.games.citadel.position import A, B, C, D, arrange_game, arrange_rivals


def test_dc_22_a_hero_of_any_suit_or_a_crown_pays() -> None:
    game = arrange_game("ghost", ("master-coins raven 9-stars", "master-swords", "mists"))
    assert game.moves == {"play master-coins", "play raven"}
    game.play("play master-coins", "play master-swords", "play mists")
    assert not game.out
    assert game.discarded == {"ghost", "master-coins", "master-swords", "mists"}
    assert not any(game.won(seat) or game.crowns(seat) for seat in (A, B, C))
    assert game.refill() == [(A, 1), (B, 1), (C, 1)]


def test_dc_22_nobody_pays_from_hand_for_another() -> None:
    game = arrange_game("ghost", ("raven mists master-coins", "", ""))
    game.play("play raven")
    assert game.moves == {f"forfeit {B}", f"forfeit {C}"}


def test_dc_22_one_owner_may_pay_for_several() -> None:
    game = arrange_game("ghost", ("master-coins", "", ""), crowns={A: "raven mists"})
    game.play("play master-coins", "crown mists", "crown raven")
    assert not game.out and not game.crowns(A)
    assert game.discarded == {"ghost", "master-coins", "raven", "mists"}


def test_dc_22_one_owner_may_pay_for_several_in_competitive_play() -> None:
    game = arrange_rivals("ghost", ("", "master-coins", ""), crowns={B: "raven mists"})
    game.play("pass", "play master-coins", "pass")
    assert (game.asked, game.moves) == (B, {"crown raven", "crown mists", "pass"})
    game.play("crown mists")
    assert (game.asked, game.moves) == (B, {"crown raven", "pass"})
    game.play("crown raven")
    assert not game.out and not game.crowns(B)


def test_dc_22_open_crowns_alone_may_pay_for_everybody() -> None:
    game = arrange_game("ghost", ("", "", ""), crowns={A: "raven mists", C: "beast"})
    game.play("crown beast", "crown mists", "crown raven")
    assert not game.out
    assert game.discarded == {"ghost", "raven", "mists", "beast"}


def test_dc_23_hand_player_who_is_able_must_pay_from_hand() -> None:
    game = arrange_game("ghost", ("raven", "", ""), crowns={A: "mists"})
    assert (game.asked, game.moves) == (A, {"play raven"})


def test_dc_23_open_crowns_are_given_voluntarily_including_own_ones() -> None:
    game = arrange_game("ghost", ("raven", "master-coins", ""), crowns={C: "mists"})
    game.play("play raven", "play master-coins")
    assert game.moves == {"crown mists", "pass"}
    game.play("pass")
    assert game.out == [C] and game.crowns(C) == {"mists"}


def test_dc_23_none_player_who_is_able_may_decline_to_pay() -> None:
    game = arrange_game("ghost", ("raven", "master-coins", ""), crowns={C: "mists"}, crown_duty="none")
    assert (game.asked, game.moves) == (A, {"play raven", "pass"})
    game.play("pass")
    assert (game.asked, game.moves) == (B, {"play master-coins", "pass"})
    game.play("play master-coins", "crown mists")
    assert game.out == [C]
    assert "raven" in game.hand(A)


def test_dc_23_none_if_all_decline_all_throw_and_a_crown_may_be_thrown() -> None:
    game = arrange_game("ghost", ("raven", "1-coins", "9-coins"), crown_duty="none")
    game.play("pass", "throw raven", "throw 1-coins", "throw 9-coins")
    assert game.out == [B]
    assert game.discarded >= {"ghost", "raven", "9-coins"}


def test_dc_23_none_applies_only_to_crown_rounds() -> None:
    game = arrange_game("master-stars", ("1-stars", "", ""), crown_duty="none")
    assert game.moves == {"play 1-stars"}


@pytest.mark.parametrize("mode", ["coop", "competitive"])
def test_dc_24_cards_paid_in_vain_are_discarded(mode: str) -> None:
    game = arrange_game("ghost", ("raven", "master-coins", "", ""), crowns={C: "mists"}, out=(D,), mode=mode)
    hand = game.hand(C)
    game.play("play raven", "play master-coins", *(["pass"] if mode == "competitive" else []), "pass")
    assert game.out == [C]
    assert game.discarded == {"ghost", "raven", "master-coins"} | hand
    assert game.crowns(C) == {"mists"}
    assert game.refill() == [(A, 1), (B, 1)]
