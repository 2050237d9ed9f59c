"""The search for passages of rule notes, decks and rulings that answer a question in a few words."""
