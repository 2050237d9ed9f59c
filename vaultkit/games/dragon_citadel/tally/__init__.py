"""How the score of a game with real cards is kept: what is asked, what cannot be true, and what follows."""

from vaultkit.games.dragon_citadel.tally.keeping import CitadelTally

__all__ = ["CitadelTally"]
