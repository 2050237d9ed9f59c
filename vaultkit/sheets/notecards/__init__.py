"""Notes of a vault as cards to cut out."""
