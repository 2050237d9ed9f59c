"""The story that players tell beside a game, in their own words: kept with the game, and never a part of it (TF-29)."""

from vaultkit.errors import UsageError
from vaultkit.games.base import AnyGame
from vaultkit.games.registry import GAMES
from vaultkit.wording import listing

WISH = "story"
"""The note in a session's header by which a resumed game goes on asking."""
NOTHING = ("", "-")
"""Answers that tell nothing; a script, which has no empty line, says the hyphen."""


def check_story(game: AnyGame) -> None:
    """Raise UsageError unless a story can be told beside the game."""
    if not game.story:
        others = tuple(info.title for info in GAMES.values() if info.game and info.rules().story)
        raise UsageError(f"{game.title} has no story to tell beside it.", hint=f"--story goes with {listing(others)}.")
