"""The index of a vault: a cache of the facts of its notes; only changed notes are read again."""
