"""The checks of a vault, and the repairs of what they find."""
