"""The places for the line of a game or a reading, and for their notes."""
