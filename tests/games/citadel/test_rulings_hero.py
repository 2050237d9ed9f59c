"""DC-15 to DC-19: every player answers the dealer's hero."""

from tests.games.citadel.position import A, B, C, arrange_game, arrange_rivals


def test_dc_15_hero_must_be_answered_by_all_but_not_beaten() -> None:
    game = arrange_game("master-stars", ("1-stars", "2-stars", "3-stars"))
    game.play("play 1-stars", "play 2-stars", "play 3-stars")
    assert game.won(C) == {"master-stars", "1-stars", "2-stars", "3-stars"}
    assert not game.out and not game.discarded


def test_dc_15_forfeited_player_need_not_answer() -> None:
    game = arrange_game("master-stars", ("1-stars", "", "3-stars"), out=(B,))
    game.play("play 1-stars", "play 3-stars")
    assert game.won(C) == {"master-stars", "1-stars", "3-stars"}


def test_dc_16_crowns_open_stay_with_those_who_played_them() -> None:
    game = arrange_game("master-stars", ("raven", "2-stars", "ghost"))
    game.play("play raven", "play 2-stars", "play ghost")
    assert game.won(B) == {"master-stars", "2-stars"}
    assert game.crowns(A) == {"raven"} and game.crowns(C) == {"ghost"} and not game.crowns(B)
    assert not game.discarded


def test_dc_16_crowns_discard_discards_them() -> None:
    game = arrange_game("master-stars", ("raven", "2-stars", "ghost"), hero_crowns="discard")
    game.play("play raven", "play 2-stars", "play ghost")
    assert game.won(B) == {"master-stars", "2-stars"}
    assert not game.crowns(A) and not game.crowns(C)
    assert game.discarded == {"raven", "ghost"}


def crowns_only(**options: object) -> tuple[set[str], set[str], list[set[str]]]:
    game = arrange_game("master-stars", ("", "raven", "ghost"), out=(A,), **options)
    game.play("play raven", "play ghost")
    assert not game.out
    return game.discarded, game.won(B), [game.crowns(seat) for seat in (A, B, C)]


def test_dc_17_all_crowns_discard_nobody_gets_the_hero() -> None:
    assert crowns_only() == ({"master-stars"}, set(), [set(), {"raven"}, {"ghost"}])


def test_dc_17_all_crowns_first_player_gives_the_hero_to_the_first_still_in() -> None:
    given = crowns_only(hero_all_crowns="first-player")
    assert given == (set(), {"master-stars"}, [set(), {"raven"}, {"ghost"}])


def test_dc_17_all_crowns_with_hero_crowns_discard() -> None:
    assert crowns_only(hero_crowns="discard") == ({"master-stars", "raven", "ghost"}, set(), [set(), set(), set()])


def test_dc_18_player_who_is_able_must_play_a_card_of_their_own_choice() -> None:
    game = arrange_game("master-stars", ("1-stars 9-stars raven", "", "2-stars"), crowns={A: "mists"})
    assert (game.asked, game.moves) == (A, {"play 1-stars", "play 9-stars", "play raven"})
    game.play("play raven")
    assert (game.asked, game.moves) == (C, {"play 2-stars"})


def test_dc_18_hero_of_another_suit_and_the_seer_do_not_answer_a_hero() -> None:
    game = arrange_game("master-stars", ("master-coins seer", "2-stars", "3-stars"))
    assert game.asked == B
    game.play("play 2-stars", "play 3-stars")
    assert (game.asked, game.moves) == (A, {"pass", "joker"})


def test_dc_19_yes_in_co_op_any_open_crown_covers_a_player() -> None:
    game = arrange_game("master-stars", ("1-stars", "", ""), crowns={A: "mists", B: "raven", C: "ghost"})
    game.play("play 1-stars")
    assert game.moves == {"crown mists", "crown raven", "crown ghost", "pass"}
    game.play("crown ghost")
    assert game.moves == {"crown mists", "crown raven", "pass"}
    game.play("crown mists")
    assert not game.out and not game.won(A)
    assert game.discarded == {"master-stars", "1-stars", "ghost", "mists"}


def test_dc_19_each_crown_covers_one_seat() -> None:
    game = arrange_game("master-stars", ("1-stars", "", ""), crowns={A: "mists"})
    game.play("play 1-stars", "crown mists")
    assert game.out == [C]
    assert game.discarded >= {"master-stars", "1-stars", "mists"}


def test_dc_19_the_party_may_choose_whom_to_cover() -> None:
    game = arrange_game("master-stars", ("1-stars", "", ""), crowns={A: "mists"})
    game.play("play 1-stars", "pass", "crown mists")
    assert game.out == [B]


def test_dc_19_in_competitive_play_only_own_crowns_cover() -> None:
    game = arrange_rivals("master-stars", ("1-stars", "", ""), crowns={A: "mists", C: "ghost"})
    game.play("play 1-stars", "pass", "pass")
    assert (game.asked, game.moves) == (C, {"crown ghost", "pass"})
    game.play("crown ghost")
    assert game.out == [B]
    assert game.crowns(A) == {"mists"}
    assert game.discarded >= {"master-stars", "1-stars", "ghost"}


def test_dc_19_no_open_crowns_save_nobody_in_a_hero_round() -> None:
    for mode, moves in (("coop", ["play 1-stars", "play 2-stars"]), ("competitive", ["play 1-stars", "play 2-stars"])):
        crowns = {A: "mists", C: "ghost"}
        game = arrange_game("master-stars", ("1-stars", "2-stars", ""), crowns=crowns, mode=mode, hero_open_crown="no")
        game.play(*moves, *(["pass"] if mode == "competitive" else []))
        assert game.out == [C]
        assert game.crowns(A) == {"mists"} and game.crowns(C) == {"ghost"}


def test_dc_19_no_does_not_affect_crown_rounds_and_number_rounds() -> None:
    crown = arrange_game("ghost", ("raven", "", "master-stars"), crowns={A: "mists"}, hero_open_crown="no")
    crown.play("play raven", "play master-stars")
    assert crown.moves == {"crown mists", "pass"}
    number = arrange_game("5-swords", ("", "", ""), crowns={A: "mists"}, hero_open_crown="no")
    assert number.moves == {"crown mists", "pass"}
