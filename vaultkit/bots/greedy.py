"""The move that looks best now, by the rules of thumb that hang on each game."""

from collections.abc import Callable
from typing import Any

from vaultkit.errors import UsageError
from vaultkit.games.base import AnyGame, View
from vaultkit.games.info import load
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import Move, Rng

CARE = 3
"""One decision in so many is made without any."""

Guide = Callable[[Any], Move]
"""The rules of thumb of a game: from a view to one of the moves of its prompt."""

Shortcut = Callable[[Any], Any]
"""From a state that it may use up to a later one, as all seats by the rules of thumb would reach it; else None."""

Likely = Callable[[Any, Any, Rng], None]
"""Deals the hidden cards of a state anew, each as likely as the plays that a view has seen make it."""


class GreedyBot:
    """Sensible play without looking ahead."""

    def __init__(self) -> None:
        self._guides: dict[str, Guide] = {}

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:  # noqa: ARG002
        guide = self._guides.get(game.id)
        if guide is None:
            guide = self._guides[game.id] = load(place_of_guide(game))
        return guide(view)

    def shortcut(self, game: AnyGame) -> Shortcut | None:
        """A quicker way for a search to play on than move by move, if the game has one."""
        info = GAMES.get(game.id)
        return load(info.shortcut) if info and info.shortcut else None

    def likely(self, game: AnyGame) -> Likely | None:
        """A way to deal hidden cards that is truer than chance, if the game has one."""
        info = GAMES.get(game.id)
        return load(info.likely) if info and info.likely else None


class CarelessBot(GreedyBot):
    """Plays by the same rules of thumb, and every now and then whatever comes to hand."""

    def choose(self, view: View, game: AnyGame, rng: Rng) -> Move:
        if rng.randrange(CARE):
            return super().choose(view, game, rng)
        return view.moves[rng.randrange(len(view.moves))]


def place_of_guide(game: AnyGame) -> str:
    """Where the rules of thumb of a game are. Raises UsageError for a game that has none."""
    info = GAMES.get(game.id)
    if info is None or not info.guide:
        raise UsageError(
            f"There are no rules of thumb for {game.title} that a greedy or a searching bot could go by.",
            hint="Let random bots play: bot:random",
        )
    return info.guide
