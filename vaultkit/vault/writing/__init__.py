"""Safe writing to a vault: splices, links in the vault's style, atomic writes, and a history for undo."""
