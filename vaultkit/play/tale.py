"""Asking for the tale of a move, before it is played (TF-29)."""

from vaultkit.games.turn import Move
from vaultkit.play.asking import Asking
from vaultkit.play.telling import NOTHING

HELP = (
    ("any words", "what happens with this move, told in your own words; the game keeps them"),
    ("Enter", "tell nothing and play the move; so does a hyphen"),
    ("u", "think again: the move is not played"),
    ("?", "the rule of this moment; ? {card} for a card's text"),
    ("h", "hide the screen until Enter is pressed"),
    ("l", "what has happened lately; l all for everything"),
    ("s", "the table, without hands"),
    ("q", "leave; the game is saved, without this move"),
)


def ask(asking: Asking, move: Move) -> str | None:
    """The player's tale of the move, "" for none; None to take the move back. Raises EOFError where people leave."""
    session, speaker = asking.session, asking.speaker
    played = session.game.label(move).speak(speaker.seat, lambda card: session.deck[card].name)
    told = asking.line(f"What happens? {played}. Tell it, or press Enter", (), NOTHING, is_tale=True)
    return "" if told in NOTHING else told
