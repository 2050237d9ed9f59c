"""Independent checks that the stories of finished games are true."""
