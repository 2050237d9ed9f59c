"""Checks that the stories of finished games are true, by other means than those by which they are told."""
