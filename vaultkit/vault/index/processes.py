"""Work that is divided among processes, where the system lets us have more than one."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, TypeVar

import msgspec

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
_NUMBER, _MOST = 2, 1 << 15
"""Bytes of the number of a chunk, and how many of these a pipe takes at once."""
_AT_ONCE = 4
"""Chunks that a new process is sent at once."""
ENDED = 143
"""The exit code of a process whose first one is gone."""


def spread(
    work: Callable[[Chunk], Result],
    chunks: Sequence[Chunk],
    kind: type[Result],
    tell: Callable[[int], None],
) -> list[Result]:
    """The result of each chunk, of that `kind`, by as many processes as there are processors, or by this one alone.

    `tell` is told the number of the chunk at which the work is.
    """
    found = {0: work(chunks[0])}  # first, so that what it loads need not be loaded by others, too
    others = min(processors(), len(chunks)) - 1
    if others > 0 and _may_copy(chunks):
        with _begun(work, chunks, kind, others, range(1, len(chunks))) as finish:
            found |= finish(tell)
    elif others > 0:
        found |= _spawned(work, chunks, others + 1, tell)
    for number in (number for number in range(len(chunks)) if number not in found):
        tell(number)
        found[number] = work(chunks[number])
    return [found[number] for number in range(len(chunks))]


@contextmanager
def beside(
    work: Callable[[Chunk], Result], chunks: Sequence[Chunk], kind: type[Result], *, pays: bool
) -> Iterator[Callable[[], list[Result]]]:
    """The same; if it `pays`, another process works while this one does what is within, and then asks for results."""
    if not pays or processors() < 2 or not _may_copy(chunks):
        yield lambda: [*map(work, chunks)]
        return
    with _begun(work, chunks, kind, 1, range(len(chunks))) as finish:

        def results() -> list[Result]:
            found = finish(lambda _: None)
            return [found[number] if number in found else work(chunk) for number, chunk in enumerate(chunks)]

        yield results


def _may_copy(chunks: Sequence[object]) -> bool:
    """Whether copies of this process can work on these: without threads that is safe."""
    return sys.platform == "linux" and threading.active_count() == 1 and len(chunks) <= _MOST


@contextmanager
def _begun(
    work: Callable[[Chunk], Result], chunks: Sequence[Chunk], kind: type[Result], others: int, numbers: range
) -> Iterator[Callable[[Callable[[int], None]], dict[int, Result]]]:
    """Copies of this process, which are quick, take one chunk after the other from a queue.

    The function takes from it, too, until it is empty, and gathers the results: not all where a copy was killed.
    """
    queue, end = os.pipe()
    os.write(end, b"".join(number.to_bytes(_NUMBER, "big") for number in numbers))
    os.close(end)
    copies: dict[int, IO[bytes]] = {}

    def finish(tell: Callable[[int], None]) -> dict[int, Result]:
        found: dict[int, Result] = {}
        for number in _taken(queue):
            tell(number)
            found[number] = work(chunks[number])
        for process in list(copies):
            _await(process)
            found |= _results(copies.pop(process), kind)
        return found

    try:
        for _ in range(others):
            copies |= _copy(work, chunks, queue)
        yield finish
    finally:
        os.close(queue)
        for process in copies:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            _await(process)


def _await(process: int) -> None:
    """Wait for the end of a copy; the system may have taken note of it already, where SIGCHLD is ignored."""
    with suppress(ChildProcessError):
        os.waitpid(process, 0)


def _copy(work: Callable[[Chunk], Result], chunks: Sequence[Chunk], queue: int) -> dict[int, IO[bytes]]:
    """A copy of this process that works, with the file of its results; none if the system has no room for one."""
    assert sys.platform == "linux"
    parent = os.getpid()
    try:
        file = os.fdopen(os.memfd_create("results"), "w+b")
        process = os.fork()
    except (OSError, AttributeError):  # the latter where the C library has no such files
        return {}
    if process:
        return {process: file}
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent
        for number in _taken(queue):
            data = msgspec.msgpack.encode((number, work(chunks[number])))
            file.write(len(data).to_bytes(8, "big") + data)
            if os.getppid() != parent:
                break
        file.flush()
    finally:
        os._exit(0)


def _taken(queue: int) -> Iterator[int]:
    while number := os.read(queue, _NUMBER):
        yield int.from_bytes(number, "big")


def _results(file: IO[bytes], kind: type[Result]) -> Iterator[tuple[int, Result]]:
    """The bytes that a copy has written, as far as it came."""
    decoder = msgspec.msgpack.Decoder(tuple[int, kind])  # type: ignore[valid-type]
    with file, suppress(msgspec.MsgspecError):
        file.seek(0)
        while size := file.read(8):
            yield decoder.decode(file.read(int.from_bytes(size, "big")))


def _spawned(
    work: Callable[[Chunk], Result], chunks: Sequence[Chunk], workers: int, tell: Callable[[int], None]
) -> dict[int, Result]:
    """By new processes. Where those cannot be had, or were killed, results are missing."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    found: dict[int, Result] = {}
    with suppress(OSError, NotImplementedError, BrokenProcessPool):  # no semaphores, no memory, or one was killed
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, context, _begin) as pool:
            for number, result in enumerate(pool.map(work, chunks[1:], chunksize=_AT_ONCE), 1):
                tell(number)
                found[number] = result
    return found


def _begin() -> None:
    """Prepare a new process: it leaves Ctrl+C to its parent, and ends when the parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def end_with_parent() -> None:
    """This spawned process is never to end later than the one that spawned it.

    When that is killed, nothing else tells the others, whose queue stays open as long as any of them lives.
    """
    from multiprocessing import parent_process

    threading.Thread(target=_end_with, args=(parent_process(),), daemon=True).start()


def _end_with(parent: "BaseProcess") -> None:
    parent.join()
    os._exit(ENDED)


def processors() -> int:
    """How many processes this machine works on at once for this one."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
