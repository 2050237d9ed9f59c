"""Deck of Destiny: one character stakes cards of an inventory on one encounter."""

from vaultkit.games.deck_of_destiny.game import DeckOfDestiny
from vaultkit.games.deck_of_destiny.options import OPTIONS
from vaultkit.games.deck_of_destiny.state import DestinyView

__all__ = ["OPTIONS", "DeckOfDestiny", "DestinyView"]
