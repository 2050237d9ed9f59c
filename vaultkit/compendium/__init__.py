"""From notes to decks, rule notes and rulings, and the links between them."""

from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.decks.decknote import CardEntry, DeckNote
from vaultkit.compendium.rulenote import RuleNote

__all__ = ["CardEntry", "Compendium", "DeckNote", "RuleNote"]
