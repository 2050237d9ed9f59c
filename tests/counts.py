"""How often a test tries what it tries: a sample in `make test` and `make test-slow`, the full count in `make soak`."""

import os
from collections.abc import Sequence
from random import Random
from typing import TypeVar

SOAK = os.environ.get("VAULTKIT_TESTS") == "soak"
SEED = os.environ.get("VAULTKIT_SEED", "1")
T = TypeVar("T")


def count(sample: int, full: int) -> int:
    """How many examples, games or kills."""
    return full if SOAK else sample


def some(items: Sequence[T], number: int) -> Sequence[T]:
    """So many of the items, others with another VAULTKIT_SEED; all of them in `make soak`."""
    return items if SOAK else Random(SEED).sample(items, number)
