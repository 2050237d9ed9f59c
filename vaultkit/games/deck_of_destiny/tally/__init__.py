"""How the score of a game with real cards is kept: what is asked, what cannot be true, and what follows."""

from vaultkit.games.deck_of_destiny.tally.keeping import DestinyTally

__all__ = ["DestinyTally"]
