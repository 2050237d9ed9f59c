"""The index of a vault: what its notes say, kept between two runs and brought up to date by reading what changed."""
