"""The decks of a vault: every form in which cards are written, and which deck is meant."""
