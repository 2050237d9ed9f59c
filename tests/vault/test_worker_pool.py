"""Work that several processes share: in order, whole, and finished wherever a process is lost."""

import os
import signal
import sys
import threading
import time

import pytest

from vaultkit.vault.index import worker_pool


@pytest.mark.short(1)
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_chunks_are_processed_in_order(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if method == "fork" and sys.platform != "linux":
        pytest.skip("copies are made on Linux alone")
    monkeypatch.setattr(worker_pool, "count_processors", lambda: 3)
    monkeypatch.setattr(threading, "active_count", lambda: 1 if method == "fork" else 2)
    seen: list[int] = []
    assert [*worker_pool.map_in_processes(ascii, range(20), seen.append)] == [str(number) for number in range(20)]
    assert seen == sorted(seen)


def _told(number: int) -> tuple[int, int]:
    return number, os.getpid()


def test_processors_that_this_process_may_use_are_counted() -> None:
    assert 1 <= worker_pool.count_processors() <= (os.cpu_count() or 1)


def test_one_processor_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "count_processors", lambda: 1)
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    found = [*worker_pool.map_in_processes(_told, range(5), lambda number: None)]
    assert found == [(number, os.getpid()) for number in range(5)]


@pytest.mark.parametrize("threads", [1, 2])
def test_background_process_runs_beside_this_one(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "count_processors", lambda: 2)
    monkeypatch.setattr(threading, "active_count", lambda: threads)
    with worker_pool.run_in_background(_told, range(3), is_worthwhile=True) as results:
        time.sleep(0.05)
        found = [*results()]
    assert [number for number, _ in found] == [0, 1, 2]
    assert ({process for _, process in found} == {os.getpid()}) == (threads == 2 or sys.platform != "linux")


@pytest.mark.skipif(sys.platform != "linux", reason="copies are made on Linux alone")
def test_work_left_by_a_killed_process_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "count_processors", lambda: 3)
    monkeypatch.setattr("threading.active_count", lambda: 1)  # pytest's own workers have more
    here = os.getpid()

    def work(number: int) -> int:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.01)
        return number

    assert [*worker_pool.map_in_processes(work, range(9), lambda number: None)] == list(range(9))


@pytest.mark.skipif(sys.platform != "linux", reason="copies are made on Linux alone")
def test_worker_processes_end_where_sigchld_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As below a shell that said `trap '' CHLD`."""
    monkeypatch.setattr(worker_pool, "count_processors", lambda: 3)
    monkeypatch.setattr("threading.active_count", lambda: 1)
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert [*worker_pool.map_in_processes(abs, range(9), lambda number: None)] == list(range(9))
    finally:
        signal.signal(signal.SIGCHLD, before)
