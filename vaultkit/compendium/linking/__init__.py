"""Card names in notes, and the links from them to their cards."""
