"""Strategies that play in place of a person, from a View alone."""
