"""Examples in rule notes: fenced `play` blocks that are read, played and compared with what they expect."""
