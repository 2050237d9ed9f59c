"""Turn of Fate: two rival temples, and what befalls the people between them."""

from vaultkit.games.turn_of_fate.game import TurnOfFate
from vaultkit.games.turn_of_fate.options import OPTIONS
from vaultkit.games.turn_of_fate.view import FateView

__all__ = ["OPTIONS", "FateView", "TurnOfFate"]
