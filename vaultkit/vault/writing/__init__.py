"""Safe writing into a vault: splices, links in the vault's style, whole files or none, and an undo history."""
