"""The story that players tell beside a game in their own words; it is saved but never affects the game (TF-29)."""

from vaultkit.errors import UsageError
from vaultkit.games.game import AnyGame
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import Move
from vaultkit.session import Session
from vaultkit.text import listing


def asks_for_tale(session: Session, move: Move) -> bool:
    """Return whether the players tell what happens with a move before it is played."""
    return bool(session.header.agreement.tells_story and session.prompt and move.verb in session.game.story)


def check_story(game: AnyGame) -> None:
    """Raise UsageError unless a story can be told beside the game."""
    if not game.story:
        others = tuple(info.title for info in GAMES.values() if info.game and info.rules().story)
        raise UsageError(f"{game.title} has no story to tell beside it.", hint=f"--story goes with {listing(others)}.")
