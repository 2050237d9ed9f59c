"""Deck of Destiny in the campaign: a character's inventory, and the notes of encounters."""
