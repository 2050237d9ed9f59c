"""Cards, suits and decks as plain values: no files, no randomness."""

from vaultkit.cards.deck import Card, Deck, Rank

__all__ = ["Card", "Deck", "Rank"]
