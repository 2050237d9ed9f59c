"""Dragon Citadel: answer the dealer's cards together, or against each other, until the deck runs out."""

from vaultkit.games.dragon_citadel.game import DragonCitadel
from vaultkit.games.dragon_citadel.options import OPTIONS
from vaultkit.games.dragon_citadel.state import CitadelView

__all__ = ["OPTIONS", "CitadelView", "DragonCitadel"]
