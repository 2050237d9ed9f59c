"""Checks of the scores in the notes of logged games."""
