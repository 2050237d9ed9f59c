"""The steps of a turn and the ends of the game (TF-20 to TF-24)."""

import pytest

from tests.games.fate.position import A, B, Play, standing
from vaultkit.games.turn import Chance, Prompt

FULL = "3sk, 9lk, 4wl"


def at_step_4(**more: object) -> Play:
    """Return a game in which the Moons have played the Mountain on the Author, and lead two of four Citizens."""
    agora = str(more.pop("agora", FULL))
    game = standing(("4ms", ""), congregations=("2mk", ""), agora=agora, deck="5ml 7wy 8wl", **more)  # type: ignore[arg-type]
    game.play("play 4ms 2mk")
    game.luck("5ml")
    return game


def is_over(game: Play) -> bool:
    return game.turn is None


def test_tf_20_exactly_one_is_introduced_and_that_is_a_duty() -> None:
    game = at_step_4()
    game.luck("5yk")
    assert game.congregation(B) == {"5yk"} and game.asked == B


def test_tf_20_nobody_is_introduced_when_the_citizen_deck_is_empty() -> None:
    game = at_step_4(citizens="")
    assert game.asked == B


def test_tf_20_refill_to_four() -> None:
    full = at_step_4(introduce="refill-to-4")
    assert full.asked == B, "four are in play"
    two = at_step_4(introduce="refill-to-4", agora="3sk")
    two.luck("Xm 5yk")
    assert two.chance.name == "citizen", "the Huntress is not in play"
    two.luck("9lk")
    assert two.asked == B and len(two.state.at.in_play) == 4


def test_tf_20_refilling_stops_with_the_deck() -> None:
    game = at_step_4(introduce="refill-to-4", agora="3sk", citizens="5yk")
    game.luck("5yk")
    assert game.asked == B


def test_tf_20_an_optional_introduction() -> None:
    game = at_step_4(introduce="optional")
    assert game.asked == A and game.moves == {"introduce", "pass"}
    game.play("pass")
    assert game.asked == B and not game.congregation(B)
    other = at_step_4(introduce="optional")
    other.play("introduce")
    other.luck("5yk")
    assert other.congregation(B) == {"5yk"} and other.asked == B


def test_tf_21_bard_and_huntress_were_the_introduction() -> None:
    game = at_step_4()
    game.luck("Xs")
    assert game.asked == B


@pytest.mark.parametrize("introduce", ["one", "optional"])
def test_tf_21_or_another_follows_until_an_ordinary_one(introduce: str) -> None:
    game = at_step_4(special_replace="yes", introduce=introduce)
    if introduce == "optional":
        game.play("introduce")
    game.luck("Xs Xm")
    assert game.chance.name == "citizen"
    game.luck("5yk")
    assert game.asked == B


def test_tf_21_or_until_the_deck_is_empty() -> None:
    game = at_step_4(special_replace="yes", citizens="Xs Xm")
    game.luck("Xs Xm")
    assert game.asked == B


def test_tf_22_ends_at_the_start_of_a_turn() -> None:
    game = standing(("9ms", "4yk"), agora="9lk", deck="7wy", citizens="")
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
def test_tf_22_goes_on_if_any_of_the_three_is_missing(more: dict[str, object]) -> None:
    settings = {"hands": ("9ms", "4yk"), "agora": "9lk", "deck": "7wy", "citizens": "", **more}
    assert isinstance(standing(**settings).turn, Prompt)  # type: ignore[arg-type]


def test_tf_22_a_wild_crown_is_a_play() -> None:
    settings = {"mover": B, "agora": "6mw", "deck": "", "citizens": ""}
    assert isinstance(standing(("", "Xy Ak"), **settings).turn, Prompt)  # type: ignore[arg-type]
    assert is_over(standing(("", "Xy 4yk"), **settings))  # type: ignore[arg-type]


def test_tf_22_is_tested_for_the_mover_after_drawing() -> None:
    game = standing(("4ms", "4yk"), agora="8ms, 9lk", deck="", citizens="")
    game.play("play 4ms 8ms")
    assert is_over(game) and game.outcome.kind == "no-fate", "although the Wyrms could play on the Merchant"
    assert game.state.at.end is not None and game.state.at.end.seat == A


def test_tf_22_not_for_the_rival_after_drawing_but_at_his_turn() -> None:
    game = standing(("4ms 9ms", "4yk"), agora="8ms", deck="", citizens="")
    game.play("play 4ms 8ms")
    assert is_over(game) and game.state.at.end is not None and game.state.at.end.seat == B


def test_tf_23_two_idle_turns_end_the_game() -> None:
    game = standing(("4ms", "4yk"), agora="8ms, 9lk", deck="", citizens="")
    game.play("pass")
    assert not is_over(game)
    game.play("pass")
    assert is_over(game) and game.outcome.kind == "stalled"


def test_tf_23_a_play_breaks_the_chain() -> None:
    game = standing(("4ms 6lk", "4yk"), agora="8ms, 9lk", deck="", citizens="", idle=1)
    game.play("play 4ms 8ms", "pass")
    assert not is_over(game) and game.asked == A


def test_tf_23_a_draw_breaks_the_chain_but_turning_cards_over_does_not() -> None:
    drawing = standing(("4ms", "4yk"), agora="8ms, 9lk", deck="5ml", citizens="", idle=1)
    drawing.play("pass")
    drawing.luck("5ml")
    assert not is_over(drawing) and drawing.asked == B
    turning = standing(("4ms", "4yk"), agora="8ms, 9lk", deck="7wy", citizens="", idle=1)
    turning.play("pass")
    turning.luck("7wy")
    assert is_over(turning) and turning.outcome.kind == "stalled"


def test_tf_23_introducing_breaks_the_chain() -> None:
    settings = {"agora": "8ms, 9lk", "deck": "", "citizens": "5yk 4wl", "idle": 1, "introduce": "optional"}
    game = standing(("4ms", "4yk"), **settings)  # type: ignore[arg-type]
    game.play("pass", "introduce")
    assert isinstance(game.turn, Chance)
    game.luck("5yk")
    assert not is_over(game)
    holding = standing(("4ms", "4yk"), **settings)  # type: ignore[arg-type]
    holding.play("pass", "pass")
    assert is_over(holding) and holding.outcome.kind == "stalled"


def test_tf_24_ends_at_once_after_the_last_citizen_has_taken_vows() -> None:
    game = standing(("Xw 9ms", "4yk"), congregations=("6mw", ""), deck="5ml 3mw", citizens="")
    game.play("play Xw 6mw")
    assert is_over(game) and game.outcome.kind == "nobody-left" and game.hand(A) == {"9ms"}, "nothing was drawn"


def test_tf_24_ends_after_the_last_introduction() -> None:
    game = standing(("Xw 9ms", "4yk"), congregations=("6mw", ""), deck="5ml 3mw", citizens="Xs")
    game.play("play Xw 6mw")
    game.luck("5ml Xs")
    assert is_over(game) and game.outcome.kind == "nobody-left"


def test_tf_24_somebody_in_the_agora_is_in_play() -> None:
    game = standing(("Xw 9ms", "4yk"), congregations=("6mw", ""), agora="9lk", deck="5ml 3mw", citizens="")
    game.play("play Xw 6mw")
    game.luck("5ml")
    assert not is_over(game)
