"""The rules of thumb for the Deck of Destiny: each one, and that they beat chance."""

from random import Random

import pytest

from tests.games.conformance import answer
from tests.games.destiny.position import DECK, GAME, Play, begin, complete
from vaultkit.bots.registry import make_bot
from vaultkit.games.deck_of_destiny import ending
from vaultkit.games.turn import Chance


def choose_move(game: Play) -> str:
    return make_bot("greedy").choose(game.state.view(0), GAME, Random(0)).id


def test_greedy_destiny_bot_lays_a_card_with_matching_ones() -> None:
    assert choose_move(begin("AS 9D 9C 2H")) == "play 9-diamonds"
    assert choose_move(begin("QS 9D AC 2H")) == "play ace-clubs"


def test_greedy_destiny_bot_stays_when_played_cards_are_lost_anyway() -> None:
    game = begin("2S 9D", strength=7).lay("2S").luck("4D 6H JC")
    assert choose_move(game) == "proceed"


@pytest.mark.parametrize(("board", "strength", "choice"), [("4D 6H JC", 7, "retreat"), ("4D 6H JC", 3, "proceed")])
def test_greedy_destiny_bot_retreats_if_that_saves_the_cards(board: str, strength: int, choice: str) -> None:
    game = begin("2S 9D", strength=strength, keep_on_retreat="yes").lay("2S").luck(board)
    assert choose_move(game) == choice


def test_greedy_destiny_bot_stays_with_three_of_a_kind() -> None:
    game = begin("2S 9D", strength=7, keep_on_retreat="yes").lay("2S").luck("2D 2H JC")
    assert choose_move(game) == "proceed"


def test_greedy_destiny_bot_first_adds_cards_that_make_a_hand() -> None:
    game = begin("2S JD KH 9H", strength=3).lay("2S").luck("4D 6H JC").play("proceed")
    assert choose_move(game) == "add jack-diamonds"


def test_greedy_destiny_bot_lays_as_many_cards_as_the_opponent() -> None:
    game = begin("KS JD KH 9H 3S", strength=2).lay("KS").luck("4D 6C 2C").play("proceed")
    assert choose_move(game) == "add king-hearts"
    game.play("add king-hearts")
    assert choose_move(game) == "done"


def test_greedy_destiny_bot_stops_when_the_requested_hand_is_complete() -> None:
    game = begin("KS JD 3S", requires="pair").lay("KS").luck("KD 6C 2C").play("proceed", "add jack-diamonds")
    assert choose_move(game) == "done"


def wins(name: str, deals: int, **options: object) -> int:
    bot, won = make_bot(name), 0
    for seed in range(deals):
        luck, rng = Random(seed), Random(f"bot {seed}")
        state = GAME.new(1, complete(**options), DECK)
        while state.turn is not None:
            is_luck = isinstance(state.turn, Chance)
            state.apply(answer(state, luck) if is_luck else bot.choose(state.view(0), GAME, rng))
        outcome = ending.outcome(state)
        won += outcome is not None and outcome.kind == "win"
    return won


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"strength": 3}, {"requires": "two-pairs"}], ids=str)
def test_sensible_play_wins_clearly_more_often_than_random_play(options: dict[str, object]) -> None:
    greedy, at_random = wins("greedy", 60, **options), wins("random", 60, **options)
    assert greedy >= at_random + 20, f"greedy {greedy}, random {at_random} of 60"
