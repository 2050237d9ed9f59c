"""The table in the browser: one thread holds the game, a server on this computer alone shows what each page may see."""
