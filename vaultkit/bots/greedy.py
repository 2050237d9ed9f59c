"""The move that looks best now, by rules of thumb that each game has in a file of its own here."""

from collections.abc import Callable
from functools import cache
from typing import Any

from vaultkit.errors import UsageError
from vaultkit.games.base import AnyGame, View
from vaultkit.games.turn import Move, Rng


class GreedyBot:
    """Sensible play without looking ahead."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:
        choose = _rules_of_thumb(game.id)
        if choose is None:
            raise UsageError(
                f"There is no greedy bot for {game.title} yet.", hint="Seat another one: --seat bot:random"
            )
        return choose(view, rng)


@cache
def _rules_of_thumb(game: str) -> Callable[[Any, Rng], Move] | None:
    """Those of one game, imported when it is first played: most commands know the bots by their names only."""
    if game == "dragon-citadel":
        from vaultkit.bots import greedy_dragon_citadel

        return greedy_dragon_citadel.choose
    if game == "deck-of-destiny":
        from vaultkit.bots import greedy_deck_of_destiny

        return greedy_deck_of_destiny.choose
    if game == "turn-of-fate":
        from vaultkit.bots import greedy_turn_of_fate

        return greedy_turn_of_fate.choose
    if game == "propheta":
        from vaultkit.bots import greedy_propheta

        return greedy_propheta.choose
    if game == "prophets-gambit":
        from vaultkit.bots import greedy_prophets_gambit

        return greedy_prophets_gambit.choose
    return None
