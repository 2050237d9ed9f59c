"""Examples in rule notes: fenced `play` blocks that are parsed, played and compared with their expected results."""
