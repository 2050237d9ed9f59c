"""Answers to questions in a few words: the passages of rule notes, decks and rulings that say most about them."""
