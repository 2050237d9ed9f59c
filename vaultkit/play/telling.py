"""The story that players tell beside a game, in their own words: kept with the game, and never a part of it (TF-29)."""

from vaultkit.errors import UsageError
from vaultkit.games.turn import Move

WISH = "story"
"""The note in a session's header by which a resumed game goes on asking."""
NOTHING = ("", "-")
"""Answers that tell nothing; a script, which has no empty line, says the hyphen."""
_TOLD = {"turn-of-fate": ("play", "wild")}
"""Games with a story to tell, and the verbs of the moves that it is told of."""


def check(game: str, title: str) -> None:
    """Raise UsageError unless a story can be told of the game with this id and title."""
    if game not in _TOLD:
        raise UsageError(f"{title} has no story to tell beside it.", hint="--story goes with turn-of-fate (TF-29).")


def is_told(game: str, move: Move) -> bool:
    """Whether players tell what happens with this move."""
    return move.verb in _TOLD.get(game, ())
