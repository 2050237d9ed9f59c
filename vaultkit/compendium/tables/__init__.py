"""Roll tables and dice."""
