"""Grouping of things by a key."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


def group(pairs: Iterable[tuple[Key, Thing]]) -> dict[Key, list[Thing]]:
    """Return the things of each key as a list, keys and things in their original order."""
    groups: dict[Key, list[Thing]] = {}
    for key, thing in pairs:
        groups.setdefault(key, []).append(thing)
    return groups
