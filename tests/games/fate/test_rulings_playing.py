"""Playing Fates: matching, movement, Moments of Truth and the wild Crown (TF-11 to TF-18, TF-30)."""

from random import Random

import pytest

from tests.games.fate.position import CARDS, GAME, A, B, Play, arrange_game
from vaultkit.games.turn import HIDDEN
from vaultkit.games.turn_of_fate.rules import RIVAL


def move_moons(hand: str, **where: object) -> Play:
    """Return a game in which the Moons, in seat A with this hand, are to move."""
    return arrange_game((hand, ""), **where)  # type: ignore[arg-type]


def move_wyrms(hand: str, **where: object) -> Play:
    """Return a game in which the Wyrms, in seat B with this hand, are to move."""
    return arrange_game(("", hand), mover=B, **where)  # type: ignore[arg-type]


def test_tf_11_player_may_hold_back_although_able_to_play() -> None:
    game = move_moons("9ms", agora="3sk")
    assert game.moves == {"play 9ms 3sk", "pass"}
    game.play("pass")
    assert game.agora == {"3sk"} and game.chance.name == "fate"


def test_tf_11_a_pass_without_a_choice_is_still_asked() -> None:
    game = move_moons("9ms", agora="9lk")
    assert game.moves == {"pass"} and game.prompt.ask_always


def test_tf_11_hand_has_no_limit() -> None:
    game = move_moons("Am As Aw Al Ak 2wl 3mw 4ms 5sw 5ml 6lk 7sk", agora="5yk", deck="7ml 8wl")
    game.play("pass")
    game.luck("7ml 8wl")
    assert len(game.hand(A)) == 14


def test_tf_12_one_common_suit_with_the_top_card_is_enough() -> None:
    game = move_moons("8wl 7sk", agora="4wl, 9lk, 6mw 3mw", congregations=("2mk 6lk", "3ly 9wy"))
    assert game.moves == {
        "play 8wl 4wl", "play 8wl 9lk", "play 8wl 6mw", "play 8wl 2mk", "play 8wl 3ly", "play 7sk 9lk", "play 7sk 2mk",
        "pass",
    }  # fmt: skip


def test_tf_12_a_card_of_the_rivals_suit_alone_locks_a_citizen() -> None:
    locked = move_moons("Am As Aw Al Ak Xw Xl Xk 9ms", congregations=("", "6mw Xy, 3ly Ay"))
    assert locked.moves == {"pass"}


def test_tf_12_nobody_ever_holds_the_rivals_suit() -> None:
    for temple, rival in RIVAL.items():
        free = [fate for fate in CARDS.fates if fate not in CARDS.bearing[rival]]
        assert CARDS.matching["A" + rival[0].lower() if rival != "Wyrms" else "Ay"].isdisjoint(free), temple


def test_tf_13_movement_by_an_ordinary_fate() -> None:
    rivals = move_moons("3mw", congregations=("", "6sy 5sw"))
    rivals.play("play 3mw 6sy")
    assert rivals.agora == {"6sy 5sw 3mw"} and not rivals.congregation(B)
    agora = move_moons("3mw", agora="4wl")
    agora.play("play 3mw 4wl")
    assert agora.congregation(A) == {"4wl 3mw"} and not agora.agora
    own = move_moons("3mw", congregations=("6mw", ""))
    own.play("play 3mw 6mw")
    assert own.congregation(A) == {"6mw 3mw"}


@pytest.mark.parametrize(
    ("fate", "beneath", "own", "moment"),
    [
        ("3mw", "7ml", False, True),
        ("3mw", "8ms", False, False),
        ("Aw", "9lk", False, True),
        ("Aw", "8wl", False, False),
        ("Aw", "8wl", True, True),
        ("Xw", "8wl", False, True),
        ("Xw", "Aw", False, True),
    ],
)
def test_tf_14_conditions_of_a_moment_of_truth(fate: str, beneath: str, own: bool, moment: bool) -> None:
    assert CARDS.is_moment(fate, beneath, own) is moment


def test_tf_14_only_the_card_directly_beneath_counts() -> None:
    game = move_moons("6lk", agora="4wl 8wl")
    game.play("play 6lk 4wl")
    assert game.congregation(A) == {"4wl 8wl 6lk"}, "not 4 + 6, and not 18"


def test_tf_14_the_zone_before_the_move_decides() -> None:
    game = move_moons("Aw", agora="6mw")
    game.play("play Aw 6mw")
    assert game.congregation(A) == {"6mw Aw"}, "it was no Congregation of the own when the Ace was played"


def test_tf_15_moment_wins_over_a_rivals_citizen_and_brings_others_into_the_temple() -> None:
    rivals = move_moons("4ms", congregations=("", "6sy"))
    rivals.play("play 4ms 6sy")
    assert rivals.congregation(A) == {"6sy 4ms"} and not rivals.temple(A)
    for where in ({"agora": "6mw"}, {"congregations": ("6mw", "")}):
        game = move_moons("Xw", **where)
        game.play("play Xw 6mw")
        assert game.temple(A) == {"6mw Xw"} and not game.state.at.in_play


