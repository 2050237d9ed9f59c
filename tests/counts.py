"""How often a test tries what it tries: a sample in `make test` and `make test-slow`, the full count in `make soak`."""

import os
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, TypeVar

import pytest

SOAK = os.environ.get("VAULTKIT_TESTS") == "soak"
SEED = os.environ.get("VAULTKIT_SEED", "1")
CASES_EACH = 3
"""The number of slow cases of a test that `make test-slow` runs."""
T = TypeVar("T")


def count(sample: int, full: int) -> int:
    """How many examples, games or kills."""
    return full if SOAK else sample


def some(items: Sequence[T], number: int) -> Sequence[T]:
    """Return a sample of the items of that number, another with another VAULTKIT_SEED; all in `make soak`."""
    return items if SOAK or number >= len(items) else Random(SEED).sample(items, number)


def short(values: Iterable[Any], number: int = 1) -> list[Any]:
    """Leave the first values to `make test`, and mark those behind them as slow."""
    return [value if place < number else pytest.param(value, marks=pytest.mark.slow)
            for place, value in enumerate(values)]  # fmt: skip
