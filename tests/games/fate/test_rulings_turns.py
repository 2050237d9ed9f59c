"""The steps of a turn and the ends of the game (TF-20 to TF-24)."""

import pytest

from tests.games.fate.position import A, B, Play, arrange_game
from vaultkit.games.turn import Chance, Prompt

FULL = "3sk, 9lk, 4wl"


def begin_step_4(**more: object) -> Play:
    """Return a game in which the Moons have played the Mountain on the Author, and lead two of four Citizens."""
    agora = str(more.pop("agora", FULL))
    game = arrange_game(("4ms", ""), congregations=("2mk", ""), agora=agora, deck="5ml 7wy 8wl", **more)  # type: ignore[arg-type]
    game.play("play 4ms 2mk")
    game.luck("5ml")
    return game


def is_over(game: Play) -> bool:
    return game.turn is None


def test_tf_20_exactly_one_introduction_is_mandatory() -> None:
    game = begin_step_4()
    game.luck("5yk")
    assert game.congregation(B) == {"5yk"} and game.asked == B


def test_tf_20_nobody_is_introduced_when_the_citizen_deck_is_empty() -> None:
    game = begin_step_4(citizens="")
    assert game.asked == B


def test_tf_20_option_refill_to_four() -> None:
    full = begin_step_4(introduce="refill-to-4")
    assert full.asked == B, "four are in play"
    two = begin_step_4(introduce="refill-to-4", agora="3sk")
    two.luck("Xm 5yk")
    assert two.chance.name == "citizen", "the Huntress is not in play"
    two.luck("9lk")
    assert two.asked == B and len(two.state.at.in_play) == 4


def test_tf_20_refilling_stops_with_the_deck() -> None:
    game = begin_step_4(introduce="refill-to-4", agora="3sk", citizens="5yk")
    game.luck("5yk")
    assert game.asked == B


def test_tf_20_introduction_may_be_optional() -> None:
    game = begin_step_4(introduce="optional")
    assert game.asked == A and game.moves == {"introduce", "pass"}
    game.play("pass")
    assert game.asked == B and not game.congregation(B)
    other = begin_step_4(introduce="optional")
    other.play("introduce")
    other.luck("5yk")
    assert other.congregation(B) == {"5yk"} and other.asked == B


def test_tf_21_bard_and_huntress_count_as_the_introduction() -> None:
    game = begin_step_4()
    game.luck("Xs")
    assert game.asked == B


@pytest.mark.parametrize("introduce", ["one", "optional"])
def test_tf_21_option_introduces_another_until_an_ordinary_one(introduce: str) -> None:
    game = begin_step_4(special_replace="yes", introduce=introduce)
    if introduce == "optional":
        game.play("introduce")
    game.luck("Xs Xm")
    assert game.chance.name == "citizen"
    game.luck("5yk")
    assert game.asked == B


def test_tf_21_option_introduces_others_until_the_deck_is_empty() -> None:
    game = begin_step_4(special_replace="yes", citizens="Xs Xm")
    game.luck("Xs Xm")
    assert game.asked == B


def test_tf_22_game_ends_at_the_start_of_a_turn() -> None:
    game = arrange_game(("9ms", "4yk"), agora="9lk", deck="7wy", citizens="")
    assert is_over(game) and game.outcome.kind == "no-fate"


@pytest.mark.parametrize(
    "more",
    [
        {"citizens": "2mk"},
        {"hands": ("Ak", "4yk")},
        {"deck": "7wy 8wl"},
        {"deck": "7wy", "bottom": "8wl"},
    ],
    ids=["a Citizen is left", "a Fate can be played", "one can be drawn", "one can be drawn from the bottom"],
)
def test_tf_22_game_continues_if_any_of_the_three_conditions_is_missing(more: dict[str, object]) -> None:
    settings = {"hands": ("9ms", "4yk"), "agora": "9lk", "deck": "7wy", "citizens": "", **more}
    assert isinstance(arrange_game(**settings).turn, Prompt)  # type: ignore[arg-type]


