"""DC-11 to DC-13, DC-20, DC-21 and DC-30: who forfeits, and what happens to their cards."""

import pytest

from tests.games.citadel.position import A, B, C, D, Play, arrange_game, arrange_rivals
from vaultkit.games.turn import IllegalMove

BOTH = pytest.mark.parametrize("mode", ["coop", "competitive"])
PASSES = {"coop": (), "competitive": ("pass", "pass", "pass")}


@BOTH
def test_dc_11_everybody_throws_and_the_lowest_forfeits(mode: str) -> None:
    game = arrange_game("6-swords", ("3-coins", "2-stars", "9-glyphs"), mode=mode)
    hand = game.hand(B)
    game.play(*PASSES[mode], "throw 3-coins", "throw 2-stars", "throw 9-glyphs")
    assert game.out == [B] and game.active == (A, C)
    assert game.discarded == {"6-swords", "3-coins", "9-glyphs"} | hand
    assert game.refill() == [(A, 1), (C, 1)]


@BOTH
def test_dc_11_hero_is_above_any_number_of_any_suit(mode: str) -> None:
    game = arrange_game("6-swords", ("master-coins", "9-stars", "master-glyphs"), mode=mode)
    game.play(*PASSES[mode], "throw master-coins", "throw 9-stars", "throw master-glyphs")
    assert game.out == [B]


def test_dc_11_in_co_op_the_party_throws_openly_as_it_decides() -> None:
    game = arrange_game("6-swords", ("3-coins", "2-stars", "9-glyphs"), people=(C,))
    for seat, card in enumerate(("3-coins", "2-stars", "9-glyphs")):
        assert (game.asked, game.prompt.secret) == (C, False)
        assert game.moves == {f"throw {held}" for held in game.hand(seat)}
        game.play(f"throw {card}")
    assert game.out == [B]


def test_dc_11_in_competitive_play_all_throw_face_down() -> None:
    game = arrange_rivals("6-swords", ("3-coins", "2-stars", "9-glyphs"))
    game.play("pass", "pass", "pass")
    for seat, card in enumerate(("3-coins", "2-stars", "9-glyphs")):
        assert (game.asked, game.prompt.secret) == (seat, True)
        game.play(f"throw {card}")
    revealed = [event for event in game.told("reveal") if event.cards]
    assert [set(event.cards) for event in revealed] == [{"3-coins", "2-stars", "9-glyphs"}]


TIED = ("9-coins 8-coins", "2-stars 3-stars", "2-glyphs 4-glyphs", "2-coins 5-coins")
THROWS = ("throw 9-coins", "throw 2-stars", "throw 2-glyphs", "throw 2-coins")
FOUR_PASSES = {"coop": (), "competitive": ("pass",) * 4}


def tie(mode: str, low_tie: str = "default") -> Play:
    game = arrange_game("6-swords", TIED, mode=mode, low_tie=low_tie)
    game.play(*FOUR_PASSES[mode], *THROWS)
    return game


@pytest.mark.parametrize("seat", [B, C, D])
def test_dc_12_default_in_co_op_the_party_chooses_among_the_tied(seat: int) -> None:
    game = tie("coop")
    assert game.moves == {f"forfeit {B}", f"forfeit {C}", f"forfeit {D}"}
    game.play(f"forfeit {seat}")
    assert game.out == [seat]


def test_dc_12_default_in_competitive_play_the_nearest_to_the_dealers_left() -> None:
    assert tie("competitive").out == [B]


@BOTH
def test_dc_12_replay_card_the_tied_throw_again_and_draw_for_every_card(mode: str) -> None:
    game = tie(mode, "replay-card")
    assert not game.out
    assert game.moves == {f"throw {card}" for card in game.hand(B)} and "throw 2-stars" not in game.moves
    game.play("throw 3-stars", "throw 4-glyphs", "throw 5-coins")
    assert game.out == [B]
    assert game.discarded >= {"2-stars", "2-glyphs", "2-coins", "9-coins", "3-stars", "4-glyphs", "5-coins"}
    assert game.refill() == [(A, 1), (C, 2), (D, 2)]


