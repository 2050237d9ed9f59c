"""The story that players tell about their moves in their own words, which does not affect the game (TF-29)."""

from vaultkit.errors import UsageError
from vaultkit.games.game import AnyGame
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import Move
from vaultkit.session import Session
from vaultkit.text import join_words


def asks_for_tale(session: Session, move: Move) -> bool:
    """Return whether the players are asked for their own text about a move before it is made."""
    return bool(session.header.agreement.tells_story and session.prompt and move.verb in session.game.story)


def check_story(game: AnyGame) -> None:
    """Raise UsageError unless players can tell a story in the game."""
    if not game.story:
        titles = tuple(info.title for info in GAMES.values() if info.game and info.rules().story)
        raise UsageError(f"{game.title} has no story.", hint=f"--story is for {join_words(titles)}.")
