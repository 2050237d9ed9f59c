"""A hint for whoever is asked: the move of a hard bot, or that of an example."""

from random import Random

from vaultkit.bots.registry import make
from vaultkit.games.turn import Move, Prompt
from vaultkit.session import Session
from vaultkit.session.rehearsal import Rehearsal

_BOT = "hard"


def hint(session: Session, prompt: Prompt) -> Move:
    """The move that the bot would make in this place. Raises VaultkitError where it cannot play this game."""
    if isinstance(session, Rehearsal) and session.due:
        return session.due
    return make(_BOT).choose(session.view(prompt.seat), session.game, Random(len(session.steps)))