@BOTH
def test_dc_12_replay_card_tied_again_throw_again(mode: str) -> None:
    hands = ("9-coins", "2-stars 3-stars 5-stars", "2-glyphs 3-glyphs 4-glyphs")
    game = arrange_game("6-swords", hands, mode=mode, low_tie="replay-card")
    game.play(*PASSES[mode], "throw 9-coins", "throw 2-stars", "throw 2-glyphs", "throw 3-stars", "throw 3-glyphs")
    assert not game.out
    game.play("throw 5-stars", "throw 4-glyphs")
    assert game.out == [C]
    assert game.refill() == [(A, 1), (B, 3)]


def test_dc_12_replay_card_the_seer_is_never_thrown_but_may_be_played() -> None:
    hands = ("9-coins", "2-stars seer", "2-glyphs 3-glyphs")
    game = arrange_game("6-swords", hands, low_tie="replay-card")
    game.play("throw 9-coins", "throw 2-stars", "throw 2-glyphs")
    assert "throw seer" not in game.moves and "joker" in game.moves


@BOTH
@pytest.mark.parametrize("left", ["seer", "3-stars"])
def test_dc_12_replay_card_player_without_a_card_to_throw_follows_the_default(mode: str, left: str) -> None:
    hands = ("9-coins 8-coins", f"2-stars {left}", "2-glyphs")
    game = arrange_game("6-swords", hands, fill=False, mode=mode, low_tie="replay-card")
    game.play(*PASSES[mode], "throw 9-coins", "throw 2-stars", "throw 2-glyphs")
    if mode == "coop":
        assert game.moves == {f"forfeit {B}", f"forfeit {C}"}
    else:
        assert game.out == [B]


@BOTH
@pytest.mark.parametrize("seat", [B, C, D])
def test_dc_12_random_decides_by_lot(mode: str, seat: int) -> None:
    game = tie(mode, "random")
    assert game.chance.name == "low-tie"
    assert game.chance.options == (str(B), str(C), str(D))
    with pytest.raises(IllegalMove):
        game.luck(str(A))
    game.luck(str(seat))
    assert game.out == [seat]


def test_dc_13_if_nobody_is_able_no_hand_contains_a_crown() -> None:
    """DC-13: a Crown in hand must be played if nobody can answer."""
    game = arrange_game("6-swords", ("ghost", "", ""))
    assert game.moves == {"play ghost"}


def test_dc_13_after_passing_a_crown_may_be_thrown_and_is_above_a_hero() -> None:
    game = arrange_rivals("6-swords", ("ghost", "master-stars", "raven"))
    game.play("pass", "pass", "pass", "throw ghost", "throw master-stars", "throw raven")
    assert game.out == [B]
    assert game.discarded >= {"ghost", "raven", "master-stars"}


def test_dc_13_two_crowns_tie() -> None:
    game = arrange_rivals("6-swords", ("", "ghost", "raven"), out=(A,))
    game.play("pass", "pass", "throw ghost", "throw raven")
    assert game.out == [B]


@BOTH
def test_dc_13_the_seer_is_never_thrown(mode: str) -> None:
    game = arrange_game("6-swords", ("seer", "", ""), mode=mode)
    game.play(*PASSES[mode])
    assert game.moves == {f"throw {card}" for card in game.hand(A) - {"seer"}} | {"joker"}
    assert len(game.moves) == 5


def test_dc_13_the_seer_is_never_shown() -> None:
    game = arrange_rivals("ghost", ("raven", "seer", ""))
    game.play("play raven", "pass", "pass")
    assert game.asked == B
    assert game.moves == {f"show {card}" for card in game.hand(B) - {"seer"}} | {"joker"}


