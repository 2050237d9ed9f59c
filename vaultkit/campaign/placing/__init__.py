"""Where the line of a game or a reading goes, and where their own notes lie."""
