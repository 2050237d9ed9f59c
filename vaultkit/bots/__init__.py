"""Bots: strategies that choose moves in place of a person, from what the seat may see."""
