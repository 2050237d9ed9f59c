"""The worked scenarios TF-S1 to TF-S15; Moons sit in seat A and Wyrms in seat B."""

import pytest

from tests.games.fate.position import CARDS, A, B, arrange_game, begin
from tests.games.playing import faults_of, name_of, scenarios
from vaultkit.games.turn import HIDDEN
from vaultkit.games.turn_of_fate import rules
from vaultkit.session.examples.parser import Example

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


def test_tf_s2_bard_leads_to_the_suns_and_enters_their_temple_directly() -> None:
    game = begin("0 Xs")
    assert game.state.at.temples == ("Suns", "Leaves") and game.temple(A) == {"Xs"}
    game.luck("3sk 9lk 2mk")
    assert game.chance.name == "citizen"
    game.luck("4wl")
    assert len(game.state.at.in_play) == 4 and game.chance.name == "fate"
    assert [event.seat for event in game.told("introduce")] == [B] * 4


def test_tf_s3_huntress_and_bard_in_step_4() -> None:
    for card, temple in (("Xm", {"Xm"}), ("Xs", set())):
        game = arrange_game(("", ""), mover=B, agora="9lk", deck="", citizens=f"{card} 2mk")
        game.play("pass")
        game.luck(card)
        assert game.temple(A) == temple and not game.temple(B)
        assert (card in game.state.at.removed) is (card == "Xs")
        assert game.asked == A, "no replacement"
    huntress = rules.score_parts((), (("Xm",),), "Moons", CARDS)
    assert huntress["total"] == 10


def test_tf_s8_the_ace_of_leaves_in_three_places() -> None:
    own = arrange_game(("", "Al"), mover=B, congregations=("", "3ly"))
    own.play("play Al 3ly")
    assert own.temple(B) == {"3ly Al"} and rules.citizen_points(("3ly", "Al"), "Wyrms", CARDS) == 3 + 1
    nine = arrange_game(("", "Al"), mover=B, agora="9lk")
    nine.play("play Al 9lk")
    assert nine.temple(B) == {"9lk Al"}
    four = arrange_game(("", "Al"), mover=B, agora="4wl")
    four.play("play Al 4wl")
    assert four.congregation(B) == {"4wl Al"} and not four.temple(B)


def test_tf_s9_the_wild_calamity_wins_and_locks_the_lunatic() -> None:
    game = arrange_game(
        ("Am As Aw Al Xw Xl Xk 9ms", "Ak Xy"), mover=B, congregations=("6mw", ""), deck="", citizens="5yk"
    )
    game.play("wild Ak Xy 6mw")
    assert game.congregation(B) == {"6mw Xy"}
    assert rules.citizen_points(("6mw", "Xy"), "Wyrms", CARDS) == 6 * 2 + 10 == 22
    game.any_luck()
    assert game.asked == A
    assert not {move for move in game.moves if move.endswith("6mw")}


def test_tf_s11_cave_and_battle_are_put_under_the_deck() -> None:
    game = arrange_game(("9ms", ""), agora="3sk", deck="7wy 4yk 8wl 3mw", citizens=LAST)
    game.play("play 9ms 3sk")
    game.luck("7wy 4yk 8wl")
    assert game.hand(A) == {"8wl"} and game.deck == ({"3mw"}, ("7wy", "4yk"))
    drawn = [event for event in game.told("draw") if event.is_visible_to(B)]
    assert [event.sentence.values for event in drawn] == [(2,)] and not drawn[0].cards
    assert game.state.view(B).at.fates.bottom == (HIDDEN, HIDDEN)


def test_tf_s12_only_cards_of_the_rival_remain() -> None:
    game = arrange_game(("9ms", ""), agora="3sk", deck="7wy 9wy", citizens=LAST)
    game.play("play 9ms 3sk")
    game.luck("7wy 9wy")
    assert not game.hand(A) and game.deck == (set(), ("7wy", "9wy"))
    assert game.chance.name == "citizen"


def test_tf_s15_painter_and_savage_between_suns_and_leaves() -> None:
    assert rules.score_parts((("3sk",),), (), "Leaves", CARDS)["total"] == 6
    assert rules.score_parts((), (("3ly",),), "Leaves", CARDS)["total"] == 3


@pytest.mark.parametrize("example", scenarios(__file__), ids=name_of)
def test_scenario_written_as_an_example_is_fulfilled(example: Example) -> None:
    assert faults_of(example) == []
