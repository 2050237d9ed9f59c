"""The campaign: games, readings, rewards and statistics in the notes of a vault."""
