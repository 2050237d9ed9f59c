"""How the score of a game with real cards is kept: what is asked, what cannot be true, and what follows."""

from vaultkit.games.turn_of_fate.tally.keeping import FateTally

__all__ = ["FateTally"]
