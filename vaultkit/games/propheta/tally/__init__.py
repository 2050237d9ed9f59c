"""How the score of a game with real cards is kept: what is asked, what cannot be true, and what follows."""

from vaultkit.games.propheta.tally.keeping import ProphetaTally

__all__ = ["ProphetaTally"]
