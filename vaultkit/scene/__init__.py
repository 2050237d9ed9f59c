"""The parts of a game that players may see, and the parsing of what they type; common to all front-ends."""
