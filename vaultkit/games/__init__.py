"""Card games as pure rules: no files, no clock, no randomness, nothing but the standard library."""