def test_dc_20_in_co_op_the_party_names_one_of_those_who_failed() -> None:
    game = arrange_game("master-stars", ("1-stars", "", "2-stars", ""), people=(C,))
    game.play("play 1-stars", "play 2-stars")
    assert (game.asked, game.moves) == (C, {f"forfeit {B}", f"forfeit {D}"})
    game.play(f"forfeit {D}")
    assert game.out == [D] and game.active == (A, B, C)


def test_dc_20_covered_player_is_not_among_those_who_failed() -> None:
    game = arrange_game("master-stars", ("1-stars", "", "", ""), crowns={A: "mists"})
    game.play("play 1-stars", "pass", "crown mists")
    assert game.moves == {f"forfeit {B}", f"forfeit {D}"}


def test_dc_20_in_competitive_play_each_failed_player_shows_a_card_and_the_lowest_forfeits() -> None:
    game = arrange_rivals("ghost", ("raven", "3-stars", "2-coins", "9-coins"))
    hand = game.hand(C)
    game.play("play raven", "pass", "pass", "pass")
    for seat, card in ((B, "3-stars"), (C, "2-coins"), (D, "9-coins")):
        assert (game.asked, game.prompt.secret) == (seat, True)
        assert game.moves == {f"show {held}" for held in game.hand(seat)}
        game.play(f"show {card}")
    assert game.out == [C]
    assert game.discarded == {"ghost", "raven"} | hand
    assert {"3-stars"} <= game.hand(B) and {"9-coins"} <= game.hand(D)
    assert game.refill() == [(A, 1)]


def show_tie(low_tie: str) -> Play:
    game = arrange_rivals("ghost", ("raven", "2-stars 3-stars", "2-coins 9-coins", "9-stars"), low_tie=low_tie)
    game.play("play raven", "pass", "pass", "pass", "show 2-stars", "show 2-coins", "show 9-stars")
    return game


def test_dc_20_tie_is_decided_by_dc_12() -> None:
    assert show_tie("default").out == [B]
    by_lot = show_tie("random")
    assert by_lot.chance.options == (str(B), str(C))
    by_lot.luck(str(C))
    assert by_lot.out == [C]
    again = show_tie("replay-card")
    assert (again.asked, again.out) == (B, [])
    assert again.moves == {f"show {card}" for card in again.hand(B) - {"2-stars"}}
    again.play("show 3-stars", "show 9-coins")
    assert again.out == [B]
    assert {"2-coins", "9-coins"} <= again.hand(C)


def test_dc_20_after_two_ties_no_shown_card_may_be_shown_again() -> None:
    hands = ("raven", "2-stars 3-stars 4-stars", "2-coins 3-coins 9-coins")
    game = arrange_rivals("ghost", hands, low_tie="replay-card")
    game.play("play raven", "pass", "pass", "show 2-stars", "show 2-coins", "show 3-stars", "show 3-coins")
    assert game.moves == {f"show {card}" for card in game.hand(B) - {"2-stars", "3-stars"}}
    game.play("show 4-stars", "show 9-coins")
    assert game.out == [B] and {"2-coins", "3-coins", "9-coins"} <= game.hand(C)


def test_dc_20_single_failed_player_shows_nothing() -> None:
    game = arrange_rivals("ghost", ("raven", "mists", ""))
    game.play("play raven", "play mists", "pass")
    assert game.out == [C] and not game.told("reveal")[1:]


@BOTH
@pytest.mark.parametrize("dealt", ["master-stars", "ghost"])
def test_dc_21_if_nobody_played_anything_all_throw(mode: str, dealt: str) -> None:
    game = arrange_game(dealt, ("3-coins", "9-coins", "2-glyphs"), mode=mode)
    game.play(*PASSES[mode], "throw 3-coins", "throw 9-coins", "throw 2-glyphs")
    assert game.out == [C]
    assert game.discarded >= {dealt, "3-coins", "9-coins", "2-glyphs"}
    assert game.refill() == [(A, 1), (B, 1)]


def test_dc_21_one_open_crown_is_enough_for_dc_20() -> None:
    game = arrange_game("ghost", ("", "", ""), crowns={A: "mists"})
    game.play("pass", "crown mists")
    assert game.moves == {f"forfeit {A}", f"forfeit {C}"}


