"""Any legal move, each as likely as the others."""

from vaultkit.games.base import AnyGame, View
from vaultkit.games.turn import Move, Rng


class RandomBot:
    """Plays at random: the yardstick for every other strategy."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:  # noqa: ARG002
        assert view.prompt is not None, "a bot is asked only when it has to decide"
        moves = view.prompt.moves
        return moves[rng.randrange(len(moves))]
