"""Many games between bots, played on several processes. The games do not depend on the number of processes."""

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

from vaultkit.bots.bot import Bot
from vaultkit.session.playout import Lineup, Playout, play_out
from vaultkit.vault.index.worker_pool import end_with_parent

MAX_CHUNK_GAMES = 32
"""The maximum number of games that a process is given at a time."""

T = TypeVar("T")
Player = Callable[[Lineup, tuple[Bot, ...], int], T]
"""A function that plays a game for a seed. It can be sent to other processes."""


def simulate(lineup: Lineup, games: Sequence[int], jobs: int = 1) -> Iterator[Playout]:
    """Play a game for each seed in `games`, and yield each game in that order.

    Raises UsageError for strategies, or a number of seats, that cannot play.
    """
    return run(play_out, lineup, games, jobs)


def run(play: Player[T], lineup: Lineup, games: Sequence[int], jobs: int = 1) -> Iterator[T]:
    """Call `play` for each seed in `games` on up to `jobs` processes, and yield the results in that order.

    `play` must be a function at module level, or a partial of one. Raises UsageError for strategies, or a number of
    seats, that cannot play.
    """
    bots = lineup.players()
    lineup.start()
    if jobs == 1 or len(games) == 1:
        yield from (play(lineup, bots, seed) for seed in games)
        return
    size = max(1, min(MAX_CHUNK_GAMES, len(games) // (4 * jobs)))
    lineup = make_portable(lineup)
    chunks = [list(games[start : start + size]) for start in range(0, len(games), size)]
    yield from chain.from_iterable(_spread(play, lineup, chunks, jobs))


def make_portable(lineup: Lineup) -> Lineup:
    """Return a copy of the lineup that can be sent to another process.

    The read-only mappings in it are replaced by dicts, since they cannot be pickled.
    """
    cards = tuple(replace(card, traits=dict(card.traits)) for card in lineup.deck)
    return replace(lineup, deck=replace(lineup.deck, cards=cards), options=dict(lineup.options))


def _spread(play: Player[T], lineup: Lineup, chunks: list[list[int]], jobs: int) -> Iterator[list[T]]:
    # Processes are spawned rather than forked, so that every system does the same and no open file is shared.
    pool = ProcessPoolExecutor(min(jobs, len(chunks)), get_context("spawn"), _end_quietly)
    try:
        with _exit_on_signals():
            waiting = iter(chunks)
            # Two chunks per process keep all processes busy, and waste little work when the run is stopped.
            running = [pool.submit(_play, play, lineup, chunk) for chunk in islice(waiting, 2 * jobs)]
            while running:
                yield running.pop(0).result()
                running.extend(pool.submit(_play, play, lineup, chunk) for chunk in islice(waiting, 1))
    except BaseException:
        for process in active_children():
            process.terminate()  # otherwise shutting down waits for the running games
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _exit_on_signals() -> Iterator[None]:
    """Let a signal that would end this process at once raise SystemExit instead, so that it can clean up.

    The signals are SIGTERM and SIGHUP, if they have their default handlers. Only the main thread can change handlers.
    """
    ending = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours = [
        signal_number
        for signal_number in ending
        if current_thread() is main_thread() and signal.getsignal(signal_number) is signal.SIG_DFL
    ]
    for signal_number in ours:
        signal.signal(signal_number, _leave)
    try:
        yield
    finally:
        for signal_number in ours:
            signal.signal(signal_number, signal.SIG_DFL)


def _leave(number: int, _: FrameType | None) -> None:
    """Exit with the status of a process that the signal `number` has ended."""
    sys.exit(128 + number)


def _play(play: Player[T], lineup: Lineup, chunk: list[int]) -> list[T]:
    bots = lineup.players()
    return [play(lineup, bots, seed) for seed in chunk]


def _end_quietly() -> None:
    """Prepare a worker process to end without a message at Ctrl+C, and when the main process ends.

    The main process alone reports Ctrl+C.
    """
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    end_with_parent()
