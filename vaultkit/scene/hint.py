"""A hint for whoever is asked: the move of a hard bot."""

from random import Random

from vaultkit.bots.registry import make
from vaultkit.games.turn import Move, Prompt
from vaultkit.session import Session

_BOT = "hard"


def hint(session: Session, prompt: Prompt) -> Move:
    """The move that the bot would make in this place. Raises VaultkitError where it cannot play this game."""
    return make(_BOT).choose(session.view(prompt.seat), session.game, Random(len(session.steps)))
