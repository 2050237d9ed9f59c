"""The move that looks best now, by rules of thumb that each game has in a file of its own here."""

from typing import Any

from vaultkit.bots import (
    greedy_deck_of_destiny,
    greedy_dragon_citadel,
    greedy_propheta,
    greedy_prophets_gambit,
    greedy_turn_of_fate,
)
from vaultkit.errors import UsageError
from vaultkit.games.base import Game, View
from vaultkit.games.deck_of_destiny import DestinyView
from vaultkit.games.dragon_citadel import CitadelView
from vaultkit.games.propheta import ProphetaView
from vaultkit.games.prophets_gambit import GambitView
from vaultkit.games.turn import Move, Rng
from vaultkit.games.turn_of_fate import FateView


class GreedyBot:
    """Sensible play without looking ahead."""

    def choose(self, view: View, game: Game[Any], rng: Rng) -> Move:
        if isinstance(view, CitadelView):
            return greedy_dragon_citadel.choose(view, rng)
        if isinstance(view, DestinyView):
            return greedy_deck_of_destiny.choose(view, rng)
        if isinstance(view, FateView):
            return greedy_turn_of_fate.choose(view, rng)
        if isinstance(view, ProphetaView):
            return greedy_propheta.choose(view, rng)
        if isinstance(view, GambitView):
            return greedy_prophets_gambit.choose(view, rng)
        raise UsageError(f"There is no greedy bot for {game.title} yet.", hint="Seat another one: --seat bot:random")
