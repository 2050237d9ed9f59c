"""What all tests share. Whether a test is slow stands beside it."""

import gc
import hashlib
import os
import shutil
import signal
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.collecting import is_needed, is_whole, pytest_ignore_collect, pytest_pycollect_makeitem  # noqa: F401
from tests.counts import CASES_EACH, SOAK, count, some
from vaultkit import trust

MEMORY = Path("/dev/shm")
ROOM = 2**30

# How long an example takes depends on what else the machine does: no test fails for that. The examples of a test are
# the same in every run, so that a failure comes again for whoever looks into it; `make soak` draws many new ones.
settings.register_profile(
    "vaultkit",
    max_examples=count(60, 2_000),
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


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect with the garbage collector paused, and keep what was collected out of its later runs."""
    gc.disable()
    try:
        if os.environ.get("PYTEST_XDIST_WORKER", "gw0")[-1] in "13579" and not sys.dont_write_bytecode:
            import_backwards(session)
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def import_backwards(session: pytest.Session) -> None:
    """Import the test files from the last to the first, so that two workers compile half of a new clone each.

    Pytest rewrites the assertions of each file when it is first imported, which takes longer than anything else that
    it does before the first test. Each worker then reads what the other has compiled. Errors are left to pytest.
    """
    folders = [path for path in map(Path, session.config.args) if path.is_dir()]
    files = sorted({file.resolve() for folder in folders for file in folder.rglob("test_*.py")}, reverse=True)
    for file in files:
        with suppress(Exception, pytest.skip.Exception):
            if is_needed(file, session.config):
                import_module(".".join(file.relative_to(session.config.rootpath).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark all but some cases of a `short` test as slow, and leave a sample of each test with many slow cases.

    The sample is for `make test-slow`, which runs all tests marked as slow. Whoever names files or tests gets all of
    their cases, and so does `make soak`.
    """
    mark_slow_cases(items)
    if config.option.markexpr != "slow" or not is_whole(config):
        return
    families: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("slow"):
            families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    sample = {item for family in families.values() for item in some(family, sample_size(family[0]))}
    config.hook.pytest_deselected(items=[item for item in items if item not in sample])
    items[:] = [item for item in items if item in sample]


def sample_size(item: pytest.Item) -> int:
    """Return the number of slow cases of a test that `make test-slow` runs."""
    mark = item.get_closest_marker("slow")
    return int(mark.kwargs.get("cases", CASES_EACH)) if mark else CASES_EACH


def mark_slow_cases(items: list[pytest.Item]) -> None:
    """Mark the cases of each test with `@pytest.mark.short(number)` as slow, apart from a sample of that number."""
    families: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("short") and not item.get_closest_marker("slow"):
            families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for family in families.values():
        sample = some(family, family[0].get_closest_marker("short").args[0])  # type: ignore[union-attr]
        for item in set(family) - set(sample):
            item.add_marker("slow")


def pytest_sessionfinish() -> None:
    """Garbage goes with the process: xdist interrupts a worker that still collects it after 5 s, with a traceback."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No vault that the person who runs the tests trusts, none that comes to be trusted, and no country."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        patch.setenv("LC_ALL", "C.UTF-8")  # the paper of the country would be another one elsewhere
        yield
    keep_pdfs(tmp_path_factory.getbasetemp(), "shared")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Keep the PDFs of a test before its folder is deleted."""
    if isinstance(item, pytest.Function) and "tmp_path" in item.funcargs:
        keep_pdfs(item.funcargs["tmp_path"], item.originalname)


def keep_pdfs(folder: Path, test: str) -> None:
    """Copy the PDFs in a folder into that of VAULTKIT_PDFS, if it is set, where `.ci/run` checks all of them."""
    if not (kept := os.environ.get("VAULTKIT_PDFS")):
        return
    for path in folder.rglob("*.pdf"):
        if path.is_file():
            copy = Path(kept, test, hashlib.sha256(path.read_bytes()).hexdigest()[:12], path.name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every vault is trusted: for tests of its own templates and designs that are not about trust."""
    monkeypatch.setattr(trust, "is_trusted", lambda _: True)
