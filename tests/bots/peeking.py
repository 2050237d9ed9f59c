"""A variant of a game in which searching bots see hidden cards, to measure what hidden information is worth."""

from typing import Any

from vaultkit.games.game import AnyGame, State, View


def peeking(game: AnyGame) -> AnyGame:
    """Return a variant of the game whose `determinize` returns the true position of the game begun last."""
    honest = type(game)

    class Peeking(honest):  # type: ignore[misc, valid-type]
        truth: State[Any]

        def new(self, *args: Any, **more: Any) -> State[Any]:
            self.truth = super().new(*args, **more)
            return self.truth

        def determinize(self, view: View, rng: Any) -> State[Any]:
            assert self.truth.view(view.seat) == view, "it looks at the game that is being played"
            return self.truth.clone()

        def __reduce__(self) -> tuple[Any, ...]:
            return peeking, (game,)

    return Peeking()
