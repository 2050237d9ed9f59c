"""The decks of a vault: reading cards in all their forms, and finding and choosing decks."""
