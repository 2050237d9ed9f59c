"""Prophet's Gambit: refine a hand to three cards, share a Focus, keep a Fate, and risk the High Deck."""

from vaultkit.games.prophets_gambit.game import OPTIONS, ProphetsGambit
from vaultkit.games.prophets_gambit.state import GambitView

__all__ = ["OPTIONS", "GambitView", "ProphetsGambit"]
