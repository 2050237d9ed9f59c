"""Any legal move, each as likely as the others."""

from vaultkit.games.base import AnyGame, View
from vaultkit.games.turn import Move, Rng


class RandomBot:
    """Plays at random: the yardstick for every other strategy."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:  # noqa: ARG002
        moves = view.moves
        return moves[rng.randrange(len(moves))]
