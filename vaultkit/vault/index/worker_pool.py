"""Division of work among worker processes by `concurrent.futures`, if the system allows them."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
EXIT_CODE_WITHOUT_PARENT = 143
"""The exit code of a worker process that ends because its parent has ended."""

_job: tuple[Callable[[Any], Any], Sequence[Any]]
"""In a worker process, its function and all chunks; set by `_begin_worker`."""


def map_in_processes(
    work: Callable[[Chunk], Result], chunks: Sequence[Chunk], report_progress: Callable[[int], None]
) -> Iterator[Result]:
    """Yield the result of `work` for each chunk, computed by as many processes as there are processors.

    `report_progress` is called with the number of results after the first that have arrived.
    """
    first_result = work(chunks[0])  # before the workers start, so that forks have imported what they need
    remaining_chunks, worker_count = chunks[1:], min(count_processors(), len(chunks) - 1)
    workers: AbstractContextManager[Iterator[Result]] = nullcontext(iter(()))
    if worker_count > 1:
        workers = _worker_results(work, remaining_chunks, worker_count)
    with workers as results:
        yield first_result
        yield from _complete(results, work, remaining_chunks, report_progress)


@contextmanager
def run_in_background(
    work: Callable[[Chunk], Result], chunks: Sequence[Chunk], *, is_worthwhile: bool
) -> Iterator[Callable[[], Iterator[Result]]]:
    """Call `work` with each chunk in another process during the `with` block; yield a function to get the results.

    Only a forked process has the data in memory. If that is impossible or `is_worthwhile` is False, the work is done in
    this process when each result is requested.
    """
    if not is_worthwhile or count_processors() < 2 or _start_method() != "fork":
        yield lambda: map(work, chunks)
        return
    with _worker_results(work, chunks, 1) as results:
        yield lambda: _complete(results, work, chunks, lambda _: None)


def _complete(
    results: Iterator[Result],
    work: Callable[[Chunk], Result],
    chunks: Sequence[Chunk],
    report_progress: Callable[[int], None],
) -> Iterator[Result]:
    """Yield the result for each chunk: first the `results` of workers, then computed here for the chunks they lack."""
    from concurrent.futures import BrokenExecutor

    done_count = 0
    with suppress(BrokenExecutor):
        for result in results:
            done_count += 1
            report_progress(done_count)
            yield result
    for chunk in chunks[done_count:]:
        done_count += 1
        report_progress(done_count)
        yield work(chunk)


@contextmanager
def _worker_results(
    work: Callable[[Chunk], Result], chunks: Sequence[Chunk], worker_count: int
) -> Iterator[Iterator[Result]]:
    """Start worker processes during the `with` block; yield an iterator over their results, in the chunks' order.

    The iterator is empty if the system allows no processes, and raises BrokenExecutor if one was killed.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool: ProcessPoolExecutor | None = None
    results: Iterator[Result] = iter(())
    try:
        try:
            pool = ProcessPoolExecutor(worker_count, get_context(_start_method()), _begin_worker, (work, chunks))
            results = pool.map(_work_on, range(len(chunks)))
        except (ImportError, NotImplementedError, OSError):  # no semaphores, or no memory
            pass
        yield results
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def _start_method() -> str:
    """Return how to start workers: "fork" on Linux if no other thread runs, since forks are unsafe then, or "spawn"."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _begin_worker(work: Callable[[Any], Any], chunks: Sequence[Any]) -> None:
    """Prepare a worker process: store its job, ignore Ctrl+C, which its parent handles, and end it with its parent."""
    global _job  # noqa: PLW0603 - a worker has one job
    _job = work, chunks
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def _work_on(index: int) -> Any:
    work, chunks = _job
    return work(chunks[index])


def end_with_parent() -> None:
    """Start a thread that ends this worker process as soon as its parent has ended.

    Otherwise the workers of a killed parent would wait forever, since their queue stays open while one of them runs.
    """
    from multiprocessing import parent_process

    threading.Thread(target=_exit_after, args=(parent_process(),), daemon=True).start()


def _exit_after(parent: "BaseProcess") -> None:
    parent.join()
    os._exit(EXIT_CODE_WITHOUT_PARENT)


def count_processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
