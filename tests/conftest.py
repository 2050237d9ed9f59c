"""What all tests share. Whether a test is slow stands beside it."""

import gc
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.counts import SOAK, count
from vaultkit import trust

MEMORY = Path("/dev/shm")
ROOM = 2**30

# How long an example takes depends on what else the machine does: no test fails for that. The examples of a test are
# the same in every run, so that a failure comes again for whoever looks into it; `make soak` draws many new ones.
settings.register_profile(
    "vaultkit",
    max_examples=count(100, 2_000),
    derandomize=not SOAK,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("vaultkit")


def pytest_configure() -> None:
    """Temporary files in memory where there is room: tests that write and sync many need not wait for a disk.

    A shell starts what runs in the background with Ctrl+C ignored, and every process of the tests would inherit that.
    """
    for name in ("SIGINT", "SIGHUP"):
        if (number := getattr(signal, name, None)) and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_sessionfinish() -> None:
    """Garbage goes with the process: xdist interrupts a worker that still collects it after 5 s, with a traceback."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No vault that the person who runs the tests trusts, and none that comes to be trusted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every vault is trusted: for tests of its own templates and designs that are not about trust."""
    monkeypatch.setattr(trust, "is_trusted", lambda _: True)
