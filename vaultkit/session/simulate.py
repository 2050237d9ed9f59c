"""Many games between bots, on several processes; the same games whatever the number of processes."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from multiprocessing import active_children, get_context
from threading import current_thread, main_thread
from types import FrameType
from typing import TypeVar

from vaultkit.bots.base import Bot
from vaultkit.session.playout import Lineup, Playout, play_out
from vaultkit.vault.index.processes import end_with_parent

CHUNK = 32
"""Games that a process is given at a time, at most."""

T = TypeVar("T")
Player = Callable[[Lineup, tuple[Bot, ...], int], T]
"""A function that plays for one seed, and that other processes can be sent."""


def simulate(lineup: Lineup, games: Sequence[int], jobs: int = 1) -> Iterator[Playout]:
    """Play the games with these seeds, handed out in their order as soon as they are there.

    Raises UsageError for strategies, or a number of seats, that cannot play.
    """
    return run(play_out, lineup, games, jobs)


def run(play: Player[T], lineup: Lineup, games: Sequence[int], jobs: int = 1) -> Iterator[T]:
    """The same with any function of a module, or a part of one, that plays for a seed. Raises as `simulate` does."""
    bots = lineup.players()
    lineup.start()
    if jobs == 1 or len(games) == 1:
        yield from (play(lineup, bots, seed) for seed in games)
        return
    size = max(1, min(CHUNK, len(games) // (4 * jobs)))
    lineup = portable(lineup)
    chunks = [list(games[start : start + size]) for start in range(0, len(games), size)]
    yield from chain.from_iterable(_spread(play, lineup, chunks, jobs))


def portable(lineup: Lineup) -> Lineup:
    """The lineup in a form that can be sent to another process, which the read-only traits of a card cannot."""
    cards = tuple(replace(card, traits=dict(card.traits)) for card in lineup.deck)
    return replace(lineup, deck=replace(lineup.deck, cards=cards), options=dict(lineup.options))


def _spread(play: Player[T], lineup: Lineup, chunks: list[list[int]], jobs: int) -> Iterator[list[T]]:
    # Started afresh rather than forked, so that it is the same on every system and nothing open is shared.
    pool = ProcessPoolExecutor(min(jobs, len(chunks)), get_context("spawn"), _end_quietly)
    try:
        with _unwinding():
            waiting = iter(chunks)
            # Two chunks a process are under way: enough to keep all busy, and little to throw away if it is stopped.
            running = [pool.submit(_play, play, lineup, chunk) for chunk in islice(waiting, 2 * jobs)]
            while running:
                yield running.pop(0).result()
                running.extend(pool.submit(_play, play, lineup, chunk) for chunk in islice(waiting, 1))
    except BaseException:
        for process in active_children():
            process.terminate()  # else the end waits for the games that are under way
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _unwinding() -> Iterator[None]:
    """A signal that would end this process at once lets it tidy up first."""
    ending = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours = [one for one in ending if current_thread() is main_thread() and signal.getsignal(one) is signal.SIG_DFL]
    for one in ours:
        signal.signal(one, _leave)
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)


def _leave(number: int, _: FrameType | None) -> None:
    sys.exit(128 + number)


def _play(play: Player[T], lineup: Lineup, chunk: list[int]) -> list[T]:
    bots = lineup.players()
    return [play(lineup, bots, seed) for seed in chunk]


def _end_quietly() -> None:
    """Set when a process ends: at Ctrl+C without a word, since the first one has it; and never later than that one."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    end_with_parent()
