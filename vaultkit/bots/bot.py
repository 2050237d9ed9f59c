"""The interface of a bot."""

from typing import Protocol

from vaultkit.games.game import AnyGame, View
from vaultkit.games.turn import Move, Rng


class Bot(Protocol):
    """A strategy. It has no memory: equal views, games and random generators give equal moves."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:
        """Return one of the moves of `view.prompt`, which is a decision of the view's seat."""
