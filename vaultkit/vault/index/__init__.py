"""The index of a vault: the facts of its notes, cached between runs and updated by reading what has changed."""
