"""What the five games and their search bot cost, measured inside one Python process. Prints one JSON object.

Usage: python bench/games_ours.py (playouts | simulated | clones | searches | moves) SECONDS
"""

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from games_timing import ITERATIONS, STATES, Pick, Spent, answer, copied, once_each, repeated, searched

from vaultkit.__main__ import GC_THRESHOLD
from vaultkit.bots.registry import Bot, make_bot
from vaultkit.bots.search import SearchBot
from vaultkit.cards.deck import known_deck
from vaultkit.games.game import State, View
from vaultkit.games.registry import GAMES, rules
from vaultkit.games.turn import Chance, Move, Turn, draw_move
from vaultkit.session.options import settle
from vaultkit.session.playout import Lineup, play_out

MOVES_A_SECOND = 3
"""Roughly: says how many moves are measured for the seconds that are given."""


@dataclass(frozen=True)
class Case:
    """A game with its seats, and the options that are not at their defaults."""

    game: str
    seats: int
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the tables call it."""
        seats = f"{self.seats} seats" if self.seats > 1 else "1 seat"
        return ", ".join([GAMES[self.game].title, seats, *map(str, self.options.values())])

    def lineup(self, strategy: str = "random") -> Lineup:
        """All that is needed to play it, with that strategy in every seat."""
        game = rules(self.game)
        options = settle(game, self.options)
        deck = known_deck(game.deck_for(options))
        assert deck is not None, "every game is played with a known deck by default"
        return Lineup(game, deck, (strategy,) * self.seats, options)


CASES = (
    Case("prophets-gambit", 3),
    Case("deck-of-destiny", 1),
    Case("propheta", 2),
    Case("propheta", 3),
    Case("turn-of-fate", 2),
    Case("dragon-citadel", 3),
    Case("dragon-citadel", 3, {"mode": "competitive"}),
)
SEARCHED = tuple(case for case in CASES if case.game == "propheta")


def any_answer(turn: Turn, rng: Random) -> Move:
    """A move, or what luck brings, each as likely as the others."""
    if isinstance(turn, Chance):
        return luck(turn, rng)
    assert turn is not None, "a game that is over has nothing to answer"
    return turn.moves[rng.randrange(len(turn.moves))]


def luck(chance: Chance, rng: Random) -> Move:
    """An answer of luck: an option, or cards from the unknown part of the pile and then its known bottom."""
    if chance.options:
        return draw_move(chance.options[rng.randrange(len(chance.options))])
    unknown = chance.pile.unknown
    if chance.count == 1 and unknown:
        return draw_move(unknown[rng.randrange(len(unknown))])
    cards = rng.sample(unknown, min(chance.count, len(unknown)))
    return draw_move(*cards, *chance.pile.bottom[: chance.count - len(cards)])


def play(state: State[Any], rng: Random, most: int | None = None) -> int:
    """Play at random to the end, or for `most` actions. Returns how many there were, deals included."""
    actions = 0
    while actions != most and (turn := state.turn) is not None:
        state.apply(any_answer(turn, rng))
        actions += 1
    return actions


def halfway(lineup: Lineup, seed: int) -> State[Any]:
    """A random game after half of its actions."""
    actions = play(lineup.make_start_state(), Random(seed))
    state = lineup.make_start_state()
    play(state, Random(seed), actions // 2)
    return state


def decision(lineup: Lineup, seed: int) -> tuple[View, int]:
    """One of the decisions with a choice of a whole game, and how many actions were still to come."""
    rng, bots, state = Random(seed), lineup.make_bots(), lineup.make_start_state()
    pick, at = Pick[View](rng), 0
    while (turn := state.turn) is not None:
        move = any_answer(turn, rng)
        if not isinstance(turn, Chance) and len(turn.moves) > 1:
            view = state.view(turn.seat)
            if pick.wants():
                pick.kept = view, at
            move = bots[turn.seat].choose(view, lineup.game, rng)
        state.apply(move)
        at += 1
    return (pick.kept[0], at - pick.kept[1]) if pick.kept else decision(lineup, seed + 1_000_000)


def playouts(seconds: float) -> dict[str, Spent]:
    """Random games, as a search plays them: only the rules."""
    return {case.name: _playouts(case.lineup(), seconds) for case in CASES}


def _playouts(lineup: Lineup, seconds: float) -> Spent:
    rng = Random(1)
    return repeated(lambda: play(lineup.make_start_state(), rng), seconds)


def simulated(seconds: float) -> dict[str, Spent]:
    """Random games as `simulate` plays them on one process, with views, a generator a step, and what is counted."""
    return {case.name: _simulated(case.lineup(), seconds) for case in CASES}


def _simulated(lineup: Lineup, seconds: float) -> Spent:
    bots, seeds = lineup.make_bots(), iter(range(10**9))
    return repeated(lambda: play_out(lineup, bots, next(seeds)).decisions, seconds)


def clones(seconds: float) -> dict[str, Spent]:
    """Copies of games half played."""
    return {case.name: _clones(case.lineup(), seconds) for case in CASES}


def _clones(lineup: Lineup, seconds: float) -> Spent:
    return copied([halfway(lineup, seed).clone for seed in range(STATES)], seconds)


def searches(seconds: float) -> dict[str, Spent]:
    """Iterations at decisions of random games, with a guide as the bot has it, and plainly at random as the peers'."""
    bots: dict[str, Callable[[], Bot]] = {
        "as it plays": lambda: make_bot(f"search:{ITERATIONS}"),
        "without a guide": lambda: SearchBot(ITERATIONS),
    }
    return {
        f"{case.name}, {name}": _searches(case.lineup(), bot(), seconds)
        for case in SEARCHED
        for name, bot in bots.items()
    }


def _searches(lineup: Lineup, bot: Bot, seconds: float) -> Spent:
    """`times` counts iterations; `actions` the moves and deals to the end of the game, as it went before."""
    positions = [decision(lineup, seed) for seed in range(searched(seconds))]
    rng, actions = Random(1), sum(left for _, left in positions)
    spent = once_each([partial(bot.choose, view, lineup.game, rng) for view, _ in positions])
    return Spent(spent, ITERATIONS * len(positions), ITERATIONS * actions)


def moves(seconds: float) -> dict[str, list[float]]:
    """Processor seconds of single decisions of a hard bot, which looks ahead as often as its game says."""
    return {case.name: _moves(case.lineup("greedy"), max(2, round(MOVES_A_SECOND * seconds))) for case in CASES}


def _moves(lineup: Lineup, count: int) -> list[float]:
    bot, found = make_bot("hard"), []
    for seed in range(count):
        view, _ = decision(lineup, seed)
        begun = time.process_time()
        bot.choose(view, lineup.game, Random(seed))
        found.append(time.process_time() - begun)
    return found


if __name__ == "__main__":
    gc.set_threshold(GC_THRESHOLD)  # as in every command
    answer({measure.__name__: measure for measure in (playouts, simulated, clones, searches, moves)})
