"""Spreads of cards: positions and their layout."""
