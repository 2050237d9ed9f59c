"""The contract of a bot."""

from typing import Protocol

from vaultkit.games.base import AnyGame, View
from vaultkit.games.turn import Move, Rng


class Bot(Protocol):
    """A strategy. It keeps no memory: equal views, games and generators give equal moves."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:
        """One of the moves of `view.prompt`, which is the seat's own decision."""
