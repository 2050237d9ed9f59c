"""Statistics on who plays what and who wins, computed only from the notes of games."""
