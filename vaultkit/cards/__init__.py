"""Cards and decks as plain values, without files and randomness."""

from vaultkit.cards.deck import Card, Deck, Rank

__all__ = ["Card", "Deck", "Rank"]
