"""Simulations of many games between bots on several processes, the number of which does not affect the games."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import active_children, get_context
from threading import current_thread, main_thread
from types import FrameType
from typing import TypeVar

from vaultkit.bots.registry import Bot
from vaultkit.session.playout import Lineup, Playout, play_out
from vaultkit.vault.index.worker_pool import end_with_parent

MAX_CHUNK_GAMES = 32
"""The maximum number of games that are sent to a process at a time."""

T = TypeVar("T")
PlayGame = Callable[[Lineup, tuple[Bot, ...], int], T]
"""A function that plays a game with a seed, and that can be sent to other processes."""


def simulate(lineup: Lineup, seeds: Sequence[int], jobs: int = 1) -> Iterator[Playout]:
    """Play a game with each of `seeds`, and yield the results in the same order.

    Raises UsageError for an unknown strategy, or if the game cannot be played with this number of seats.
    """
    return run(play_out, lineup, seeds, jobs)


def run(play: PlayGame[T], lineup: Lineup, seeds: Sequence[int], jobs: int = 1) -> Iterator[T]:
    """Call `play` with each of `seeds` on up to `jobs` processes, and yield the results in the same order.

    `play` must be a function at module level, or a partial of one. Raises UsageError for an unknown strategy, or if the
    game cannot be played with this number of seats.
    """
    bots = lineup.make_bots()
    lineup.make_start_state()
    if jobs == 1 or len(seeds) == 1:
        yield from (play(lineup, bots, seed) for seed in seeds)
        return
    chunk_size = max(1, min(MAX_CHUNK_GAMES, len(seeds) // (4 * jobs)))
    chunks = [list(seeds[start : start + chunk_size]) for start in range(0, len(seeds), chunk_size)]
    yield from chain.from_iterable(_run_in_processes(play, lineup, chunks, jobs))


def _run_in_processes(play: PlayGame[T], lineup: Lineup, chunks: list[list[int]], jobs: int) -> Iterator[list[T]]:
    # Processes are spawned rather than forked, so that every system does the same and no open file is shared.
    pool = ProcessPoolExecutor(min(jobs, len(chunks)), get_context("spawn"), _end_quietly)
    try:
        with _exit_on_signals():
            waiting_chunks = iter(chunks)
            # Two chunks per process keep all processes busy, and waste little work when the run is stopped.
            first_chunks = islice(waiting_chunks, 2 * jobs)
            running_chunks = [pool.submit(_play_chunk, play, lineup, chunk) for chunk in first_chunks]
            while running_chunks:
                yield running_chunks.pop(0).result()
                next_chunks = islice(waiting_chunks, 1)
                running_chunks.extend(pool.submit(_play_chunk, play, lineup, chunk) for chunk in next_chunks)
    except BaseException:
        for process in active_children():
            process.terminate()  # otherwise shutting down waits for the running games
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _exit_on_signals() -> Iterator[None]:
    """Raise SystemExit at SIGTERM and SIGHUP in the `with` block, so that this process can clean up.

    Handlers other than the default ones are kept. Nothing is changed outside the main thread, which alone can change
    handlers.
    """
    ending_signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    changed_signals = [
        signal_number
        for signal_number in ending_signals
        if current_thread() is main_thread() and signal.getsignal(signal_number) is signal.SIG_DFL
    ]
    for signal_number in changed_signals:
        signal.signal(signal_number, _exit_by_signal)
    try:
        yield
    finally:
        for signal_number in changed_signals:
            signal.signal(signal_number, signal.SIG_DFL)


def _exit_by_signal(signal_number: int, _: FrameType | None) -> None:
    """Exit with the status of a process that the signal `signal_number` has ended."""
    sys.exit(128 + signal_number)


def _play_chunk(play: PlayGame[T], lineup: Lineup, chunk: list[int]) -> list[T]:
    bots = lineup.make_bots()
    return [play(lineup, bots, seed) for seed in chunk]


def _end_quietly() -> None:
    """Make this worker process end without a message at Ctrl+C, which the main process reports, and with its parent."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    end_with_parent()
