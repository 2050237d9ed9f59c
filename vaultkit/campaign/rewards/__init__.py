"""The rewards of a game of Dragon Citadel: the GM's reward table, the rolls on it, and what becomes of them."""
