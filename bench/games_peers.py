"""What OpenSpiel's games and search bots cost, measured inside its own Python. Prints one JSON object.

Usage: PYTHON bench/games_peers.py (playouts | clones | searches) SECONDS, with a Python that has open_spiel
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np  # type: ignore[import-not-found]
import open_spiel.python.games  # type: ignore[import-not-found]  # noqa: F401  # registers the games in Python
import pyspiel  # type: ignore[import-not-found]
from games_timing import ITERATIONS, STATES, Pick, Spent, answer, copied, once_each, repeated, searched
from open_spiel.python.algorithms import ismcts, mcts  # type: ignore[import-not-found]

IN_PYTHON = (
    "python_tic_tac_toe",
    "python_kuhn_poker",
    "python_liars_poker",
    "python_block_dominoes",
    "python_team_dominoes",
)
IN_CPP = ("hearts", "gin_rummy", "oh_hell", "euchre", "tiny_bridge_2p", "leduc_poker")
OPEN_SEARCH = ("python_tic_tac_toe", "python_block_dominoes")
"""Games written in Python, for the bot that sees all cards: none of those with hidden cards can deal anew."""

HIDDEN_SEARCH = ("oh_hell", "gin_rummy")
"""Games written in C++ that can deal anew what a player does not see."""

CURIOSITY = 1.4


def any_answer(state: Any, rng: Random) -> int:
    """A legal action, or what luck brings."""
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choices(actions, chances)[0])
    actions = state.legal_actions()
    return int(actions[rng.randrange(len(actions))])


def play(state: Any, rng: Random, most: int | None = None) -> int:
    """Play at random to the end, or for `most` actions. Returns how many there were, deals included."""
    actions = 0
    while actions != most and not state.is_terminal():
        state.apply_action(any_answer(state, rng))
        actions += 1
    return actions


def halfway(game: Any, seed: int) -> Any:
    """A random game after half of its actions."""
    actions = play(game.new_initial_state(), Random(seed))
    state = game.new_initial_state()
    play(state, Random(seed), actions // 2)
    return state


def decision(game: Any, seed: int) -> tuple[Any, int]:
    """One of the decisions with a choice of a random game, and how many actions were still to come."""
    rng, state = Random(seed), game.new_initial_state()
    pick, at = Pick[Any](rng), 0
    while not state.is_terminal():
        if not state.is_chance_node() and len(state.legal_actions()) > 1 and pick.wants():
            pick.kept = state.clone(), at
        state.apply_action(any_answer(state, rng))
        at += 1
    return (pick.kept[0], at - pick.kept[1]) if pick.kept else decision(game, seed + 1_000_000)


def playouts(seconds: float) -> dict[str, Spent]:
    """Random games, played from Python."""
    return {name: _playouts(pyspiel.load_game(name), seconds) for name in (*IN_PYTHON, *IN_CPP)}


def _playouts(game: Any, seconds: float) -> Spent:
    rng = Random(1)
    return repeated(lambda: play(game.new_initial_state(), rng), seconds)


def clones(seconds: float) -> dict[str, Spent]:
    """Copies of games half played."""
    return {name: _clones(pyspiel.load_game(name), seconds) for name in (*IN_PYTHON, *IN_CPP)}


def _clones(game: Any, seconds: float) -> Spent:
    return copied([halfway(game, seed).clone for seed in range(STATES)], seconds)


def searches(seconds: float) -> dict[str, Spent]:
    """Iterations of the search bots that are written in Python, at decisions of random games."""
    bots: list[tuple[str, tuple[str, ...], Callable[[Any], Any]]] = [
        ("MCTSBot", OPEN_SEARCH, open_bot),
        ("ISMCTSBot", HIDDEN_SEARCH, hidden_bot),
    ]
    return {
        f"{name}, {bot}": _searches(pyspiel.load_game(name), make, seconds)
        for bot, names, make in bots
        for name in names
    }


def open_bot(game: Any) -> Any:
    """Monte Carlo tree search that sees everything."""
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    return mcts.MCTSBot(game, CURIOSITY, ITERATIONS, evaluator, random_state=np.random.RandomState(1))


def hidden_bot(game: Any) -> Any:
    """Information-set Monte Carlo tree search."""
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    return ismcts.ISMCTSBot(
        game,
        evaluator,
        CURIOSITY,
        ITERATIONS,
        random_state=np.random.RandomState(1),
        use_observation_string=not game.get_type().provides_information_state_string,
        allow_inconsistent_action_sets=True,
    )


def _searches(game: Any, make: Callable[[Any], Any], seconds: float) -> Spent:
    """`times` counts iterations; `actions` the moves and deals to the end of the game, as it went before."""
    positions = [decision(game, seed) for seed in range(searched(seconds))]
    bot, actions = make(game), sum(left for _, left in positions)
    spent = once_each([partial(bot.step, state) for state, _ in positions])
    return Spent(spent, ITERATIONS * len(positions), ITERATIONS * actions)


if __name__ == "__main__":
    answer({measure.__name__: measure for measure in (playouts, clones, searches)})
