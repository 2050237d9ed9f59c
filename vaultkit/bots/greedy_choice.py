"""Bots that play by the rules of thumb of each game, without searching."""

from collections.abc import Callable
from functools import cache
from typing import Any

from vaultkit.errors import UsageError
from vaultkit.games.game import AnyGame, View
from vaultkit.games.game_info import load
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import Move, Rng

CARELESS_INTERVAL = 3
"""The mean number of decisions of which a careless bot makes one at random."""

Guide = Callable[[Any], Move]
"""The rules of thumb of a game: a function from a view to one of the moves of its prompt."""

PlayOn = Callable[[Any], Any]
"""A function that plays from a state by the rules of thumb of all seats, and returns the later state.

It may change its argument, and returns None if it cannot play on from that state.
"""

HandDealer = Callable[[Any, Any, Rng], None]
"""A function that deals the hidden cards of a state anew, weighted by the plays that a view shows."""


class GreedyBot:
    """A bot that follows the rules of thumb of each game."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:  # noqa: ARG002
        return _load_guide(guide_import_path(game))(view)

    def shortcut(self, game: AnyGame) -> PlayOn | None:
        """Return the function that plays many moves of the game at once, or None if the game has none."""
        info = GAMES.get(game.id)
        return load(info.shortcut) if info and info.shortcut else None

    def find_dealer(self, game: AnyGame) -> HandDealer | None:
        """Return the function that deals hidden cards by likelihood, or None if the game has none."""
        info = GAMES.get(game.id)
        return load(info.likely) if info and info.likely else None


_load_guide: Callable[[str], Guide] = cache(load)


class CarelessBot(GreedyBot):
    """A bot that follows the rules of thumb of each game, but makes some moves at random."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:
        if rng.randrange(CARELESS_INTERVAL):
            return super().choose(view, game, rng)
        return view.moves[rng.randrange(len(view.moves))]


def guide_import_path(game: AnyGame) -> str:
    """Return the import path of a game's rules of thumb. Raises UsageError if the game has none."""
    info = GAMES.get(game.id)
    if info is None or not info.guide:
        raise UsageError(
            f"There are no rules of thumb for {game.title} that a greedy or a searching bot could go by.",
            hint="Let random bots play: bot:random",
        )
    return info.guide