def test_tf_22_a_wild_crown_is_a_play() -> None:
    settings = {"mover": B, "agora": "6mw", "deck": "", "citizens": ""}
    assert isinstance(arrange_game(("", "Xy Ak"), **settings).turn, Prompt)  # type: ignore[arg-type]
    assert is_over(arrange_game(("", "Xy 4yk"), **settings))  # type: ignore[arg-type]


def test_tf_22_end_is_tested_for_the_mover_after_drawing() -> None:
    game = arrange_game(("4ms", "4yk"), agora="8ms, 9lk", deck="", citizens="")
    game.play("play 4ms 8ms")
    assert is_over(game) and game.outcome.kind == "no-fate", "although the Wyrms could play on the Merchant"
    assert game.state.at.end is not None and game.state.at.end.seat == A


def test_tf_22_end_is_tested_for_the_rival_only_at_their_turn() -> None:
    game = arrange_game(("4ms 9ms", "4yk"), agora="8ms", deck="", citizens="")
    game.play("play 4ms 8ms")
    assert is_over(game) and game.state.at.end is not None and game.state.at.end.seat == B


def test_tf_23_two_idle_turns_end_the_game() -> None:
    game = arrange_game(("4ms", "4yk"), agora="8ms, 9lk", deck="", citizens="")
    game.play("pass")
    assert not is_over(game)
    game.play("pass")
    assert is_over(game) and game.outcome.kind == "stalled"


def test_tf_23_play_resets_the_idle_turns() -> None:
    game = arrange_game(("4ms 6lk", "4yk"), agora="8ms, 9lk", deck="", citizens="", idle=1)
    game.play("play 4ms 8ms", "pass")
    assert not is_over(game) and game.asked == A


def test_tf_23_draw_resets_the_idle_turns_but_turning_cards_over_does_not() -> None:
    drawing = arrange_game(("4ms", "4yk"), agora="8ms, 9lk", deck="5ml", citizens="", idle=1)
    drawing.play("pass")
    drawing.luck("5ml")
    assert not is_over(drawing) and drawing.asked == B
    turning = arrange_game(("4ms", "4yk"), agora="8ms, 9lk", deck="7wy", citizens="", idle=1)
    turning.play("pass")
    turning.luck("7wy")
    assert is_over(turning) and turning.outcome.kind == "stalled"


def test_tf_23_introduction_resets_the_idle_turns() -> None:
    settings = {"agora": "8ms, 9lk", "deck": "", "citizens": "5yk 4wl", "idle": 1, "introduce": "optional"}
    game = arrange_game(("4ms", "4yk"), **settings)  # type: ignore[arg-type]
    game.play("pass", "introduce")
    assert isinstance(game.turn, Chance)
    game.luck("5yk")
    assert not is_over(game)
    holding = arrange_game(("4ms", "4yk"), **settings)  # type: ignore[arg-type]
    holding.play("pass", "pass")
    assert is_over(holding) and holding.outcome.kind == "stalled"


def test_tf_24_game_ends_at_once_after_the_vows_of_the_last_citizen() -> None:
    game = arrange_game(("Xw 9ms", "4yk"), congregations=("6mw", ""), deck="5ml 3mw", citizens="")
    game.play("play Xw 6mw")
    assert is_over(game) and game.outcome.kind == "nobody-left" and game.hand(A) == {"9ms"}, "nothing was drawn"


def test_tf_24_game_ends_after_the_last_introduction() -> None:
    game = arrange_game(("Xw 9ms", "4yk"), congregations=("6mw", ""), deck="5ml 3mw", citizens="Xs")
    game.play("play Xw 6mw")
    game.luck("5ml Xs")
    assert is_over(game) and game.outcome.kind == "nobody-left"


def test_tf_24_citizen_in_the_agora_is_in_play() -> None:
    game = arrange_game(("Xw 9ms", "4yk"), congregations=("6mw", ""), agora="9lk", deck="5ml 3mw", citizens="")
    game.play("play Xw 6mw")
    game.luck("5ml")
    assert not is_over(game)
