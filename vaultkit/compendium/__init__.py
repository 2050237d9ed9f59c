"""From notes to decks, rule notes and rulings, and the links between them."""

from typing import TYPE_CHECKING

from vaultkit.late_names import late_names

if TYPE_CHECKING:
    from vaultkit.compendium.compendium import Compendium
    from vaultkit.compendium.decks.decknote import CardEntry, DeckNote
    from vaultkit.compendium.rulenote import RuleNote

__all__ = ["CardEntry", "Compendium", "DeckNote", "RuleNote"]

__getattr__ = late_names(
    __name__, compendium="Compendium", **{"decks.decknote": "CardEntry DeckNote"}, rulenote="RuleNote"
)