def test_dc_30_hand_is_discarded_and_won_cards_stay_and_count() -> None:
    game = arrange_game("6-swords", ("2-coins", "9-stars", "8-coins"), won={A: "5-coins 7-coins"}, crowns={A: "mists"})
    hand = game.hand(A)
    game.play("pass", "throw 2-coins", "throw 9-stars", "throw 8-coins")
    assert game.out == [A] and game.hand(A) == set()
    assert hand <= game.discarded
    assert game.won(A) == {"5-coins", "7-coins"} and game.crowns(A) == {"mists"}
    game.state.finish("party")
    parts = game.outcome.scores[A]
    assert (parts["coins.total"], parts["crowns.count"], parts["survived"]) == (12, 1, 0)


GHOST = {A: "mists"}


@pytest.mark.parametrize("dealt", ["6-swords", "master-stars", "ghost"])
def test_dc_30_ghost_crowns_no_open_crowns_of_forfeited_players_cannot_be_used(dealt: str) -> None:
    game = arrange_game(dealt, ("", "", ""), crowns=GHOST, out=(A,))
    assert all(move.startswith("throw") for move in game.moves)


@pytest.mark.parametrize("dealt", ["6-swords", "master-stars", "ghost"])
def test_dc_30_ghost_crowns_yes_the_party_may_spend_them(dealt: str) -> None:
    game = arrange_game(dealt, ("", "", ""), crowns=GHOST, out=(A,), ghost_crowns="yes")
    assert game.moves == {"crown mists", "pass"}
    game.play("crown mists")
    assert not game.crowns(A) and "mists" in game.discarded


@pytest.mark.parametrize("dealt", ["6-swords", "master-stars", "ghost"])
def test_dc_30_ghost_crowns_yes_changes_nothing_in_competitive_play(dealt: str) -> None:
    game = arrange_rivals(dealt, ("", "", ""), crowns=GHOST, out=(A,), ghost_crowns="yes")
    game.play("pass", "pass")
    assert all(move.startswith("throw") for move in game.moves)


def test_dc_30_forfeited_player_is_never_asked_again() -> None:
    game = arrange_rivals("ghost", ("", "raven", ""), crowns=GHOST, out=(A,))
    game.play("play raven", "pass")
    assert game.out == [C]


CAUSES = [
    ("6-swords", ("1-coins", "9-coins", "8-coins"), ("throw 1-coins", "throw 9-coins", "throw 8-coins"), "thrown"),
    ("master-stars", ("", "1-stars", "2-stars"), ("play 1-stars", "play 2-stars"), "hero"),
    ("master-stars", ("", "1-stars", ""), ("play 1-stars", "forfeit 0"), "hero"),
    ("ghost", ("", "raven", "mists"), ("play raven", "play mists"), "crown"),
    ("ghost", ("", "raven", ""), ("play raven", "forfeit 0"), "crown"),
]


@pytest.mark.parametrize(("dealt", "hands", "moves", "cause"), CAUSES)
def test_g_12_every_forfeit_is_recorded_with_its_round_and_its_cause(
    dealt: str, hands: tuple[str, ...], moves: tuple[str, ...], cause: str
) -> None:
    game = arrange_game(dealt, hands)
    game.play(*moves)
    assert game.state.at.forfeits == ((1, A, cause, "unable"),)


def test_g_12_forfeit_by_a_shown_card_is_described_as_one() -> None:
    game = arrange_rivals("ghost", ("raven", "2-coins", "9-coins"))
    game.play("play raven", "pass", "pass", "show 2-coins", "show 9-coins")
    assert game.state.at.forfeits == ((1, B, "shown", "unable"),)
    game.state.finish("score")
    told = [sentence.render("ABC".__getitem__, str) for label, sentence in game.outcome.facts if label == "Forfeit"]
    assert told == ["B in round 1: showed the lowest card"]
