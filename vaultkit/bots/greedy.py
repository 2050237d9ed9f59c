"""The move that looks best now, by rules of thumb that each game has in a file of its own here."""

from typing import Any

from vaultkit.bots import greedy_dragon_citadel
from vaultkit.errors import UsageError
from vaultkit.games.base import Game, View
from vaultkit.games.dragon_citadel import CitadelView
from vaultkit.games.turn import Move, Rng


class GreedyBot:
    """Sensible play without looking ahead."""

    def choose(self, view: View, game: Game[Any], rng: Rng) -> Move:
        if isinstance(view, CitadelView):
            return greedy_dragon_citadel.choose(view, rng)
        raise UsageError(f"There is no greedy bot for {game.title} yet.", hint="Seat another one: --seat bot:random")
