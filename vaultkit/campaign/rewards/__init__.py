"""What a game of Dragon Citadel earns: the GM's reward table, the rolls on it, and what becomes of them."""
