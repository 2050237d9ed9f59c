"""The checks of a vault, and the repairs that need no guess."""
