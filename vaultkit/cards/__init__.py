"""Cards, suits and decks as plain values: no files, no randomness."""

from vaultkit.cards.card import Card, Rank
from vaultkit.cards.deck import Deck

__all__ = ["Card", "Deck", "Rank"]
