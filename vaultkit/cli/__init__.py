"""The command line: each command reads its options, calls the core, and prints the result."""
