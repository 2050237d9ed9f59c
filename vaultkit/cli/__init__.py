"""The command line: flags in, one core call, one print out."""
