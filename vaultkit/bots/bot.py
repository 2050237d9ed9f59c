"""The interface of a bot."""

from typing import Protocol

from vaultkit.games.game import AnyGame, View
from vaultkit.games.turn import Move, Rng


class Bot(Protocol):
    """A strategy without memory, which returns equal moves for equal views, games and random generators."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:
        """Return one of the moves of `view.prompt`, a decision of the seat whose view it is."""
