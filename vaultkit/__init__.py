"""vaultkit: read, play, log and print from an Obsidian vault, offline."""

__version__ = "0.4.0"
