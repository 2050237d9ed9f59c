"""The worked scenarios TF-S1 to TF-S15. In those of Moons and Wyrms, Moons sit in seat A and Wyrms in seat B."""

from tests.games.fate.position import CARDS, A, B, begin, standing
from vaultkit.games.turn import HIDDEN
from vaultkit.games.turn_of_fate import rules

LAST = "2mk"
"""A Citizen left to introduce, so that the game does not end."""


def test_tf_s1_the_sailor_leads_to_the_leaves() -> None:
    game = begin("0 4wl")
    assert game.state.at.temples == ("Leaves", "Suns") and game.congregation(A) == {"4wl"}
    game.any_luck()
    assert game.asked == A


def test_tf_s2_the_soldier_leads_to_the_wyrms_who_also_move_first() -> None:
    game = begin("0 5yk")
    assert game.state.at.temples == ("Wyrms", "Moons")
    game.any_luck()
    assert game.asked == A


def test_tf_s2_the_bard_leads_to_the_suns_and_goes_straight_into_their_temple() -> None:
    game = begin("0 Xs")
    assert game.state.at.temples == ("Suns", "Leaves") and game.temple(A) == {"Xs"}
    game.luck("3sk 9lk 2mk")
    assert game.chance.name == "citizen"
    game.luck("4wl")
    assert len(game.state.at.in_play) == 4 and game.chance.name == "fate"
    assert [event.seat for event in game.told("introduce")] == [B] * 4


def test_tf_s3_huntress_and_bard_in_step_4() -> None:
    for card, temple in (("Xm", {"Xm"}), ("Xs", set())):
        game = standing(("", ""), mover=B, agora="9lk", deck="", citizens=f"{card} 2mk")
        game.play("pass")
        game.luck(card)
        assert game.temple(A) == temple and not game.temple(B)
        assert (card in game.state.at.removed) is (card == "Xs")
        assert game.asked == A, "no replacement"
    huntress = rules.sheet((), (("Xm",),), "Moons", CARDS)
    assert huntress["total"] == 10


def test_tf_s4_twelve_is_no_moment() -> None:
    game = standing(("8wl", ""), agora="4wl")
    game.play("play 8wl 4wl")
    assert game.congregation(A) == {"4wl 8wl"} and not game.told("vows")


def test_tf_s5_the_market_on_the_sailor() -> None:
    game = standing(("6lk", ""), agora="4wl")
    game.play("play 6lk 4wl")
    assert game.temple(A) == {"4wl 6lk"}
    assert rules.worth(("4wl", "6lk"), "Moons", CARDS) == 10


def test_tf_s6_a_moment_wins_the_diplomat_over() -> None:
    game = standing(("", "2sy"), mover=B, congregations=("8ms", ""))
    game.play("play 2sy 8ms")
    assert game.congregation(B) == {"8ms 2sy"} and not game.temple(B)
    assert rules.worth(("8ms", "2sy"), "Wyrms", CARDS) == 18


def test_tf_s7_thirteen_brings_the_lunatic_to_the_agora() -> None:
    game = standing(("", "7wy"), mover=B, congregations=("6mw", ""))
    game.play("play 7wy 6mw")
    assert game.agora == {"6mw 7wy"}


def test_tf_s8_the_ace_of_leaves_in_three_places() -> None:
    own = standing(("", "Al"), mover=B, congregations=("", "3ly"))
    own.play("play Al 3ly")
    assert own.temple(B) == {"3ly Al"} and rules.worth(("3ly", "Al"), "Wyrms", CARDS) == 3 + 1
    nine = standing(("", "Al"), mover=B, agora="9lk")
    nine.play("play Al 9lk")
    assert nine.temple(B) == {"9lk Al"}
    four = standing(("", "Al"), mover=B, agora="4wl")
    four.play("play Al 4wl")
    assert four.congregation(B) == {"4wl Al"} and not four.temple(B)


def test_tf_s9_the_wild_calamity_wins_and_locks_the_lunatic() -> None:
    game = standing(("Am As Aw Al Xw Xl Xk 9ms", "Ak Xy"), mover=B, congregations=("6mw", ""), deck="", citizens="5yk")
    game.play("wild Ak Xy 6mw")
    assert game.congregation(B) == {"6mw Xy"}
    assert rules.worth(("6mw", "Xy"), "Wyrms", CARDS) == 6 * 2 + 10 == 22
    game.any_luck()
    assert game.asked == A
    assert not {move for move in game.moves if move.endswith("6mw")}


def test_tf_s10_the_sea_on_an_own_lunatic() -> None:
    game = standing(("Xw", ""), congregations=("6mw", ""))
    game.play("play Xw 6mw")
    assert game.temple(A) == {"6mw Xw"} and rules.worth(("6mw", "Xw"), "Moons", CARDS) == 16


def test_tf_s11_cave_and_battle_go_under_the_deck() -> None:
    game = standing(("9ms", ""), agora="3sk", deck="7wy 4yk 8wl 3mw", citizens=LAST)
    game.play("play 9ms 3sk")
    game.luck("7wy 4yk 8wl")
    assert game.hand(A) == {"8wl"} and game.deck == ({"3mw"}, ("7wy", "4yk"))
    drawn = [event for event in game.told("draw") if event.visible_to(B)]
    assert [event.sentence.values for event in drawn] == [(2,)] and not drawn[0].cards
    assert game.state.view(B).at.fates.bottom == (HIDDEN, HIDDEN)


def test_tf_s12_nothing_but_the_rivals_cards() -> None:
    game = standing(("9ms", ""), agora="3sk", deck="7wy 9wy", citizens=LAST)
    game.play("play 9ms 3sk")
    game.luck("7wy 9wy")
    assert not game.hand(A) and game.deck == (set(), ("7wy", "9wy"))
    assert game.chance.name == "citizen"


def test_tf_s13_the_game_ends_although_the_opponent_could_play() -> None:
    game = standing(("9ms", "4yk"), agora="9lk", deck="", citizens="")
    assert game.turn is None and game.outcome.kind == "no-fate"
    assert game.outcome.reason.seats[2] == A


def test_tf_s14_both_hold_back_and_the_game_is_stalled() -> None:
    game = standing(("6lk", "4yk"), agora="9lk", deck="", citizens="")
    game.play("pass")
    assert game.asked == B
    game.play("pass")
    assert game.turn is None and game.outcome.kind == "stalled"


def test_tf_s15_painter_and_savage_between_suns_and_leaves() -> None:
    assert rules.sheet((("3sk",),), (), "Leaves", CARDS)["total"] == 6
    assert rules.sheet((), (("3ly",),), "Leaves", CARDS)["total"] == 3
