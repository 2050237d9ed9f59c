"""The move that looks best now, by the rules of thumb that hang on each game."""

from collections.abc import Callable
from functools import cache
from typing import Any

from vaultkit.errors import UsageError
from vaultkit.games.base import AnyGame, View
from vaultkit.games.info import load
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import Move, Rng

Guide = Callable[[Any], Move]


class GreedyBot:
    """Sensible play without looking ahead."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:  # noqa: ARG002
        return _guide(game.id, game.title)(view)


@cache
def _guide(game: str, title: str) -> Guide:
    """The rules of thumb of one game, imported when it is first played: most commands know bots by their names only."""
    info = GAMES.get(game)
    if info is None or not info.guide:
        raise UsageError(f"There is no greedy bot for {title} yet.", hint="Seat another one: --seat bot:random")
    guide: Guide = load(info.guide)
    return guide
