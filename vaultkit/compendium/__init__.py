"""Decks, rule notes, spreads and roll tables read from notes, and the links between them."""

from typing import TYPE_CHECKING

from vaultkit.lazy import lazy_attributes

if TYPE_CHECKING:
    from vaultkit.compendium.compendium import Compendium
    from vaultkit.compendium.decks.deck_note import CardEntry, DeckNote
    from vaultkit.compendium.rule_note import RuleNote

__all__ = ["CardEntry", "Compendium", "DeckNote", "RuleNote"]

__getattr__ = lazy_attributes(
    __name__, compendium="Compendium", **{"decks.deck_note": "CardEntry DeckNote"}, rule_note="RuleNote"
)
