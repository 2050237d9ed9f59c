"""How often a test tries what it tries: a sample in `make test` and `make test-slow`, the full count in `make soak`."""

import os

SOAK = os.environ.get("VAULTKIT_TESTS") == "soak"


def count(sample: int, full: int) -> int:
    """How many examples, games or kills in this run."""
    return full if SOAK else sample
