"""Spreads: positions for cards, and how they lie."""
