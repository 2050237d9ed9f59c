"""How the score of a game with real cards is kept: what is asked, what cannot be true, and what follows."""

from vaultkit.games.prophets_gambit.tally.keeping import GambitTally

__all__ = ["GambitTally"]
