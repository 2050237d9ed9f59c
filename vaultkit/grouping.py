"""Things put together by what they have in common."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Thing = TypeVar("Thing")


def group(pairs: Iterable[tuple[Key, Thing]]) -> dict[Key, list[Thing]]:
    """The things of each key, in their order."""
    groups: dict[Key, list[Thing]] = {}
    for key, thing in pairs:
        groups.setdefault(key, []).append(thing)
    return groups
