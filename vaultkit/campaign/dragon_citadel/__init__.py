"""Rewards of a game of Dragon Citadel: the GM's reward table, the rolls on it, and writing the results into notes."""
