"""Readings and draws: cards laid from a seed, recorded in a note of their own and in the campaign's log."""
