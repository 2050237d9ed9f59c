"""Decks, rule notes, spreads and roll tables read from notes, and the links between them."""

from typing import TYPE_CHECKING

from vaultkit.late_names import lazy_attributes

if TYPE_CHECKING:
    from vaultkit.compendium.compendium import Compendium
    from vaultkit.compendium.decks.decknote import CardEntry, DeckNote
    from vaultkit.compendium.rulenote import RuleNote

__all__ = ["CardEntry", "Compendium", "DeckNote", "RuleNote"]

__getattr__ = lazy_attributes(
    __name__, compendium="Compendium", **{"decks.decknote": "CardEntry DeckNote"}, rulenote="RuleNote"
)
