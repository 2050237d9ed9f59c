"""What players may see of a game, and the parsing of what they type; common to all front-ends."""
