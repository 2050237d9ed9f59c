"""Turn of Fate: two rival temples, and what befalls the people between them."""

from vaultkit.games.turn_of_fate.game import OPTIONS, TurnOfFate
from vaultkit.games.turn_of_fate.state import FateView

__all__ = ["OPTIONS", "FateView", "TurnOfFate"]