def test_tf_15_a_temple_is_out_of_reach() -> None:
    game = move_moons("9ms", vowed=("", "6sy"), agora="8ms")
    assert game.moves == {"play 9ms 8ms", "pass"}


def test_tf_16_an_ace_elsewhere_is_an_ordinary_fate() -> None:
    assert not CARDS.is_moment("Aw", "6mw", False)
    rivals = move_moons("As", congregations=("", "6sy"))
    rivals.play("play As 6sy")
    assert rivals.agora == {"6sy As"}


@pytest.mark.parametrize("fate", [fate for fate in CARDS.fates if fate not in CARDS.crowns])
def test_tf_17_crown_beneath_never_makes_a_sum_of_ten(fate: str) -> None:
    for crown in CARDS.crowns:
        assert not CARDS.is_moment(fate, crown, False)
        assert CARDS.is_moment(fate, crown, True) is (fate in CARDS.aces)


def test_tf_18_the_wild_crown_of_the_wyrms_and_of_the_leaves() -> None:
    game = move_wyrms("Xy Ak 4yk", congregations=("6mw", "3ly"))
    assert {move for move in game.moves if move.startswith("wild")} == {"wild Ak Xy 6mw", "wild Ak Xy 3ly"}
    leaves = arrange_game(("Xl As", ""), temples="Leaves Suns", agora="5yk")
    assert "wild As Xl 5yk" in leaves.moves


@pytest.mark.parametrize("hand", ["Xl Al", "Ay Ak", "Xy 4yk"])
def test_tf_18_wild_crown_needs_an_ace_and_no_other_crown(hand: str) -> None:
    assert not {move for move in move_wyrms(hand, agora="6mw").moves if move.startswith("wild")}


def test_tf_18_moons_and_suns_have_no_wild_crown() -> None:
    assert not {move for move in move_moons("Xl Xw Xk Am", agora="5yk").moves if move.startswith("wild")}
    suns = arrange_game(("", "Xy Xw As"), temples="Leaves Suns", mover=B, agora="6mw")
    assert not {move for move in suns.moves if move.startswith("wild")}


def test_tf_18_wild_crown_may_be_used_where_it_would_match_and_counts_as_one_fate() -> None:
    game = move_wyrms("Xy Ak", agora="5yk", deck="7wy 8yk")
    assert {"play Xy 5yk", "wild Ak Xy 5yk"} <= game.moves
    game.play("wild Ak Xy 5yk")
    assert game.temple(B) == {"5yk Xy"}
    game.luck("7wy")
    assert game.hand(B) == {"7wy"} and game.chance.name == "citizen"


def test_tf_18_both_players_know_the_ace_at_the_bottom() -> None:
    game = move_wyrms("Xy Ak", agora="6mw", deck="7wy 8yk", bottom="9wy", known=("9wy", ""))
    game.play("wild Ak Xy 6mw")
    assert game.deck[1] == ("9wy", "Ak")
    assert game.state.view(A).at.fates.bottom == ("9wy", "Ak")
    assert game.state.view(B).at.fates.bottom == (HIDDEN, "Ak")


def test_tf_18_the_ace_may_be_removed_instead() -> None:
    game = move_wyrms("Xy Ak", agora="6mw", deck="7wy 8yk", ace_discard="removed")
    game.play("wild Ak Xy 6mw")
    assert "Ak" in game.state.at.removed and not game.deck[1]


def test_tf_30_a_stolen_believer_is_treated_like_anybody() -> None:
    game = move_moons("9ms Am", congregations=("", "8ms 2sy"))
    assert game.moves == {"play 9ms 8ms", "pass"}
    game.play("play 9ms 8ms")
    assert game.agora == {"8ms 2sy 9ms"}


def test_moves_that_end_the_game_are_marked_for_people() -> None:
    game = move_moons("Xw 3mw", congregations=("6mw", ""), citizens="")
    assert [move.id for move, _ in game.prompt.ends] == ["play Xw 6mw"]
    idle = move_moons("5ml", agora="9lk", citizens="", deck="", idle=1)
    assert [move.id for move, _ in idle.prompt.ends] == ["pass"]
    assert not move_moons("5ml", agora="9lk", citizens="", deck="7wy", idle=1).prompt.ends, "the deck is not known"
    assert not move_moons("Xw", congregations=("6mw", "")).prompt.ends
    full = move_moons("9ms", agora="8ms, 9lk, 3sk, 5yk", deck="", idle=1, introduce="refill-to-4")
    assert [move.id for move, _ in full.prompt.ends] == ["pass"], "nobody will be introduced either"
    choice = move_moons("9ms", agora="8ms", deck="", idle=1, introduce="optional")
    choice.play("pass")
    assert [move.id for move, _ in choice.prompt.ends] == ["pass"]


def test_a_bot_may_sample_from_any_of_these_positions() -> None:
    game = move_wyrms("Xy Ak", agora="6mw", deck="7wy 8yk", bottom="9wy", known=("9wy", ""))
    for seat in (A, B):
        view = game.state.view(seat)
        assert GAME.determinize(view, Random(1)).view(seat) == view
