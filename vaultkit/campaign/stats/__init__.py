"""Who plays what and who wins, reckoned from the notes of games alone."""
