"""What is wrong in a vault, and the repairs that need no guess."""
