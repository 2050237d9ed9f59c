"""The worked scenarios DD-S1 to DD-S12."""

import pytest

from tests.games.destiny.position import DECK, GAME, SEVEN, Play, begin, cards, complete, play_passive, rules
from tests.games.playing import faults_of, name_of, scenarios
from vaultkit.games.hands import Category
from vaultkit.games.turn import Chance
from vaultkit.session.examples.parser import Example
from vaultkit.session.seeded_choices import deal


def test_dd_s1_character_without_cards_cannot_enter() -> None:
    game = begin("")
    assert game.moves == ["retreat"] and not game.prompt.ask_always
    game.play("retreat")
    assert game.outcome.kind == "retreat" and game.outcome.rulings == ("DD-4",)
    assert game.inventory == () and game.veiled == 52


@pytest.mark.parametrize(
    ("added", "inventory", "sizes"),
    [("KS QS JS", SEVEN, 3), ("", SEVEN, 0), ("KS QS JS TS 9S", SEVEN, 1), ("KS QS JS TS 9S", f"{SEVEN} 2D 3D", 3)],
)
def test_dd_s2_number_of_cards_that_may_be_added_in_phase_3(added: str, inventory: str, sizes: int) -> None:
    game = begin(inventory).lay("AS").luck("2C 3C 4C").play("proceed").add(added).luck("5C").play("proceed")
    for count in range(sizes + 1):
        assert "done" in game.moves, f"{count} may be all"
        if count < sizes:
            game.play(game.moves[0])
    assert game.moves == ["done"]


def test_dd_s3_royal_flush_without_a_board_card_does_not_count() -> None:
    value, hand = rules().find_best(cards("AS KS QS JS TS"), cards("2C 3D 4H 7C 9D"))
    assert value.category is Category.STRAIGHT
    assert set(hand) == {*cards("KS QS JS TS 9D")}


@pytest.mark.parametrize(
    ("own", "passive", "kind"),
    [("2C 2D", "at-least", "win"), ("2C 2D", "exact", "loss"), ("2H 3H 2D", "exact", "win"), ("4C", "exact", "loss")],
)
def test_dd_s5_full_house_where_a_flush_is_requested(own: str, passive: str, kind: str) -> None:
    game = play_passive(own, "2S 5H 5S 9H KH", "flush", passive=passive, reward="none")
    assert game.outcome.kind == kind
    best = game.state.at.end.best if game.state.at.end else None
    assert best is not None
    assert (best.value.category is Category.FULL_HOUSE) is (own != "4C")


def test_dd_s7_four_of_a_kind_with_a_kicker_of_the_board() -> None:
    value, hand = rules(strength=7).find_best(cards("5C 5D 5H 5S KC QD JS"), cards("2D 8C 9S 3H 4D"))
    assert value.category is Category.FOUR
    assert set(hand) == {*cards("5C 5D 5H 5S 9S")}


def test_dd_s8_six_of_seven_cards_are_lost() -> None:
    game = begin("2C 4D 7H 9S JC KD 3S", strength=3).lay("2C").luck("5H 8D TS")
    game.play("proceed").add("4D 7H 9S").luck("QC").play("proceed").add("JC KD")
    assert len(game.inventory) == 1
    game.luck("AC AD AS").luck("AH")
    assert (game.outcome.kind, game.inventory, game.veiled) == ("loss", cards("3S"), 51)


def test_dd_s8_reward_comes_from_the_veiled_deck() -> None:
    game = begin("AC AD AH AS JC KD 3S", strength=3).lay("AC").luck("5H 8D TS")
    game.play("proceed").add("AD AH AS").luck("QC").play("proceed").add("JC KD").luck("2C 4D 7H").luck("6C")
    assert game.chance.name == "reward" and game.chance.count == 4 and len(game.chance.pile) == 51
    game.luck("AC 2C 6C 9H")
    assert (game.outcome.kind, len(game.inventory), game.veiled) == ("win", 5, 47)
    told = {name: fact.cards for name, fact in game.outcome.facts}
    assert told == {
        "Kind": (),
        "Laid in phase 1": cards("AC"),
        "Laid in phase 2": cards("AD AH AS"),
        "Laid in phase 3": cards("JC KD"),
        "Board": cards("5H 8D TS QC 6C"),
        "Opponent": cards("2C 4D 7H"),
        "Best hand": cards("AC AD AH AS QC"),
        "Best hand of the opponent": told["Best hand of the opponent"],
        "Reward": cards("AC 2C 6C 9H"),
        "Inventory": game.inventory,
    }
    assert set(told["Best hand of the opponent"]) == {*cards("8D 7H 6C 5H 4D")}
    assert game.outcome.scores[0] == {"before": 7, "played": 6, "back": 0, "gained": 4, "after": 5}


def test_dd_s9_wheel_is_a_straight_and_beats_three_of_a_kind() -> None:
    board = cards("2C 3D 4H 5C KS")
    value, _ = rules().find_best(cards("AD"), board)
    assert value.category is Category.STRAIGHT and value.ranks[0] == 5
    assert value > rules().find_best(cards("KD KH"), board)[0]
    assert value < rules().find_best(cards("6D"), board)[0]


def test_dd_s12_the_same_seed_and_cards_give_the_same_encounter() -> None:
    def play_until(seed: int, wanted: int) -> Play:
        game, step = Play(GAME.new(1, complete(), DECK)), 0
        while game.turn is not None:
            step += 1
            if isinstance(game.turn, Chance):
                game.apply(deal(game.turn, seed, step))
            else:
                adding = len(game.state.at.laid[1]) < wanted
                game.apply(game.prompt.moves[0 if adding or game.moves[-1] != "done" else -1])
        return game

    for seed in range(5):
        one, other = play_until(seed, 2), play_until(seed, 2)
        assert one.events == other.events and one.outcome == other.outcome
    assert play_until(0, 2).events != play_until(1, 2).events


@pytest.mark.parametrize("example", scenarios(__file__), ids=name_of)
def test_scenario_written_as_an_example_is_fulfilled(example: Example) -> None:
    assert faults_of(example) == []
