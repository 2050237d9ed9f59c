"""Games for the time of a test."""

from collections.abc import Iterator
from contextlib import contextmanager

from vaultkit.games.registry import GAMES, GameInfo


@contextmanager
def registered(info: GameInfo) -> Iterator[GameInfo]:
    """One game more, as the last one."""
    assert info.id not in GAMES
    GAMES[info.id] = info
    try:
        yield info
    finally:
        del GAMES[info.id]
