"""The visible state of a game, and the meaning of what people type; shared by all front-ends."""
