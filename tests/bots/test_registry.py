"""The strategies by name, and what all bots have in common."""

from random import Random

import pytest

from tests.bots.auction import Auction
from tests.games.citadel.position import DECK
from tests.games.conformance import answer
from vaultkit.bots.registry import make_bot, names
from vaultkit.bots.search import DEFAULT_ITERATIONS, iterations_of
from vaultkit.errors import UsageError
from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.options import resolve
from vaultkit.games.registry import GAMES, rules
from vaultkit.games.turn import Chance

GAME = DragonCitadel()
QUICK = ["random", "easy", "fair", pytest.param("search:2", marks=pytest.mark.slow)]
"""All strategies, with budgets small enough for a test."""


def test_every_name_makes_a_bot() -> None:
    assert {"easy", "fair", "hard", "random", "greedy", "search"} == set(names())
    for name in names():
        assert make_bot(name)


@pytest.mark.parametrize(("name", "hint"), [("gredy", "greedy"), ("rando", "random"), ("deep-blue", "random, greedy")])
def test_unknown_bot_strategy_gets_a_suggestion(name: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_bot(name)
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
def test_bots_play_whole_games_with_legal_moves_reproducibly(name: str, given: dict[str, object]) -> None:
    for seed in range(6):
        ends = []
        for _ in range(2):
            bot, rng = make_bot(name), Random(seed)
            state = GAME.new(3 + seed % 3, resolve(GAME.options, given, GAME.title), DECK)
            while state.turn is not None:
                if isinstance(state.turn, Chance):
                    move = answer(state, rng)
                else:
                    move = bot.choose(state.view(state.turn.seat), GAME, rng)
                state.apply(move)
            ends.append(GAME.outcome(state))
        assert ends[0] == ends[1]


def test_easy_bot_plays_less_carefully_than_a_fair_one() -> None:
    rng, state = Random(1), GAME.new(3, resolve(GAME.options, {"mode": "competitive"}, GAME.title), DECK)
    while isinstance(state.turn, Chance):
        state.apply(answer(state, rng))
    assert state.turn is not None
    view = state.view(state.turn.seat)
    careful = make_bot("fair").choose(view, GAME, rng)
    assert careful == make_bot("greedy").choose(view, GAME, rng)
    chosen = [make_bot("easy").choose(view, GAME, rng) for _ in range(300)]
    assert 180 < chosen.count(careful) < 260 and set(chosen) == set(state.turn.moves)


def test_hard_bot_uses_the_search_budget_of_its_game() -> None:
    assert all(info.tries >= 100 for info in GAMES.values() if info.guide)
    assert iterations_of(rules("propheta")) == GAMES["propheta"].tries != iterations_of(Auction()) == DEFAULT_ITERATIONS


def test_the_random_bot_plays_every_move() -> None:
    rng, bot = Random(1), make_bot("random")
    state = GAME.new(3, resolve(GAME.options, {"mode": "competitive"}, GAME.title), DECK)
    while isinstance(state.turn, Chance):
        state.apply(answer(state, rng))
    assert state.turn is not None
    view = state.view(state.turn.seat)
    assert {bot.choose(view, GAME, rng) for _ in range(300)} == set(state.turn.moves)
