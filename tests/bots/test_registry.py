"""Strategies by name, and what every bot keeps to."""

from random import Random

import pytest

from tests.games.citadel.position import DECK
from tests.games.conformance import answer
from vaultkit.bots.registry import make, names
from vaultkit.errors import UsageError
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.options import resolve
from vaultkit.games.turn import Chance

GAME = DragonCitadel()
QUICK = [pytest.param("search:2", marks=pytest.mark.slow) if name == "search" else name for name in names()]
"""Every strategy, with a budget that suits a test."""


def test_every_name_makes_a_bot() -> None:
    assert {"random", "greedy"} <= set(names())
    for name in names():
        assert make(name)


@pytest.mark.parametrize(("name", "hint"), [("gredy", "greedy"), ("rando", "random"), ("deep-blue", "random, greedy")])
def test_an_unknown_strategy_gets_a_suggestion(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        make(name)
    assert hint in caught.value.hint


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"mode": "competitive"},
        {"mode": "competitive", "bidding": "ascending", "low_tie": "replay-card"},
        {"crown_duty": "none", "ghost_crowns": "yes", "low_tie": "replay-card", "seer": "dealer-wins"},
    ],
    ids=str,
)
def test_bots_play_whole_games_by_legal_moves_the_same_way_each_time(name: str, given: dict[str, object]) -> None:
    for seed in range(6):
        ends = []
        for _ in range(2):
            bot, rng = make(name), Random(seed)
            state = GAME.new(3 + seed % 3, resolve(GAME.options, given, GAME.title), DECK)
            while state.turn is not None:
                if isinstance(state.turn, Chance):
                    move = answer(state, rng)
                else:
                    move = bot.choose(state.view(state.turn.seat), GAME, rng)
                state.apply(move)
            ends.append(GAME.outcome(state))
        assert ends[0] == ends[1]


def test_the_random_bot_plays_every_move() -> None:
    rng, bot = Random(1), make("random")
    state = GAME.new(3, resolve(GAME.options, {"mode": "competitive"}, GAME.title), DECK)
    while isinstance(state.turn, Chance):
        state.apply(answer(state, rng))
    assert state.turn is not None
    view = state.view(state.turn.seat)
    assert {bot.choose(view, GAME, rng) for _ in range(300)} == set(state.turn.moves)
