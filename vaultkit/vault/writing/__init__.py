"""Writing into a vault without harm: splices, links in the vault's style, whole files or none, and a history."""
