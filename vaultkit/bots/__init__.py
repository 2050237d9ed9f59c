"""Strategies that play in place of a person; each sees a View and nothing else."""
