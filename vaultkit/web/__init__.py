"""The table in the browser: one thread runs the game, and a server on this computer shows each page what it may see."""
