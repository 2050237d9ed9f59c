"""A game as it may be seen now: one value for every front-end, made from a session and the game's own words."""
