"""Propheta: foretell what tricks will be made of, then win or lose them to make it true."""

from vaultkit.games.propheta.game import Propheta
from vaultkit.games.propheta.options import OPTIONS
from vaultkit.games.propheta.state import ProphetaView

__all__ = ["OPTIONS", "Propheta", "ProphetaView"]
