"""Work that is killed just before one of its system calls: each of them in turn."""

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path

from tests.counts import count as full_count
from vaultkit.vault.writing import atomic_swap

STRIDE = full_count(3, 1)
"""Of so many calls one is the last; the full counts take them all."""
EVENTS = ("os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.truncate")
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def kills(work: Callable[[Path], object], make: Callable[[int], Path]) -> Iterator[Path]:
    """Yield a folder for each call below it that changes something on the disk: `work` was killed just before that."""
    for number in islice(count(1), None, None, STRIDE):
        root = make(number)
        if not is_killed(number, root, lambda root=root: work(root)):  # type: ignore[misc]
            return
        yield root


def is_killed(number: int, root: Path, work: Callable[[], object]) -> bool:
    """Do `work` in a process of its own that is killed before its call `number`; whether there were so many."""
    child = os.fork()
    if not child:
        try:
            kill_before(number, str(root))
            work()
            os._exit(0)
        except BaseException:  # noqa: BLE001
            traceback.print_exc()
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL), "the work itself failed"
    return code != 0


def kill_before(number: int, root: str) -> None:
    """End this process just before a call of it that changes a file below `root`, or puts one onto the disk."""
    left = number

    def call() -> None:
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        changes = event in EVENTS or (event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES)
        if changes and str(arguments[0]).startswith(root):
            call()

    def before(function: Callable[..., object]) -> Callable[..., object]:
        def counted(*arguments: object) -> object:
            call()
            return function(*arguments)

        return counted

    sys.addaudithook(hook)
    os.fsync = before(os.fsync)  # type: ignore[assignment]
    atomic_swap._try_exchange = before(atomic_swap._try_exchange)  # type: ignore[assignment]
